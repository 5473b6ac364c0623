package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;

/** The current conditions of a connection. */
public interface Conditions {

    /** Whether no traffic passes in either direction. */
    boolean isCut();

    /** The latency of a request, in nanoseconds. */
    long requestNanos(HttpCall call);

    /** The latency of a part of the response, in nanoseconds. Parts never overtake earlier ones. */
    long answerNanos(HttpCall call, AnswerPart part);
}

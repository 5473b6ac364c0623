package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;

/** What a way is like at the moment. */
public interface Conditions {

    /** Whether nothing gets through, in either direction. */
    boolean isCut();

    /** How long a request takes to its server, in nanoseconds. */
    long requestNanos(HttpCall call);

    /** How long a part of the answer takes back, in nanoseconds. It never overtakes an earlier one. */
    long answerNanos(HttpCall call, AnswerPart part);
}

package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;

/** Observes the traffic of a connection as its process sends and receives it. */
public interface Tap {

    /** The process sends a request. */
    default void sent(HttpCall call) {}

    /** A part of the response is about to be delivered to the process, which still waits for it. */
    default void received(HttpCall call, AnswerPart part) {}
}

package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;

/** Sees what goes over a wire, as its process sends and gets it. */
public interface Tap {

    /** The process sends a request. */
    default void sent(HttpCall call) {}

    /** A part of the answer is about to be given to the process, which still waits for it. */
    default void received(HttpCall call, AnswerPart part) {}
}

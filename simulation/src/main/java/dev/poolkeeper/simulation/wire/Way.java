package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import java.util.function.Consumer;

/** The connection through which an HTTP client sends. */
@FunctionalInterface
public interface Way {

    /** A request that was sent. */
    @FunctionalInterface
    interface Sent {

        /** The client no longer waits for (the rest of) the response. */
        void abandon();
    }

    /**
     * Sends a request; returns at once.
     *
     * @param receiver receives the parts of the response in order, on a thread of the process, where it may block
     */
    Sent send(HttpCall call, Consumer<AnswerPart> receiver);
}

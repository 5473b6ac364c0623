package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import java.util.function.Consumer;

/** What an HTTP client sends through. */
@FunctionalInterface
public interface Way {

    /** Something that was sent. */
    @FunctionalInterface
    interface Sent {

        /** The client does not wait for (the rest of) the answer any more. */
        void abandon();
    }

    /**
     * Sends a request; returns at once.
     *
     * @param receiver takes the parts of the answer in order, in a thread of the process, where it may block
     */
    Sent send(HttpCall call, Consumer<AnswerPart> receiver);
}

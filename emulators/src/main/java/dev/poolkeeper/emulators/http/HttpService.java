package dev.poolkeeper.emulators.http;

import java.util.function.Consumer;

/**
 * A server without a socket and without threads of its own. Time is given to it when it is made, so that it runs on
 * virtual time as well. Thread-safe.
 */
public interface HttpService {

    /**
     * Serves a request. Returns at once; the answer may have been given by then, in the calling thread, or comes later,
     * in the thread of another request, of a timer, or of a thread that changes the emulator's faults.
     *
     * @param answer takes the parts in their order, one at a time. It must neither block nor call the service: locks of
     *     the service may be held
     */
    Serving serve(HttpCall call, Consumer<AnswerPart> answer);

    /** A request that is being served, or was. */
    @FunctionalInterface
    interface Serving {

        /** A request that was answered already. */
        Serving OVER = () -> {};

        /** The client is gone: no part is given any more. Without effect once the answer is complete. */
        void abandon();
    }
}

package dev.poolkeeper.emulators.http;

import java.util.function.Consumer;

/**
 * A server without a socket or threads. It receives its time source on creation, so it also runs on virtual time.
 * Thread-safe.
 */
public interface HttpService {

    /**
     * Serves a request. Returns immediately; the response is passed on either before that, in the calling thread, or
     * later, in the thread of another request, of a timer, or of a change to the emulator's faults.
     *
     * @param answer receives the parts in order, one at a time. It must not block or call the service, because the
     *     service may hold locks
     */
    Serving serve(HttpCall call, Consumer<AnswerPart> answer);

    /** A request in progress or completed. */
    @FunctionalInterface
    interface Serving {

        /** A completed request. */
        Serving OVER = () -> {};

        /**
         * Abandons the request because the client is gone: no further part is passed on. No effect once the response is
         * complete.
         */
        void abandon();
    }
}

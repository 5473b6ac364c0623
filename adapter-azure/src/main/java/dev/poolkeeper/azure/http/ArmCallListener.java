package dev.poolkeeper.azure.http;

import java.time.Duration;
import java.util.Map;

/**
 * Observes every attempt and every wait, on the thread that made the call. Implementations are thread-safe, never block
 * and never throw.
 */
@FunctionalInterface
public interface ArmCallListener {

    /** An attempt starts, or is refused at a closed gate. Its observation always ends exactly once. */
    Observation attempting(ArmAttempt attempt);

    /** The calling thread will wait before a retry or a poll. */
    default void waiting(ArmCall.Purpose purpose, Duration duration) {}

    /** The observation of one attempt. Used by one thread. */
    @FunctionalInterface
    interface Observation {

        /**
         * The headers that join the request to a trace: {@code traceparent} and {@code tracestate} of <a
         * href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>. Other names and invalid header values are
         * ignored. Called once, before the request is created; requests for tokens carry no trace headers.
         */
        default Map<String, String> headers() {
            return Map.of();
        }

        /** The attempt ended. */
        void ended(ArmCall call);
    }

    /** Observes nothing. */
    ArmCallListener NONE = attempt -> call -> {};
}

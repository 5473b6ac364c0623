package dev.poolkeeper.azure.http;

import java.time.Duration;
import java.util.Map;

/**
 * Observes every attempt and every wait, on the thread that made the call. Implementations are thread-safe, never block
 * and never throw.
 */
@FunctionalInterface
public interface ArmCallListener {

    /** An attempt begins, or is refused at a shut gate. Its observation is ended once, whatever happens. */
    Observation attempting(ArmAttempt attempt);

    /** The calling thread will wait before a retry or a poll. */
    default void waiting(ArmCall.Purpose purpose, Duration duration) {}

    /** One attempt, observed. Used by one thread. */
    @FunctionalInterface
    interface Observation {

        /**
         * What joins the request to a trace: {@code traceparent} and {@code tracestate} of <a
         * href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>. Other names, and values that no header can
         * hold, are ignored. Asked once, before the request is made; requests for tokens carry none.
         */
        default Map<String, String> headers() {
            return Map.of();
        }

        /** The attempt is over. */
        void ended(ArmCall call);
    }

    /** Observes nothing. */
    ArmCallListener NONE = attempt -> call -> {};
}

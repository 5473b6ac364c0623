package dev.poolkeeper.ports;

import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Tells an adapter whether to retry inside a call, after which delay, and how long an attempt may take. The rules are
 * those of an HTTPRoute's {@code retry} and {@code timeouts} (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-1731/">GEP-1731</a>) under one retry budget. Implementations are
 * thread-safe and never block; the adapter waits.
 */
public interface CallRetries {

    /** The methods that may be repeated according to RFC 9110; of ARM's calls, reads, PUT and DELETE. */
    Set<String> IDEMPOTENT_METHODS = Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE");

    /**
     * Begins one HTTP exchange, which is one first attempt and the retries that follow it. No attempt is repeated once
     * the context's term has ended.
     */
    Exchange begin(CallContext context);

    /**
     * As above, for a request whose route may have its own policy. Implementations without routes ignore the request.
     */
    default Exchange begin(CallContext context, RequestHead request) {
        return begin(context);
    }

    /** One HTTP exchange, never the whole of a long-running operation. Used by one thread at a time. */
    interface Exchange {

        /** How long the next attempt may take; empty for no limit. Not positive if no time is left. */
        Optional<Duration> attemptTimeout();

        /**
         * Decides after an attempt that got an error status.
         *
         * @param retryAfter the wait that the response asked for; zero if none
         */
        Decision afterStatus(int status, Duration retryAfter);

        /** As above, for a response without {@code Retry-After}. */
        default Decision afterStatus(int status) {
            return afterStatus(status, Duration.ZERO);
        }

        /** Decides after an attempt without a response: connection failed, connection lost, or timeout. */
        Decision afterConnectionError();

        /** The exchange ended, successfully or not. Further calls are harmless. */
        default void end() {}
    }

    /** The decision after a failed attempt. */
    sealed interface Decision {

        /** Retry after the delay. */
        record Retry(Duration delay) implements Decision {}

        /** Do not retry: the failure is the result of the exchange. */
        record GiveUp(Reason reason) implements Decision {}
    }

    /** Why an exchange is not retried. */
    enum Reason {
        /** The policy does not list this status, or retries are off. */
        NOT_RETRIABLE("not retried: the retry policy does not cover it"),
        /** The policy's attempts are exhausted. */
        ATTEMPTS_EXHAUSTED(""),
        /** The retry budget refused the retry. */
        BUDGET_REFUSED("not retried: the retry budget refused"),
        /** The term, or the hold of the resource lock, is over. */
        FENCED("not retried: leadership or the resource lock was lost"),
        /** The exchange timed out, or would time out before the next attempt. */
        TIMED_OUT("not retried: the request timeout has expired");

        private final String note;

        Reason(String note) {
            this.note = note;
        }

        /** The failure text with the reason why retries ended; unchanged if the attempts were exhausted. */
        String mark(String failure) {
            return note.isEmpty() ? failure : failure + ", " + note;
        }
    }

    /** Never retries and sets no timeout. */
    CallRetries NONE = context -> new Exchange() {
        @Override
        public Optional<Duration> attemptTimeout() {
            return Optional.empty();
        }

        @Override
        public Decision afterStatus(int status, Duration retryAfter) {
            return new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }

        @Override
        public Decision afterConnectionError() {
            return new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }
    };
}

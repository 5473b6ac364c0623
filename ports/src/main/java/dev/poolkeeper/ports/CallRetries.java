package dev.poolkeeper.ports;

import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What an adapter asks before it retries inside a call: whether, after how long, and how long an attempt may take. The
 * rules are those of an HTTPRoute's {@code retry} and {@code timeouts} (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-1731/">GEP-1731</a>) under one retry budget. Implementations are
 * thread-safe and never block; the adapter waits.
 */
public interface CallRetries {

    /** The methods that may be sent again, as RFC 9110 says; of ARM's calls those that read, PUT and DELETE. */
    Set<String> IDEMPOTENT_METHODS = Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE");

    /**
     * Begins one HTTP exchange, which is one first attempt and the retries that follow it. No attempt is repeated once
     * the context's term has ended.
     */
    Exchange begin(CallContext context);

    /**
     * As above, for a request whose route may have a policy of its own. What knows of no routes takes no notice of the
     * request.
     */
    default Exchange begin(CallContext context, RequestHead request) {
        return begin(context);
    }

    /** One HTTP exchange, never the whole of a long-running operation. Used by one thread at a time. */
    interface Exchange {

        /** How long the next attempt may take; empty for as long as it likes. Not positive: there is no time left. */
        Optional<Duration> attemptTimeout();

        /**
         * What to do after an attempt that was answered with an error status.
         *
         * @param retryAfter how long the answer asked to wait; zero where it did not
         */
        Decision afterStatus(int status, Duration retryAfter);

        /** As above, for an answer that did not ask to wait. */
        default Decision afterStatus(int status) {
            return afterStatus(status, Duration.ZERO);
        }

        /** What to do after an attempt that was not answered: no connection, a lost one, or no answer in time. */
        Decision afterConnectionError();

        /** The exchange is over, well or not. Further calls are harmless. */
        default void end() {}
    }

    /** What to do after a failed attempt. */
    sealed interface Decision {

        /** Send again, not before the delay is over. */
        record Retry(Duration delay) implements Decision {}

        /** Take the failure at hand as the exchange's end. */
        record GiveUp(Reason reason) implements Decision {}
    }

    /** Why an exchange is not retried. */
    enum Reason {
        /** The policy does not name this status, or retries are off. */
        NOT_RETRIABLE("not retried: the retry policy does not ask for it"),
        /** The policy's attempts are used up. */
        ATTEMPTS_EXHAUSTED(""),
        /** The retry budget refused. */
        BUDGET_REFUSED("not retried: the retry budget refused"),
        /** The time for the whole exchange is used up, or would be before the next attempt. */
        TIMED_OUT("not retried: the request timeout is used up");

        private final String note;

        Reason(String note) {
            this.note = note;
        }

        /** The failure at hand, marked with what ended its retries; what ran out of attempts needs no mark. */
        String mark(String failure) {
            return note.isEmpty() ? failure : failure + ", " + note;
        }
    }

    /** Never retries, and sets no limit. */
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

package dev.poolkeeper.ports;

import java.time.Duration;
import java.util.Optional;

/**
 * What an adapter asks before it retries inside a call: whether, after how long, and how long an attempt may take. The
 * rules are those of an HTTPRoute's {@code retry} and {@code timeouts} (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-1731/">GEP-1731</a>) under one retry budget. Implementations are
 * thread-safe and never block; the adapter waits.
 */
public interface CallRetries {

    /** Begins one HTTP exchange, which is one first attempt and the retries that follow it. */
    Exchange begin();

    /** One HTTP exchange, never the whole of a long-running operation. Used by one thread at a time. */
    interface Exchange {

        /** How long the next attempt may take; empty for as long as it likes. Not positive: there is no time left. */
        Optional<Duration> attemptTimeout();

        /** What to do after an attempt that was answered with an error status. */
        Decision afterStatus(int status);

        /** What to do after an attempt that was not answered: no connection, a lost one, or no answer in time. */
        Decision afterConnectionError();
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
        /** The policy does not name this status. */
        NOT_RETRIABLE,
        /** The policy's attempts are used up. */
        ATTEMPTS_EXHAUSTED,
        /** The retry budget refused. */
        BUDGET_REFUSED,
        /** The time for the whole exchange is used up, or would be before the next attempt. */
        TIMED_OUT
    }

    /** Never retries, and sets no limit. */
    CallRetries NONE = () -> new Exchange() {
        @Override
        public Optional<Duration> attemptTimeout() {
            return Optional.empty();
        }

        @Override
        public Decision afterStatus(int status) {
            return new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }

        @Override
        public Decision afterConnectionError() {
            return new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }
    };
}

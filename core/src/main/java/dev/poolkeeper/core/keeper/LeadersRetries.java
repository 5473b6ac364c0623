package dev.poolkeeper.core.keeper;

import dev.poolkeeper.ports.CallRetries;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Retries that end with leadership: an exchange that a leader began is not sent again once it leads no more. */
public final class LeadersRetries implements CallRetries {

    private final CallRetries retries;
    private final BooleanSupplier isLeader;

    /** @param isLeader asked anew each time; thread-safe, never blocks */
    public LeadersRetries(CallRetries retries, BooleanSupplier isLeader) {
        this.retries = retries;
        this.isLeader = isLeader;
    }

    @Override
    public CallRetries bound() {
        return new LeadersRetries(retries.bound(), isLeader);
    }

    @Override
    public Exchange begin() {
        Exchange exchange = retries.begin();
        return isLeader.getAsBoolean() ? new LeadersExchange(exchange) : exchange;
    }

    private final class LeadersExchange implements Exchange {

        private final Exchange exchange;

        LeadersExchange(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public Optional<Duration> attemptTimeout() {
            return exchange.attemptTimeout();
        }

        @Override
        public Decision afterStatus(int status) {
            return isLeader.getAsBoolean() ? exchange.afterStatus(status) : new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }

        @Override
        public Decision afterConnectionError() {
            return isLeader.getAsBoolean()
                    ? exchange.afterConnectionError()
                    : new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }

        @Override
        public void end() {
            exchange.end();
        }
    }
}

package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports each decision of a retry policy, and each attempt between two decisions, to the watchdog. Thread-safe.
 *
 * @param callDeadline the time-out of an attempt whose policy has none
 */
public record WatchedRetries(CallRetries retries, Watchdog watchdog, Duration callDeadline) implements CallRetries {

    @Override
    public Exchange begin(CallContext context) {
        return new WatchedExchange(decision("choice of a retry policy", () -> retries.begin(context)));
    }

    @Override
    public Exchange begin(CallContext context, RequestHead request) {
        return new WatchedExchange(decision("choice of a retry policy", () -> retries.begin(context, request)));
    }

    /** A decision takes no time. */
    private <T> T decision(String what, Supplier<T> decision) {
        try (Watchdog.Watch unused = watchdog.begin(what, Duration.ZERO)) {
            return decision.get();
        }
    }

    private final class WatchedExchange implements Exchange {

        private final Exchange exchange;
        private Watchdog.@Nullable Watch attempt;

        WatchedExchange(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public Optional<Duration> attemptTimeout() {
            attemptEnded();
            Optional<Duration> timeout = decision("time-out of an attempt", exchange::attemptTimeout);
            attempt = watchdog.begin("attempt of a request to Azure", shorter(timeout.orElse(callDeadline)));
            return timeout;
        }

        private Duration shorter(Duration timeout) {
            return timeout.compareTo(callDeadline) < 0 ? timeout : callDeadline;
        }

        @Override
        public Decision afterStatus(int status, Duration retryAfter) {
            attemptEnded();
            return decision("decision about a retry", () -> exchange.afterStatus(status, retryAfter));
        }

        @Override
        public Decision afterConnectionError() {
            attemptEnded();
            return decision("decision about a retry", exchange::afterConnectionError);
        }

        @Override
        public void end() {
            attemptEnded();
            exchange.end();
        }

        private void attemptEnded() {
            Watchdog.Watch last = attempt;
            attempt = null;
            if (last != null) {
                last.close();
            }
        }
    }
}

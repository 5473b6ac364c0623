package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import java.time.Duration;
import java.util.Optional;

/** Retries inside a call, seen by the witness as the budget sees them. */
final class ObservedRetries implements CallRetries {

    private final CallRetries retries;
    private final Wires wires;

    ObservedRetries(CallRetries retries, Wires wires) {
        this.retries = retries;
        this.wires = wires;
    }

    @Override
    public Exchange begin(CallContext context) {
        if (!context.isRetry()) {
            wires.deposited();
        }
        Exchange exchange = retries.begin(context);
        return new Exchange() {
            @Override
            public Optional<Duration> attemptTimeout() {
                return exchange.attemptTimeout();
            }

            @Override
            public Decision afterStatus(int status, Duration retryAfter) {
                return seen(exchange.afterStatus(status, retryAfter));
            }

            @Override
            public Decision afterConnectionError() {
                return seen(exchange.afterConnectionError());
            }

            @Override
            public void end() {
                exchange.end();
            }
        };
    }

    private Decision seen(Decision decision) {
        switch (decision) {
            case Decision.Retry retry -> wires.withdrew(true);
            case Decision.GiveUp(Reason reason) -> {
                if (reason == Reason.BUDGET_REFUSED) {
                    wires.withdrew(false);
                }
            }
        }
        return decision;
    }
}

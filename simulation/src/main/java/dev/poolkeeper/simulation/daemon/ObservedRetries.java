package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Duration;
import java.util.Optional;

/** Reports the budget's decisions on retries inside a call to the observer, and where each request begins. */
final class ObservedRetries implements CallRetries {

    private final CallRetries retries;
    private final SimulatedDaemon daemon;
    private final ArmTap tap;

    ObservedRetries(CallRetries retries, SimulatedDaemon daemon, ArmTap tap) {
        this.retries = retries;
        this.daemon = daemon;
        this.tap = tap;
    }

    @Override
    public Exchange begin(CallContext context) {
        return seen(context, retries.begin(context));
    }

    @Override
    public Exchange begin(CallContext context, RequestHead request) {
        tap.requestBegins(request);
        return seen(context, retries.begin(context, request));
    }

    private Exchange seen(CallContext context, Exchange exchange) {
        if (!context.isRetry()) {
            daemon.observed(new Observation.Deposited(daemon));
        }
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
            case Decision.Retry retry -> daemon.observed(new Observation.Withdrew(daemon, true));
            case Decision.GiveUp(Reason reason) -> {
                if (reason == Reason.BUDGET_REFUSED) {
                    daemon.observed(new Observation.Withdrew(daemon, false));
                }
            }
        }
        return decision;
    }
}

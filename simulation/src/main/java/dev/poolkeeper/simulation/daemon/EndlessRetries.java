package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import java.time.Duration;
import java.util.Optional;

/** A planted bug: every failed request is retried almost immediately. */
final class EndlessRetries implements CallRetries {

    private static final Duration WAIT = Duration.ofMillis(200);

    @Override
    public Exchange begin(CallContext context) {
        return new Exchange() {
            @Override
            public Optional<Duration> attemptTimeout() {
                return Optional.empty();
            }

            @Override
            public Decision afterStatus(int status, Duration retryAfter) {
                return status >= 500 || status == 429
                        ? new Decision.Retry(WAIT)
                        : new Decision.GiveUp(Reason.NOT_RETRIABLE);
            }

            @Override
            public Decision afterConnectionError() {
                return new Decision.Retry(WAIT);
            }
        };
    }
}

package dev.poolkeeper.lab.retries;

import dev.poolkeeper.core.retry.RetryBudget;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Envoy's {@code retry_budget} of a cluster: retries in progress must be fewer than a share of the active and pending
 * requests or a minimum, whichever is higher. Time plays no role.
 */
public final class EnvoyBudget implements RetryBudget {

    private final Settings settings;
    private long requests;
    private long retries;

    /**
     * Its settings.
     *
     * @param budgetPercent the share in percent, 0 to 100
     * @param minRetryConcurrency the minimum, 0 or more
     */
    public record Settings(double budgetPercent, int minRetryConcurrency) {

        /** Envoy's own defaults. */
        public static final Settings DEFAULT = new Settings(20, 3);
    }

    EnvoyBudget(Settings settings) {
        this.settings = settings;
    }

    @Override
    public synchronized InProgress deposit() {
        requests++;
        return this::requestEnded;
    }

    @Override
    public synchronized Optional<InProgress> tryWithdraw() {
        if (left() == 0) {
            return Optional.empty();
        }
        retries++;
        return Optional.of(this::retryEnded);
    }

    @Override
    public synchronized OptionalLong balance() {
        return OptionalLong.of(left());
    }

    private long left() {
        long share = BigDecimal.valueOf(settings.budgetPercent())
                .multiply(BigDecimal.valueOf(requests))
                .movePointLeft(2)
                .longValue();
        return Math.max(0, Math.max(share, settings.minRetryConcurrency()) - retries);
    }

    private synchronized void requestEnded() {
        requests--;
    }

    private synchronized void retryEnded() {
        retries--;
    }
}

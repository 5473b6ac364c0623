package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Envoy's budget: a retry is admitted while fewer retries are under way than {@code budget_percent} of the requests
 * active and pending, or than {@code min_retry_concurrency}. An exchange is active or pending from its first attempt to
 * its end, waits included; a retry is under way from its admission, so its wait counts too. Needs {@link #retryEnded}
 * and {@link #exchangeEnded}. Thread-safe; no time in it, no overdraft.
 */
public final class EnvoyBudget implements RetryBudget {

    /** Both side by side, for who needs one needs the other; in the middle, so that no neighbour shares their line. */
    private static final int ACTIVE = 16;

    private static final int RETRIES = ACTIVE + 1;

    private final BudgetSettings.Envoy settings;
    private final AtomicLongArray counts = new AtomicLongArray(2 * ACTIVE);

    public EnvoyBudget(BudgetSettings.Envoy settings) {
        this.settings = settings;
    }

    @Override
    public void deposit() {
        counts.getAndIncrement(ACTIVE);
    }

    @Override
    public boolean tryWithdraw() {
        while (true) {
            long underWay = counts.get(RETRIES);
            if (underWay >= limit()) {
                return false;
            }
            if (counts.compareAndSet(RETRIES, underWay, underWay + 1)) {
                return true;
            }
            Thread.onSpinWait();
        }
    }

    private long limit() {
        return Math.max((long) (settings.budgetPercent() * counts.get(ACTIVE) / 100), settings.minRetryConcurrency());
    }

    @Override
    public OptionalLong balance() {
        return OptionalLong.of(Math.max(0, limit() - counts.get(RETRIES)));
    }

    @Override
    public void retryEnded() {
        decrement(RETRIES);
    }

    @Override
    public void exchangeEnded() {
        decrement(ACTIVE);
    }

    /** Not below 0: what began under other settings may end here. */
    private void decrement(int count) {
        long found = counts.get(count);
        while (found > 0 && !counts.compareAndSet(count, found, found - 1)) {
            found = counts.get(count);
        }
    }

    @Override
    public String toString() {
        return "Envoy retry budget " + settings;
    }
}

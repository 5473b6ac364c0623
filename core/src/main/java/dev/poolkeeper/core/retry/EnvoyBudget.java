package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Envoy's budget: a retry is admitted while fewer retries are under way than {@code budget_percent} of the requests
 * active and pending, or than {@code min_retry_concurrency}. An exchange is active or pending from its first attempt to
 * its end, waits included; a retry is under way from its admission, so its wait counts too. Needs {@link #retryEnded}
 * and {@link #exchangeEnded}. Thread-safe; no time in it, no overdraft.
 */
public final class EnvoyBudget implements RetryBudget {

    private final BudgetSettings.Envoy settings;
    private final AtomicLong active = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();

    public EnvoyBudget(BudgetSettings.Envoy settings) {
        this.settings = settings;
    }

    @Override
    public void deposit() {
        active.incrementAndGet();
    }

    @Override
    public boolean tryWithdraw() {
        while (true) {
            long underWay = retries.get();
            if (underWay >= limit()) {
                return false;
            }
            if (retries.compareAndSet(underWay, underWay + 1)) {
                return true;
            }
            Thread.onSpinWait();
        }
    }

    private long limit() {
        return Math.max((long) (settings.budgetPercent() * active.get() / 100), settings.minRetryConcurrency());
    }

    @Override
    public OptionalLong balance() {
        return OptionalLong.of(Math.max(0, limit() - retries.get()));
    }

    @Override
    public void retryEnded() {
        decrement(retries);
    }

    @Override
    public void exchangeEnded() {
        decrement(active);
    }

    /** Not below 0: what began under other settings may end here. */
    private static void decrement(AtomicLong count) {
        long found = count.get();
        while (found > 0 && !count.compareAndSet(found, found - 1)) {
            found = count.get();
        }
    }

    @Override
    public String toString() {
        return "Envoy retry budget " + settings;
    }
}

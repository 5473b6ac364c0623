package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;

/**
 * Envoy's budget: a retry is admitted while fewer retries are in progress than {@code budget_percent} of the requests
 * active and pending, or than {@code min_retry_concurrency}. An exchange is active or pending from its first attempt to
 * its end, including waits; a retry is in progress from its admission, so its wait counts too. Time plays no role.
 */
final class EnvoyAllowance implements Allowance {

    private final BudgetSettings.Envoy settings;
    private final Load load;

    EnvoyAllowance(BudgetSettings.Envoy settings, Load load) {
        this.settings = settings;
        this.load = load;
    }

    @Override
    public void deposit(long now) {}

    @Override
    public boolean tryWithdraw(long now) {
        return load.retries < limit();
    }

    @Override
    public OptionalLong balance(long now) {
        return OptionalLong.of(Math.max(0, limit() - load.retries));
    }

    private long limit() {
        return Math.max((long) (settings.budgetPercent() * load.exchanges / 100), settings.minRetryConcurrency());
    }
}

package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.function.LongSupplier;

/**
 * The Gateway API's budget: a retry is admitted if, with it, the retries of the trailing {@code budget.interval} are at
 * most {@code budget.percent} of all requests of that interval, retries included; or else if, with it, there are at
 * most {@code minRetryRate.count} retries in the trailing {@code minRetryRate.interval}, and no more in the
 * {@code budget.interval} than that rate makes there. So retries never exceed the larger of share and floor, and what
 * was idle admits {@code count} at once and no more.
 *
 * <p>Time is counted in 500 slots an interval: first attempts may be forgotten, and retries remembered, a
 * five-hundredth of the interval too long, never the other way.
 *
 * <p>Source: <a href="https://gateway-api.sigs.k8s.io/geps/gep-3388/">GEP-3388</a>.
 */
public final class GatewayApiBudget extends WindowBudget {

    private static final int SLOTS = 500;
    private static final int ALL_PERCENT = 100;

    private final BudgetSettings.GatewayApi settings;

    public GatewayApiBudget(BudgetSettings.GatewayApi settings, LongSupplier nanoTime) {
        this(settings, nanoTime, nanoTime.getAsLong());
    }

    private GatewayApiBudget(BudgetSettings.GatewayApi settings, LongSupplier nanoTime, long now) {
        super(
                nanoTime,
                rule(settings),
                new TrafficWindow(settings.interval(), SLOTS, SLOTS + 1, now),
                new TrafficWindow(settings.minRetryRate().interval(), SLOTS, SLOTS + 1, now));
        this.settings = settings;
    }

    private static RetryRule rule(BudgetSettings.GatewayApi settings) {
        long count = settings.minRetryRate().count();
        long inShareWindow = count
                * settings.interval().toMillis()
                / settings.minRetryRate().interval().toMillis();
        return new RetryRule(
                settings.percent(), ALL_PERCENT - settings.percent(), 0, Math.max(count, inShareWindow), count);
    }

    @Override
    public String toString() {
        return "Gateway API retry budget " + settings;
    }
}

package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.LongSupplier;

/**
 * Linkerd's budget: in a window of ten slots of {@code ttl / 10}, the last one under way, the retries are at most
 * {@code retryRatio} times the first attempts, plus {@code minRetriesPerSecond} for each second of the {@code ttl}.
 * First attempts and retries grow old together, so the reserve may be spent at once, and again a {@code ttl} later.
 *
 * <p>Every ratio is kept exactly. Linkerd's own budget counts in whole tokens and rounds ratios that are not 1/n up:
 * 0.9 to 1, 0.4 to 0.5.
 */
public final class LinkerdBudget extends WindowBudget {

    private static final int SLOTS = 10;
    private static final int FINEST_SCALE = 18;

    private final BudgetSettings.Linkerd settings;

    public LinkerdBudget(BudgetSettings.Linkerd settings, LongSupplier nanoTime) {
        this(settings, nanoTime, new TrafficWindow(settings.ttl(), SLOTS, SLOTS, nanoTime.getAsLong()));
    }

    private LinkerdBudget(BudgetSettings.Linkerd settings, LongSupplier nanoTime, TrafficWindow window) {
        super(nanoTime, rule(settings), window, window);
        this.settings = settings;
    }

    private static RetryRule rule(BudgetSettings.Linkerd settings) {
        BigDecimal exact = BigDecimal.valueOf(settings.retryRatio()).stripTrailingZeros();
        BigDecimal ratio = exact.setScale(Math.clamp(exact.scale(), 0, FINEST_SCALE), RoundingMode.DOWN);
        long reserve = settings.minRetriesPerSecond() * settings.ttl().toMillis() / 1_000;
        return new RetryRule(
                ratio.unscaledValue().longValueExact(),
                BigDecimal.TEN.pow(ratio.scale()).longValueExact(),
                reserve,
                reserve,
                reserve);
    }

    @Override
    public String toString() {
        return "Linkerd retry budget " + settings;
    }
}

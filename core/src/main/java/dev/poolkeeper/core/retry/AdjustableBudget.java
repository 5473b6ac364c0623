package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A budget whose settings may change while it is in use. Deposits and withdrawals keep their age when the settings
 * change; a shorter window forgets those that are older than the window.
 *
 * <p>The clock may jump. A forward jump ages the counted attempts. A backward jump within the current slot stops time
 * until the clock has caught up. A larger backward jump makes retries count as new and forgets first attempts. A jump
 * never admits more retries.
 *
 * <p>One lock guards all state and is held only while counting. Allocates nothing. Thread-safe.
 */
final class AdjustableBudget implements RetryBudget {

    /** Attempts count by the time of their start alone. */
    private static final InProgress ENDS_UNNOTICED = () -> {};

    private static final Optional<InProgress> ADMITTED = Optional.of(ENDS_UNNOTICED);

    private final LongSupplier nanoTime;
    private final Object lock = new Object();
    private BudgetSettings settings;
    private RetryRule rule;
    private TrafficWindow share;
    private TrafficWindow floor;

    /** Since the start. */
    private long firsts;

    /** Since the start. */
    private long retries;

    private long refused;

    /** @param nanoTime see {@link RetryBudget#of} */
    AdjustableBudget(BudgetSettings settings, LongSupplier nanoTime) {
        long now = nanoTime.getAsLong();
        this.nanoTime = nanoTime;
        this.settings = settings;
        this.rule = RetryRule.of(settings);
        this.share = new TrafficWindow(TrafficWindow.Size.ofShare(settings), now);
        this.floor = new TrafficWindow(TrafficWindow.Size.ofFloor(settings), now);
    }

    /** Applies new settings. Equal settings have no effect. */
    void adjust(BudgetSettings newSettings) {
        synchronized (lock) {
            if (newSettings.equals(settings)) {
                return;
            }
            settings = newSettings;
            rule = RetryRule.of(newSettings);
            if (newSettings instanceof BudgetSettings.GatewayApi || newSettings instanceof BudgetSettings.Linkerd) {
                long now = keepUp();
                TrafficWindow longer = floor.isLongerThan(share) ? floor : share;
                share = longer.resized(TrafficWindow.Size.ofShare(newSettings), now, firsts);
                floor = longer.resized(TrafficWindow.Size.ofFloor(newSettings), now, firsts);
            }
        }
    }

    @Override
    public InProgress deposit() {
        synchronized (lock) {
            keepUp();
            firsts++;
            return ENDS_UNNOTICED;
        }
    }

    @Override
    public Optional<InProgress> tryWithdraw() {
        synchronized (lock) {
            keepUp();
            if (!rule.allows(retriesIn(share) + 1, firstsInShare(), retriesIn(floor) + 1)) {
                refused++;
                return Optional.empty();
            }
            retries++;
            return ADMITTED;
        }
    }

    @Override
    public OptionalLong balance() {
        synchronized (lock) {
            keepUp();
            return rule.balance(retriesIn(share), firstsInShare(), retriesIn(floor));
        }
    }

    /** Moves the windows to the present, which is read under the lock: only a clock that goes back moves them back. */
    private long keepUp() {
        long now = nanoTime.getAsLong();
        share.moveTo(now, firsts, retries);
        floor.moveTo(now, firsts, retries);
        return now;
    }

    private long retriesIn(TrafficWindow window) {
        return retries - window.retriesBefore();
    }

    private long firstsInShare() {
        return firsts - share.firstsBefore();
    }

    /** The number of refused withdrawals. */
    long refused() {
        synchronized (lock) {
            return refused;
        }
    }

    /** The kind and settings, for people. */
    @Override
    public String toString() {
        synchronized (lock) {
            return switch (settings) {
                case BudgetSettings.GatewayApi gatewayApi -> "Gateway API retry budget " + gatewayApi;
                case BudgetSettings.Linkerd linkerd -> "Linkerd retry budget " + linkerd;
                case BudgetSettings.None none -> "no retry budget";
                case BudgetSettings.Endless endless -> "endless retry budget";
            };
        }
    }
}

package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A budget that counts over trailing windows of time.
 *
 * <p>The clock may jump. A forward jump ages the counted attempts. A backward jump within the current slot stops time
 * until the clock has caught up. A larger backward jump makes retries count as new and forgets first attempts. A jump
 * never admits more retries.
 */
final class WindowAllowance implements Allowance {

    /** The number of slots in the Gateway API's windows, which makes counts exact to 1/500 of the interval. */
    private static final int FINE = 500;

    /** The number of slots in Linkerd's window. */
    private static final int LINKERDS = 10;

    private final LongSupplier nanoTime;
    private final RetryRule rule;

    /** The window of the share. */
    private final TrafficWindow share;

    /** The window of the floor; the share's window if the floor has no other. */
    private final TrafficWindow floor;

    private long firsts;
    private long retries;

    private WindowAllowance(LongSupplier nanoTime, RetryRule rule, TrafficWindow share, TrafficWindow floor) {
        this.nanoTime = nanoTime;
        this.rule = rule;
        this.share = share;
        this.floor = floor;
    }

    /**
     * The Gateway API's budget. Because time is counted in slots, first attempts may be forgotten a slot too early and
     * retries a slot too late, never the other way around.
     */
    static WindowAllowance of(BudgetSettings.GatewayApi settings, LongSupplier nanoTime) {
        long now = nanoTime.getAsLong();
        return new WindowAllowance(
                nanoTime,
                RetryRule.of(settings),
                new TrafficWindow(settings.interval(), FINE, FINE + 1, now),
                new TrafficWindow(settings.minRetryRate().interval(), FINE, FINE + 1, now));
    }

    /**
     * Linkerd's budget: ten slots of {@code ttl / 10}, including the current one. First attempts and retries expire
     * together, so the reserve may be spent at once, and again after another {@code ttl}.
     */
    static WindowAllowance of(BudgetSettings.Linkerd settings, LongSupplier nanoTime) {
        long now = nanoTime.getAsLong();
        TrafficWindow window = new TrafficWindow(settings.ttl(), LINKERDS, LINKERDS, now);
        return new WindowAllowance(nanoTime, RetryRule.of(settings), window, window);
    }

    @Override
    public void deposit(long now) {
        keepUp(now);
        firsts++;
    }

    @Override
    public boolean tryWithdraw(long now) {
        keepUp(now);
        if (!rule.allows(retries + 1, firsts, share, floor)) {
            return false;
        }
        retries++;
        return true;
    }

    @Override
    public OptionalLong balance(long now) {
        keepUp(now);
        return rule.balance(retries, firsts, share, floor);
    }

    /**
     * Reads the clock again if the time lies before the current slots, and moves back only if the clock itself went
     * back.
     */
    private void keepUp(long read) {
        long now = share.isBehind(read) || floor.isBehind(read) ? nanoTime.getAsLong() : read;
        share.moveTo(now, firsts, retries);
        if (floor != share) {
            floor.moveTo(now, firsts, retries);
        }
    }

    /** Starts with the contents of another allowance, keeping their age. Call this before any other use. */
    void inherit(WindowAllowance other) {
        other.keepUp(nanoTime.getAsLong());
        TrafficWindow source = other.floor.lengthNanos() > other.share.lengthNanos() ? other.floor : other.share;
        share.inherit(source, other.firsts);
        if (floor != share) {
            floor.inherit(source, other.firsts);
        }
        firsts = other.firsts - source.firstsBefore();
        retries = other.retries - source.retriesBefore();
    }
}

package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A budget that counts over trailing windows of time.
 *
 * <p>The clock may jump. Forward: what was counted grows old. Back, but not before the present slot of time: time
 * stands still until it is caught up. Back further: retries start to age again, first attempts are forgotten. It never
 * admits more.
 */
final class WindowAllowance implements Allowance {

    /** Of the Gateway API's windows: so many make what is counted exact to a five-hundredth of the interval. */
    private static final int FINE = 500;

    /** Of Linkerd's window. */
    private static final int LINKERDS = 10;

    private final LongSupplier nanoTime;
    private final RetryRule rule;

    /** The window that the share is taken of. */
    private final TrafficWindow share;

    /** The window of the floor; the same one where the floor has none of its own. */
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
     * The Gateway API's. Time is counted in slots: first attempts may be forgotten, and retries remembered, a slot too
     * long, never the other way.
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
     * Linkerd's: ten slots of {@code ttl / 10}, the present one among them. First attempts and retries grow old
     * together, so the reserve may be spent at once, and again a {@code ttl} later.
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

    /** A time before the present slots is read again: it counts only if the clock itself went back. */
    private void keepUp(long read) {
        long now = share.isBehind(read) || floor.isBehind(read) ? nanoTime.getAsLong() : read;
        share.moveTo(now, firsts, retries);
        if (floor != share) {
            floor.moveTo(now, firsts, retries);
        }
    }

    /** Starts with what another one has seen, each at its age. To be called before any other use. */
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

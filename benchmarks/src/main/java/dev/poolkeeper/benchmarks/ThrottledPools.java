package dev.poolkeeper.benchmarks;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import dev.poolkeeper.azure.http.RemainingQuota;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Ten writes per minute: a token bucket like ARM's, and the gate that its 429 closes, like that of the Azure adapter.
 * For one thread.
 */
final class ThrottledPools implements BackendPools {

    private static final int CAPACITY = 10;
    private static final double PER_SECOND = 10 / 60.0;
    private static final HttpHeaderName REMAINING =
            HttpHeaderName.fromString("x-ms-ratelimit-remaining-subscription-writes");

    private final BackendPools pools;
    private final InstantSource clock;
    private final RemainingQuota quota;
    private double tokens = CAPACITY;
    private Instant filledAt;
    private Instant shutUntil = Instant.MIN;

    /** @param quota receives the remaining quota, as from the headers of ARM's responses */
    ThrottledPools(BackendPools pools, InstantSource clock, RemainingQuota quota) {
        this.pools = pools;
        this.clock = clock;
        this.quota = quota;
        this.filledAt = clock.instant();
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        return isShut() ? Reply.failed(Failure.Throttled.atGate(shutUntil)) : pools.read(pool, context);
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        if (isShut()) {
            return Reply.failed(Failure.Throttled.atGate(shutUntil));
        }
        fill();
        if (tokens < 1) {
            long seconds = (long) Math.ceil((1 - tokens) / PER_SECOND);
            shutUntil = clock.instant().plusSeconds(seconds);
            return Reply.failed(Failure.Throttled.byArm(shutUntil, ArmError.of(429, "TooManyRequests")));
        }
        tokens--;
        quota.answered(new HttpHeaders().set(REMAINING, Integer.toString((int) tokens)));
        return pools.write(read, addresses, context);
    }

    private boolean isShut() {
        return clock.instant().isBefore(shutUntil);
    }

    /** How many writes begin within so many nanoseconds at most. */
    static long mostWithin(long nanos) {
        return CAPACITY + (long) (nanos * PER_SECOND / 1e9);
    }

    private void fill() {
        Instant now = clock.instant();
        double seconds = Duration.between(filledAt, now).toMillis() / 1e3;
        tokens = Math.min(CAPACITY, tokens + seconds * PER_SECOND);
        filledAt = now;
    }
}

package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A cause of each kind. */
public final class HoldCauses {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final ServiceName WEB = new ServiceName("shop", "web");

    private HoldCauses() {}

    /** Those that end by themselves do so at the epoch. */
    public static HoldCause of(HoldCause.By by) {
        return switch (by) {
            case PAUSE -> new HoldCause.Paused();
            case SERVICE_PAUSE -> new HoldCause.ServicePaused(WEB);
            case FORBIDDEN -> new HoldCause.Forbidden(POOL, Failure.Other.terminal("denied"), Instant.EPOCH);
            case DRIFT -> new HoldCause.ChangedBack(3, Instant.EPOCH);
            case SHARED_POOL -> new HoldCause.OthersMissing();
            case SAFETY_BRAKE -> braked(Instant.EPOCH);
            case REMOVAL_WAVE -> new HoldCause.Wave(Optional.empty());
            case RETRY_BUDGET -> new HoldCause.OverBudget();
            case AMBIGUOUS ->
                new HoldCause.Ambiguous(new AmbiguousPool(
                        WEB, POOL.pool(), List.of(POOL, PoolKey.of("lb-2", "shop-web")), Optional.empty()));
        };
    }

    /** @param end when the removal is let through */
    public static HoldCause braked(Instant end) {
        return new HoldCause.Braked("removal-1", new Loss.Everything(60, 100), Duration.ofMinutes(10), end);
    }
}

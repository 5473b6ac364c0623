package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The brake as {@link BrakeWorld} uses it: a pool changes if and only if its size or its plans do. Subclasses plant a
 * fault each.
 */
class BrakeSubject {

    static final BrakeSettings SETTINGS =
            new BrakeSettings(BrakeModel.PERCENT, BrakeModel.MIN_ADDRESSES, BrakeModel.HOLD, BrakeModel.WINDOW);

    /** @param isWanted whether the pool's Service wants any address */
    record Size(String namespace, int addresses, boolean isWanted) {}

    @FunctionalInterface
    interface Maker {
        BrakeSubject make(Supplier<Map<PoolKey, Size>> sizes, InstantSource clock);
    }

    private final Supplier<Map<PoolKey, Size>> sizes;
    private final InstantSource clock;
    private final Pools pools = TestPools.none();
    private final Map<PoolKey, Size> lastSizes = new HashMap<>();
    private final Map<PoolKey, Prospect> prospects = new HashMap<>();
    private final SafetyBrake brake;

    BrakeSubject(Supplier<Map<PoolKey, Size>> sizes, InstantSource clock) {
        this(SETTINGS, sizes, clock);
    }

    BrakeSubject(BrakeSettings settings, Supplier<Map<PoolKey, Size>> sizes, InstantSource clock) {
        this.sizes = sizes;
        this.clock = clock;
        this.brake = new SafetyBrake(settings, Duration.ZERO, pools, this::prospect, clock);
    }

    private Prospect prospect(Pool pool, boolean isRemembered) {
        return prospects.getOrDefault(pool.key(), Prospect.NONE);
    }

    void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
        resize();
        for (PoolKey pool : lastSizes.keySet()) {
            Prospect now = new Prospect(of(pool, plans), of(pool, release));
            if (!now.equals(prospects.put(pool, now))) {
                pools.change(pool, it -> it);
            }
        }
        brake.tickBegins();
    }

    private static List<Plan> of(PoolKey pool, Collection<Plan> plans) {
        return plans.stream().filter(plan -> plan.pool().equals(pool)).toList();
    }

    private void resize() {
        sizes.get().forEach((pool, size) -> {
            if (!size.equals(lastSizes.put(pool, size))) {
                pools.wants(new Want(
                        new ServiceName(size.namespace(), pool.pool().toString()),
                        pool,
                        addresses(size.isWanted() ? 1 : 0),
                        true,
                        true,
                        true,
                        false));
                pools.read(new BackendPool(pool, addresses(size.addresses()), "etag", null), clock.instant());
            }
        });
    }

    private static AddressSet addresses(int count) {
        return AddressSet.of(
                IntStream.rangeClosed(1, count).mapToObj(i -> "10.0.1." + i).toArray(String[]::new));
    }

    Verdict judge(Plan plan) {
        resize();
        return brake.judge(plan);
    }

    void wasRead(Plan plan) {
        brake.wasRead(plan);
    }

    void writeBegins(Plan plan) {
        brake.writeBegins(plan);
    }

    void writeEnded(PoolKey pool) {
        brake.writeEnded(pool);
    }

    void wasWritten(Plan plan) {
        brake.wasWritten(plan);
    }

    void agree(Set<String> ids) {
        brake.agree(ids);
    }

    List<BrakedRemoval> braked() {
        return brake.braked();
    }
}

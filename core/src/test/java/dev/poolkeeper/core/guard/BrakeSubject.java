package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.HoldCause;
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

/**
 * The brake as {@link BrakeWorld} uses it: a pool changes if and only if what is seen of it or its plans do. Subclasses
 * plant a fault each.
 */
class BrakeSubject {

    static final BrakeSettings SETTINGS =
            new BrakeSettings(BrakeModel.PERCENT, BrakeModel.MIN_ADDRESSES, BrakeModel.HOLD, BrakeModel.WINDOW);

    /**
     * A pool.
     *
     * @param wanted by the Service of each namespace
     */
    record Seen(Map<String, AddressSet> wanted, AddressSet held) {}

    @FunctionalInterface
    interface Maker {
        BrakeSubject make(Supplier<Map<PoolKey, Seen>> seen, InstantSource clock);
    }

    private final Supplier<Map<PoolKey, Seen>> seen;
    private final InstantSource clock;
    private final Pools pools = TestPools.none();
    private final Map<PoolKey, Seen> last = new HashMap<>();
    private Collection<Plan> plans = List.of();
    private Collection<Plan> released = List.of();
    private final SafetyBrake brake;

    BrakeSubject(Supplier<Map<PoolKey, Seen>> seen, InstantSource clock) {
        this(SETTINGS, seen, clock);
    }

    BrakeSubject(BrakeSettings settings, Supplier<Map<PoolKey, Seen>> seen, InstantSource clock) {
        this.seen = seen;
        this.clock = clock;
        this.brake =
                new SafetyBrake(settings, Duration.ZERO, pools, this::plans, new Guards(List.of(this::release)), clock);
    }

    private List<Plan> plans(Pool pool) {
        return plans.stream().filter(plan -> plan.pool().equals(pool.key())).toList();
    }

    private Verdict release(Plan plan) {
        return released.contains(plan) ? Verdict.GO : new Verdict.Hold(new HoldCause.Paused());
    }

    void tickBegins(Collection<Plan> all, Collection<Plan> release) {
        look();
        if (!all.equals(plans) || !release.equals(released)) {
            plans = all;
            released = release;
            brake.lookAgain();
        }
        brake.tickBegins();
    }

    private void look() {
        seen.get().forEach((pool, now) -> {
            if (!now.equals(last.put(pool, now))) {
                now.wanted()
                        .forEach((namespace, wanted) -> pools.wants(new Want(
                                new ServiceName(namespace, pool.pool().toString()),
                                pool,
                                wanted,
                                true,
                                true,
                                true,
                                false)));
                pools.read(new BackendPool(pool, now.held(), "etag", null), clock.instant());
            }
        });
    }

    Verdict judge(Plan plan) {
        look();
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

    void standBy() {
        brake.standBy();
    }

    void agree(Set<String> ids) {
        brake.agree(ids);
    }

    List<BrakedRemoval> braked() {
        return brake.braked();
    }
}

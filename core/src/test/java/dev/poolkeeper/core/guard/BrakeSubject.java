package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The brake as {@link BrakeWorld} uses it. Subclasses plant a fault each. */
class BrakeSubject {

    static final BrakeSettings SETTINGS =
            new BrakeSettings(BrakeModel.PERCENT, BrakeModel.MIN_ADDRESSES, BrakeModel.HOLD, BrakeModel.WINDOW);

    @FunctionalInterface
    interface Maker {
        BrakeSubject make(Supplier<LocalPoolSizes> sizes, InstantSource clock);
    }

    private final SafetyBrake brake;

    BrakeSubject(Supplier<LocalPoolSizes> sizes, InstantSource clock) {
        this(SETTINGS, sizes, clock);
    }

    BrakeSubject(BrakeSettings settings, Supplier<LocalPoolSizes> sizes, InstantSource clock) {
        this.brake =
                new SafetyBrake(settings, Duration.ZERO, sizes, new HoldNotices(event -> {}, TestPools.none()), clock);
    }

    void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
        brake.tickBegins(plans, release);
    }

    Verdict judge(Plan plan) {
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

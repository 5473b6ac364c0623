package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.PoolKey;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Holds all updates while all writes are paused, and the update of a pool if all Services that it is for are paused:
 * one's pause holds its own changes only. An update that was read before the pause began is not written during it.
 * Thread-safe.
 */
public final class Pauses implements Guard {

    private final BooleanSupplier allPaused;
    private final Function<PoolKey, Wants> wants;

    /**
     * The arguments must be thread-safe and quick.
     *
     * @param wants what the Services of a pool want in it
     */
    public Pauses(BooleanSupplier allPaused, Function<PoolKey, Wants> wants) {
        this.allPaused = allPaused;
        this.wants = wants;
    }

    @Override
    public Verdict judge(Plan plan) {
        if (allPaused.getAsBoolean()) {
            return new Verdict.Hold(new HoldCause.Paused());
        }
        Wants all = wants.apply(plan.pool());
        return !plan.services().isEmpty() && plan.services().stream().allMatch(all::isPaused)
                ? new Verdict.Hold(new HoldCause.ServicePaused(plan.services().get(0)))
                : Verdict.GO;
    }
}

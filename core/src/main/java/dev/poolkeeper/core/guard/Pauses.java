package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Holds all updates while all writes are paused, and the update of a pool if all Services that it is for are paused:
 * one's pause holds its own changes only. An update that was read before the pause began is not written during it.
 * Thread-safe.
 */
public final class Pauses implements Guard {

    /** The reason given while all writes are paused. */
    public static final HoldCause ALL_PAUSED = new HoldCause(
            HoldCause.By.PAUSE,
            Optional.empty(),
            "All writes are paused by the configuration.",
            "Set paused to false to resume.");

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
            return new Verdict.Hold(ALL_PAUSED);
        }
        Wants all = wants.apply(plan.pool());
        return !plan.services().isEmpty() && plan.services().stream().allMatch(all::isPaused)
                ? new Verdict.Hold(of(plan.services().get(0)))
                : Verdict.GO;
    }

    /** The reason given while this Service is paused. */
    public static HoldCause of(ServiceName service) {
        return new HoldCause(
                HoldCause.By.SERVICE_PAUSE,
                Optional.empty(),
                "Service %s is paused by its annotation.".formatted(service),
                "Remove the annotation poolkeeper.dev/paused to resume.");
    }
}

package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.tick.UpdateGuard;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.ServiceName;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Holds everything back while all is paused, and a pool's updates while one of the Services that they are of is. An
 * update that was read before the pause is not written after it. Thread-safe.
 */
public final class Pauses implements UpdateGuard {

    private final BooleanSupplier allPaused;
    private final Predicate<ServiceName> isPaused;

    /** The arguments are thread-safe and quick. */
    public Pauses(BooleanSupplier allPaused, Predicate<ServiceName> isPaused) {
        this.allPaused = allPaused;
        this.isPaused = isPaused;
    }

    @Override
    public boolean admits(OperationGroup group) {
        return !allPaused.getAsBoolean()
                && group.operations().stream()
                        .noneMatch(
                                operation -> isPaused.test(operation.operation().service()));
    }

    @Override
    public AddressSet restrain(OperationGroup group, BackendPool read, AddressSet folded) {
        return admits(group) ? folded : read.addresses();
    }
}

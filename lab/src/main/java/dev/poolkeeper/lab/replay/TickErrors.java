package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.engine.TickObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the first internal error of a tick, which ends the replay. For one thread. */
public final class TickErrors implements TickObserver {

    private @Nullable Throwable first;

    @Override
    public CompletableFuture<Void> observe(Supplier<CompletableFuture<Void>> tick) {
        return tick.get().whenComplete((done, error) -> first = first == null ? error : first);
    }

    /** @throws IllegalStateException if a tick failed */
    void rethrow() {
        if (first != null) {
            throw new IllegalStateException("an update failed with an unexpected error", first);
        }
    }
}

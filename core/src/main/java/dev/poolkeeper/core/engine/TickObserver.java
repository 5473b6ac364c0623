package dev.poolkeeper.core.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Observes each tick: when it begins, when every load balancer that it started is free again, and internal errors. In
 * the thread that calls {@link Engine#step}, each update is observed on its own.
 */
@FunctionalInterface
public interface TickObserver {

    /** Logs errors. */
    TickObserver LOG = tick -> tick.get().whenComplete((done, error) -> {
        if (error != null) {
            LoggerFactory.getLogger(TickObserver.class)
                    .atError()
                    .setCause(error)
                    .log("A tick failed");
        }
    });

    /**
     * Starts a tick.
     *
     * @param tick starts it in this thread; throws nothing. What it returns completes when every load balancer that the
     *     tick started is free again, exceptionally after an internal error
     * @return what the tick returned
     */
    CompletableFuture<Void> observe(Supplier<CompletableFuture<Void>> tick);
}

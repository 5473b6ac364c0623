package dev.poolkeeper.core.engine;

import java.util.concurrent.CompletableFuture;

/** Ticks of an engine. */
final class Ticks {

    private Ticks() {}

    /**
     * Ends an interval, and makes the updates that are due then, although an engine without an executor makes one a
     * call.
     *
     * @return completes when every load balancer is free; exceptionally after an internal error
     */
    static CompletableFuture<Void> of(Engine engine) {
        CompletableFuture<Void> all = engine.tick(true);
        while (!all.isCompletedExceptionally() && isMoreDue(engine)) {
            all = CompletableFuture.allOf(all, engine.tick(false));
        }
        return all;
    }

    private static boolean isMoreDue(Engine engine) {
        return engine.nextStart()
                .filter(at -> !at.isAfter(engine.status().at()))
                .isPresent();
    }
}

package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees each group's turn: from the read of its pool until {@link OperationMetrics#turnEnded}, all on one thread. Where
 * nobody tells of the end, the next group's read or the end of the lane is it. Each turn is a span, below that of the
 * tick.
 *
 * <p>Stands between the updater and the real {@link BackendPools}, and around the lanes' executor. Thread-safe.
 */
public final class ObservedGroups implements BackendPools {

    private static final class Turn {
        final PoolKey pool;
        final long began;
        final Span span;
        String outcome = "unchanged";

        Turn(PoolKey pool, long began, Span span) {
            this.pool = pool;
            this.began = began;
            this.span = span;
        }
    }

    private final BackendPools pools;
    private final Tracer tracer;
    private final LongSupplier nanoTime;
    private final ThreadLocal<@Nullable Turn> turn = new ThreadLocal<>();

    /**
     * @param pools the real ones
     * @param nanoTime by what durations are measured
     */
    public ObservedGroups(BackendPools pools, Tracer tracer, LongSupplier nanoTime) {
        this.pools = pools;
        this.tracer = tracer;
        this.nanoTime = nanoTime;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool) {
        endTurn();
        Span span = tracer.spanBuilder("update pool")
                .setAttribute("poolkeeper.load_balancer", pool.loadBalancer().toString())
                .setAttribute("poolkeeper.pool", pool.pool().toString())
                .startSpan();
        turn.set(new Turn(pool, nanoTime.getAsLong(), span));
        try (Scope scope = span.makeCurrent()) {
            return seen(pools.read(pool), "unchanged");
        }
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
        Turn current = turn.get();
        if (current == null || !current.pool.equals(read.key())) {
            return pools.write(read, addresses);
        }
        current.span.setAttribute("poolkeeper.addresses.read", read.addresses().size());
        current.span.setAttribute("poolkeeper.addresses.wanted", addresses.size());
        try (Scope scope = current.span.makeCurrent()) {
            return seen(pools.write(read, addresses), "updated");
        }
    }

    private Reply<BackendPool> seen(Reply<BackendPool> reply, String outcome) {
        Turn current = turn.get();
        if (current == null) {
            return reply;
        }
        if (reply instanceof Reply.Failed<BackendPool>(Failure failure)) {
            current.outcome = "dropped"; // unless somebody says that it was retried or given up
            current.span.setStatus(StatusCode.ERROR, failure.describe());
            current.span.setAttribute("error.type", Cause.of(failure));
        } else {
            current.outcome = outcome;
        }
        return reply;
    }

    /** How the turn of this pool, if it is this thread's, ended. */
    void ended(PoolKey pool, String outcome) {
        Turn current = turn.get();
        if (current != null && current.pool.equals(pool)) {
            current.outcome = outcome;
        }
    }

    /** For how long this pool's turn has gone on; empty if it is not this thread's. */
    OptionalLong nanosSoFar(PoolKey pool) {
        Turn current = turn.get();
        return current != null && current.pool.equals(pool)
                ? OptionalLong.of(nanoTime.getAsLong() - current.began)
                : OptionalLong.empty();
    }

    /** An executor whose tasks see the tick's span, and leave no turn open. */
    public Executor lanes(Executor executor) {
        return task -> executor.execute(Context.current().wrap(() -> {
            try {
                task.run();
            } finally {
                endTurn();
            }
        }));
    }

    /** This thread's turn, if there is one, is over. */
    void endTurn() {
        Turn last = turn.get();
        if (last != null) {
            turn.remove();
            last.span.setAttribute("poolkeeper.outcome", last.outcome);
            last.span.end();
        }
    }
}

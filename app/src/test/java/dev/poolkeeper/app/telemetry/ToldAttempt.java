package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** ToldAttempt to update a pool, as the engine tells of them. */
final class ToldAttempt {

    private static final List<ServiceName> SERVICES = List.of(new ServiceName("shop", "web"));
    private static final List<Fact.Tried> TRIED = List.of(new Fact.Tried(SERVICES.get(0), 1, Optional.empty()));

    private final OperationMetrics metrics;
    final Fact.Attempt attempt;

    private ToldAttempt(OperationMetrics metrics, PoolKey pool) {
        this.metrics = metrics;
        this.attempt = new Fact.Attempt(pool, metrics.trace(pool));
    }

    static ToldAttempt begin(OperationMetrics metrics, PoolKey pool) {
        ToldAttempt begun = new ToldAttempt(metrics, pool);
        metrics.accept(new Fact.Began(begun.attempt, Instant.EPOCH, false));
        return begun;
    }

    void callFailed(Failure failure) {
        metrics.accept(new Fact.ReadEnded(attempt, Instant.EPOCH, Reply.failed(failure)));
    }

    void writes(AddressSet held, AddressSet planned) {
        metrics.accept(new Fact.Writes(attempt, Instant.EPOCH, new Plan(attempt.pool(), SERVICES, held, planned)));
    }

    void succeeded() {
        metrics.accept(new Fact.Updated(attempt, SERVICES, Optional.empty()));
    }

    void failed(Failure failure) {
        metrics.accept(new Fact.GaveUp(attempt, failure, TRIED, 4, false));
    }

    void retried(Failure cause) {
        metrics.accept(new Fact.Retrying(attempt, cause, TRIED, 4));
    }

    void end() {
        metrics.accept(new Fact.Ended(attempt));
    }
}

package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Counts the outcomes of updates under the names and labels of the Go implementation, and outcomes that it does not
 * count under our own names; creates a span for each update, as a child of its tick's. Thread-safe; never blocks.
 * Source: design document, <em>Metrics</em>.
 */
public final class OperationMetrics implements Consumer<Fact> {

    private final Tracer tracer;
    private final LongSupplier nanoTime;
    private final Attributes upstreamLabels;
    private final DoubleHistogram durations;
    private final DoubleHistogram changes;
    private final LongCounter failures;
    private final LongCounter retries;
    private final LongCounter retriesRefused;

    /** The attempts in progress; two of one pool only if one belongs to an ended term. */
    private final Map<Fact.Attempt, Running> running = new ConcurrentHashMap<>();

    private final class Running {
        final PoolKey pool;
        final Context context;
        final Span span;
        final long began = nanoTime.getAsLong();
        String outcome = "unchanged";

        Running(Fact.Attempt attempt) {
            pool = attempt.pool();
            context = attempt.trace() instanceof Context traced ? traced : Context.current();
            span = Span.fromContext(context);
        }
    }

    /**
     * @param nanoTime measures durations
     * @param subscription the subscription's id
     * @param resourceGroup that of the load balancers; written in lower case
     */
    public OperationMetrics(
            Meter meter, Tracer tracer, LongSupplier nanoTime, String subscription, String resourceGroup) {
        this.tracer = tracer;
        this.nanoTime = nanoTime;
        this.upstreamLabels = labels(
                Metric.OPERATION_DURATION,
                "services_local_update_backend_pool",
                resourceGroup.toLowerCase(Locale.ROOT),
                subscription,
                "local_service_backend_pool_updater");
        Instruments instruments = new Instruments(meter);
        this.durations = instruments.histogram(Metric.OPERATION_DURATION, Instruments.OPERATION_BUCKETS);
        this.changes = instruments.histogram(Metric.CHANGE_TO_WRITTEN, Instruments.CHANGE_BUCKETS);
        this.failures = instruments.counter(Metric.OPERATION_FAILURES);
        this.retries = instruments.counter(Metric.RETRIES);
        this.retriesRefused = instruments.counter(Metric.RETRIES_REFUSED);
        failures.add(0, upstreamLabels); // rate() counts the first failure only if the series already had a 0
        retriesRefused.add(0, labels(Metric.RETRIES_REFUSED, "tick"));
    }

    /** The {@link CallContext#trace} of an attempt to update this pool: the context of a new span. */
    public Context trace(PoolKey pool) {
        Span span = tracer.spanBuilder("update pool")
                .setAttribute(
                        "poolkeeper.load_balancer",
                        ForeignText.line(pool.loadBalancer().toString()))
                .setAttribute("poolkeeper.pool", ForeignText.line(pool.pool().toString()))
                .startSpan();
        return Context.current().with(span);
    }

    @Override
    public void accept(Fact fact) {
        switch (fact) {
            case Fact.Began began -> running.put(began.attempt(), new Running(began.attempt()));
            case Fact.OfAttempt of -> accept(of, Objects.requireNonNull(running.get(of.attempt())));
            case Fact.RetryRefused refused -> retriesRefused.add(1, labels(Metric.RETRIES_REFUSED, "tick"));
            case Fact.ChangeWritten(PoolKey pool, Duration took) ->
                changes.record(took.toNanos() / 1e9, Attributes.empty(), contextOf(pool));
            default -> {}
        }
    }

    private void accept(Fact.OfAttempt fact, Running update) {
        switch (fact) {
            case Fact.Writes writes -> {
                update.outcome = "updated";
                update.span.setAttribute(
                        "poolkeeper.addresses.read", writes.plan().held().size());
                update.span.setAttribute(
                        "poolkeeper.addresses.wanted", writes.plan().planned().size());
            }
            case Fact.CallEnded call -> {
                if (call.reply() instanceof Reply.Failed<BackendPool>(Failure failure)) {
                    callFailed(update, failure);
                }
            }
            case Fact.Updated updated -> recordDuration(update);
            case Fact.GaveUp gaveUp -> {
                failures.add(1, upstreamLabels);
                recordDuration(update);
                update.outcome = "failed";
            }
            case Fact.Retrying retrying -> {
                retries.add(1, labels(Metric.RETRIES, Cause.of(retrying.failure())));
                update.outcome = "retried";
            }
            case Fact.Ended(Fact.Attempt attempt) -> {
                update.span.setAttribute("poolkeeper.outcome", update.outcome);
                update.span.end();
                running.remove(attempt);
            }
            default -> {}
        }
    }

    private static void callFailed(Running update, Failure failure) {
        if (failure instanceof Failure.Cancelled cancelled && cancelled.fenced()) {
            return; // without the lock there is no attempt to count
        }
        update.outcome = "dropped"; // unless it is retried or failed for good
        update.span.setStatus(StatusCode.ERROR, ForeignText.line(failure.describe()));
        update.span.setAttribute("error.type", Cause.of(failure));
    }

    /** Exemplars of measurements refer to the span of the update in progress, or to none. */
    private Context contextOf(PoolKey pool) {
        return running.values().stream()
                .filter(update -> update.pool.equals(pool))
                .findFirst()
                .map(update -> update.context)
                .orElseGet(Context::root);
    }

    private void recordDuration(Running update) {
        durations.record((nanoTime.getAsLong() - update.began) / 1e9, upstreamLabels, update.context);
    }
}

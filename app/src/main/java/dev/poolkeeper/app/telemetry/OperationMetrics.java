package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.UpdaterMetrics;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Counts the outcomes of updates under the names and labels of the Go implementation, and outcomes that it does not
 * count under our own names; creates a span for each update, as a child of its tick's. Thread-safe; never blocks.
 * Source: design document, <em>Metrics</em>.
 */
public final class OperationMetrics implements UpdaterMetrics {

    private final Tracer tracer;
    private final LongSupplier nanoTime;
    private final Attributes upstreamLabels;
    private final DoubleHistogram durations;
    private final DoubleHistogram changes;
    private final LongCounter failures;
    private final LongCounter retries;
    private final LongCounter retriesRefused;

    /** The spans of the updates in progress: exemplars of measurements refer to them. */
    private final Map<PoolKey, Span> running = new ConcurrentHashMap<>();

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

    @Override
    public Update started(PoolKey pool) {
        Span span = tracer.spanBuilder("update pool")
                .setAttribute(
                        "poolkeeper.load_balancer",
                        ForeignText.line(pool.loadBalancer().toString()))
                .setAttribute("poolkeeper.pool", ForeignText.line(pool.pool().toString()))
                .startSpan();
        running.put(pool, span);
        return new ObservedUpdate(pool, span, nanoTime.getAsLong());
    }

    @Override
    public void retryRefused(PoolKey pool) {
        retriesRefused.add(1, labels(Metric.RETRIES_REFUSED, "tick"));
    }

    @Override
    public void changeWritten(PoolKey pool, Duration took) {
        Context context = Context.current().with(running.getOrDefault(pool, Span.getInvalid()));
        changes.record(took.toNanos() / 1e9, Attributes.empty(), context);
    }

    /** One update, from its read to its outcome. */
    private final class ObservedUpdate implements Update {

        private final PoolKey pool;
        private final Span span;
        private final long began;
        private String outcome = "unchanged";

        ObservedUpdate(PoolKey pool, Span span, long began) {
            this.pool = pool;
            this.span = span;
            this.began = began;
        }

        /** The parent context of the spans of its calls. */
        @Override
        public Context trace() {
            return Context.current().with(span);
        }

        @Override
        public void writing(AddressSet held, AddressSet planned) {
            outcome = "updated";
            span.setAttribute("poolkeeper.addresses.read", held.size());
            span.setAttribute("poolkeeper.addresses.wanted", planned.size());
        }

        @Override
        public void callFailed(Failure failure) {
            outcome = "dropped"; // unless it is retried or failed for good
            span.setStatus(StatusCode.ERROR, ForeignText.line(failure.describe()));
            span.setAttribute("error.type", Cause.of(failure));
        }

        @Override
        public void succeeded() {
            recordDuration();
        }

        @Override
        public void failed() {
            failures.add(1, upstreamLabels);
            recordDuration();
            outcome = "failed";
        }

        @Override
        public void retried(Failure cause) {
            retries.add(1, labels(Metric.RETRIES, Cause.of(cause)));
            outcome = "retried";
        }

        @Override
        public void ended() {
            span.setAttribute("poolkeeper.outcome", outcome);
            span.end();
            running.remove(pool, span);
        }

        private void recordDuration() {
            durations.record((nanoTime.getAsLong() - began) / 1e9, upstreamLabels, trace());
        }
    }
}

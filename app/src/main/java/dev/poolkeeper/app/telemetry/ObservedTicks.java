package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.core.engine.TickObserver;
import dev.poolkeeper.ports.ForeignText;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Observes each tick: span, duration, and the time of the last one without an internal error. Thread-safe. */
public final class ObservedTicks implements TickObserver {

    private final Tracer tracer;
    private final DoubleHistogram durations;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private volatile @Nullable Instant lastSuccess;

    /**
     * @param clock tells when a tick ended
     * @param nanoTime measures durations
     */
    public ObservedTicks(Meter meter, Tracer tracer, InstantSource clock, LongSupplier nanoTime) {
        this.tracer = tracer;
        this.durations = new Instruments(meter).histogram(Metric.TICK_DURATION, Instruments.OPERATION_BUCKETS);
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * Starts a tick inside its span. Lanes that it starts see that span if their executor propagates the submitting
     * thread's context to their tasks.
     */
    @Override
    public CompletableFuture<Void> observe(Supplier<CompletableFuture<Void>> tick) {
        long began = nanoTime.getAsLong();
        Span span = tracer.spanBuilder("tick").setNoParent().startSpan();
        try (Scope scope = span.makeCurrent()) {
            return tick.get().whenComplete((nothing, error) -> ended(span, began, error));
        }
    }

    private void ended(Span span, long began, @Nullable Throwable error) {
        if (error == null) {
            lastSuccess = clock.instant();
        } else {
            span.setStatus(StatusCode.ERROR, ForeignText.line(error.toString()));
        }
        span.end();
        durations.record(
                (nanoTime.getAsLong() - began) / 1e9, labels(Metric.TICK_DURATION, error == null ? "ok" : "failed"));
    }

    /** When a tick last ended without an internal error; failures of ARM do not count as one. */
    public Optional<Instant> lastSuccess() {
        return Optional.ofNullable(lastSuccess);
    }
}

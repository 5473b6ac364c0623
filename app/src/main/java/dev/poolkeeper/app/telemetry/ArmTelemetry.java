package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Reason;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.Locale;
import java.util.Map;

/** Counts the requests to ARM and their retries, and creates a span for each. Thread-safe; never blocks. */
public final class ArmTelemetry implements ArmCallListener {

    private final ArmSpans spans;
    private final DoubleHistogram durations;
    private final LongCounter gateRefusals;
    private final LongCounter retries;
    private final LongCounter retriesRefused;

    /** @param propagator writes the trace headers of requests to ARM */
    public ArmTelemetry(Meter meter, Tracer tracer, TextMapPropagator propagator) {
        this.spans = new ArmSpans(tracer, propagator);
        Instruments instruments = new Instruments(meter);
        this.durations = instruments.histogram(Metric.ARM_REQUEST_DURATION, Instruments.REQUEST_BUCKETS);
        this.gateRefusals = instruments.counter(Metric.ARM_GATE_REFUSALS);
        this.retries = instruments.counter(Metric.CALL_RETRIES);
        this.retriesRefused = instruments.counter(Metric.RETRIES_REFUSED);
        retriesRefused.add(0, labels(Metric.RETRIES_REFUSED, "call"));
    }

    @Override
    public Observation attempting(ArmAttempt attempt) {
        Context parent = attempt.context().trace() instanceof Context update ? update : Context.current();
        ArmSpans.AttemptSpan span = spans.begin(attempt, parent);
        return new Observation() {
            @Override
            public Map<String, String> headers() {
                return span.headers();
            }

            @Override
            public void ended(ArmCall call) {
                span.end(call);
                count(call);
            }
        };
    }

    private void count(ArmCall call) {
        String purpose = lower(call.purpose());
        if (call.outcome() == ArmCall.Outcome.REFUSED_AT_GATE) {
            gateRefusals.add(1, labels(Metric.ARM_GATE_REFUSALS, purpose));
            return;
        }
        durations.record(
                call.duration().toNanos() / 1e9,
                labels(Metric.ARM_REQUEST_DURATION, call.purpose().method(), purpose, status(call)));
        if (call.decision() instanceof Decision.Retry) {
            retries.add(1, labels(Metric.CALL_RETRIES, purpose, status(call)));
        } else if (call.decision() instanceof Decision.GiveUp(Reason reason) && reason == Reason.BUDGET_REFUSED) {
            retriesRefused.add(1, labels(Metric.RETRIES_REFUSED, "call"));
        }
    }

    /** The HTTP status, or the kind of failure if there was no response. */
    static String status(ArmCall call) {
        return call.status() == null ? lower(call.outcome()) : call.status().toString();
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

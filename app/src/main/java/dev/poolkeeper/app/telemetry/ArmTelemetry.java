package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.ForeignText;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Counts the requests to ARM and their retries, and creates a span for each. Thread-safe; never blocks. */
public final class ArmTelemetry implements ArmCallListener {

    private final Tracer tracer;
    private final TextMapPropagator propagator;
    private final DoubleHistogram durations;
    private final LongCounter gateRefusals;
    private final LongCounter retries;
    private final LongCounter retriesRefused;

    /** @param propagator writes the trace headers of requests to ARM */
    public ArmTelemetry(Meter meter, Tracer tracer, TextMapPropagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
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
        Span span = tracer.spanBuilder("ARM " + lower(attempt.purpose()))
                .setParent(parent)
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("http.request.method", attempt.purpose().method())
                .startSpan();
        if (attempt.number() > 1) {
            span.setAttribute("http.request.resend_count", attempt.number() - 1L);
        }
        if (attempt.loadBalancer() != null) {
            span.setAttribute(
                    "poolkeeper.load_balancer",
                    ForeignText.line(attempt.loadBalancer().toString()));
        }
        return new AttemptSpan(span, parent.with(span));
    }

    /** The span of one attempt. */
    private final class AttemptSpan implements Observation {

        private final Span span;
        private final Context context;

        AttemptSpan(Span span, Context context) {
            this.span = span;
            this.context = context;
        }

        /** Empty if the request is not traced. */
        @Override
        public Map<String, String> headers() {
            if (!span.getSpanContext().isSampled()) {
                return Map.of();
            }
            Map<String, String> headers = new HashMap<>();
            propagator.inject(context, headers, (carrier, name, value) -> {
                if (carrier != null) {
                    carrier.put(name, value);
                }
            });
            return headers;
        }

        @Override
        public void ended(ArmCall call) {
            if (call.status() != null) {
                span.setAttribute("http.response.status_code", (long) call.status());
            }
            if (call.correlationId() != null) {
                span.setAttribute("poolkeeper.arm.correlation_id", ForeignText.line(call.correlationId()));
            }
            if (call.status() == null || call.status() >= 400) {
                span.setAttribute("error.type", status(call));
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
            count(call);
        }
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
    private static String status(ArmCall call) {
        return call.status() == null ? lower(call.outcome()) : call.status().toString();
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

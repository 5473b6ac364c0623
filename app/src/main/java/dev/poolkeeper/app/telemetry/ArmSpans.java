package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.ports.ForeignText;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.Map;

/** Creates a span for each attempt at a request to ARM. Thread-safe; never blocks. */
final class ArmSpans {

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    ArmSpans(Tracer tracer, TextMapPropagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    /** Starts the span of an attempt, as a child of its call's. */
    AttemptSpan begin(ArmAttempt attempt, Context parent) {
        Span span = tracer.spanBuilder("ARM " + ArmTelemetry.lower(attempt.purpose()))
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
        return new AttemptSpan(span, parent.with(span), propagator);
    }

    /** The span of one attempt. */
    record AttemptSpan(Span span, Context context, TextMapPropagator propagator) {

        /** The headers that propagate the trace; empty if the request is not traced. */
        Map<String, String> headers() {
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

        void end(ArmCall call) {
            if (call.status() != null) {
                span.setAttribute("http.response.status_code", (long) call.status());
            }
            if (call.correlationId() != null) {
                span.setAttribute("poolkeeper.arm.correlation_id", ForeignText.line(call.correlationId()));
            }
            if (call.status() == null || call.status() >= 400) {
                span.setAttribute("error.type", ArmTelemetry.status(call));
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }
}

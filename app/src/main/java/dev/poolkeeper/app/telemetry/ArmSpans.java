package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.azure.ArmCall;
import dev.poolkeeper.azure.ArmCallListener;
import dev.poolkeeper.ports.ArmName;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each attempt at a request to ARM, below whatever span its thread is in, and the headers that tell ARM
 * of it. Thread-safe; never blocks.
 */
final class ArmSpans implements ArmCallListener {

    private final Tracer tracer;
    private final TextMapPropagator propagator;
    private final ThreadLocal<@Nullable Span> underWay = new ThreadLocal<>();

    ArmSpans(Tracer tracer, TextMapPropagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    @Override
    public void attempting(ArmCall.Purpose purpose, @Nullable ArmName loadBalancer, int attempt) {
        Span span = tracer.spanBuilder("ARM " + ArmTelemetry.lower(purpose))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("http.request.method", purpose.method())
                .startSpan();
        if (attempt > 1) {
            span.setAttribute("http.request.resend_count", attempt - 1L);
        }
        if (loadBalancer != null) {
            span.setAttribute("poolkeeper.load_balancer", loadBalancer.toString());
        }
        underWay.set(span);
    }

    /** The headers of the attempt that this thread is at; none where there is none, or it is not traced. */
    Map<String, String> headers() {
        Span span = underWay.get();
        if (span == null || !span.getSpanContext().isSampled()) {
            return Map.of();
        }
        Map<String, String> headers = new HashMap<>();
        propagator.inject(Context.current().with(span), headers, (carrier, name, value) -> {
            if (carrier != null) {
                carrier.put(name, value);
            }
        });
        return headers;
    }

    @Override
    public void attempted(ArmCall call) {
        Span span = underWay.get();
        if (span == null) { // refused before anything began
            return;
        }
        underWay.remove();
        if (call.status() != null) {
            span.setAttribute("http.response.status_code", (long) call.status());
        }
        if (call.correlationId() != null) {
            span.setAttribute("poolkeeper.arm.correlation_id", call.correlationId());
        }
        if (call.status() == null || call.status() >= 400) {
            span.setAttribute("error.type", ArmTelemetry.status(call));
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}

package dev.poolkeeper.azure.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The trace headers of an observation. Only {@code traceparent} and {@code tracestate} are taken, so that no header of
 * ours is overridden; a tracer that fails costs the trace, not the request.
 */
final class TraceHeaders {

    private static final Set<String> NAMES = Set.of("traceparent", "tracestate");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e][\\x20-\\x7e]{0,8191}");

    private TraceHeaders() {}

    /** By lower-case name. */
    static Map<String, String> of(ArmCallListener.Observation observation) {
        Map<String, String> headers = new HashMap<>();
        try {
            observation.headers().forEach((name, value) -> {
                String folded = name.toLowerCase(Locale.ROOT);
                if (NAMES.contains(folded) && VALUE.matcher(value).matches()) {
                    headers.put(folded, value);
                }
            });
        } catch (RuntimeException e) { // the embedder's
            return Map.of();
        }
        return headers;
    }
}

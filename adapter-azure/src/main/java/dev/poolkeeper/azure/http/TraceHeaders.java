package dev.poolkeeper.azure.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The trace headers of an observation. Uses only {@code traceparent} and {@code tracestate}, so that no other header is
 * overridden; if a tracer fails, the request is sent without trace headers.
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
        } catch (RuntimeException e) { // thrown by the embedder's listener
            return Map.of();
        }
        return headers;
    }
}

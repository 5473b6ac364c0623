package dev.poolkeeper.azure;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The headers that join a request to a trace, as the embedder gives them: {@code traceparent} and {@code tracestate} of
 * <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>. Whatever else it gives is passed over, so
 * nothing of ours is ever overridden; and what goes wrong in it costs the trace, not the request. Thread-safe.
 */
final class TraceHeaders {

    static final TraceHeaders NONE = new TraceHeaders(Map::of);

    private static final Set<String> NAMES = Set.of("traceparent", "tracestate");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e][\\x20-\\x7e]{0,8191}");

    private final Supplier<Map<String, String>> source;

    TraceHeaders(Supplier<Map<String, String>> source) {
        this.source = source;
    }

    /** Those of the calling thread's span, by lower-case name. */
    Map<String, String> ofThisThread() {
        Map<String, String> headers = new HashMap<>();
        try {
            source.get().forEach((name, value) -> {
                String folded = name.toLowerCase(Locale.ROOT);
                if (NAMES.contains(folded) && VALUE.matcher(value).matches()) {
                    headers.put(folded, value);
                }
            });
        } catch (RuntimeException e) { // the embedder's
            return Map.of();
        }
        return Map.copyOf(headers);
    }
}

package dev.poolkeeper.emulators.http;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as a value. Arrays are not copied; neither side may modify them.
 *
 * @param method the HTTP method in upper case
 * @param uri the target; only its path and query are used
 * @param headers by lower-case name, with the first of several values
 * @param body empty if there is none
 */
public record HttpCall(String method, URI uri, Map<String, String> headers, byte[] body) {

    /**
     * The size limit of a body, in bytes. A larger body may be truncated, but not to less than this limit plus one
     * byte.
     */
    public static final int LARGEST_BODY = 16 << 20;

    public HttpCall {
        headers = Map.copyOf(headers);
    }

    /** Creates a call from headers as in HTTP libraries: names in any case, each with its values. */
    public static HttpCall of(String method, URI uri, Map<String, List<String>> headers, byte[] body) {
        Map<String, String> first = new HashMap<>();
        headers.forEach((name, values) -> {
            if (!values.isEmpty()) {
                first.putIfAbsent(name.toLowerCase(Locale.ROOT), values.get(0));
            }
        });
        return new HttpCall(method.toUpperCase(Locale.ROOT), uri, first, body);
    }

    /** A header's first value; null if absent. */
    public @Nullable String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    public boolean isTooLarge() {
        return body.length > LARGEST_BODY;
    }

    /** Omits headers and body, which may contain secrets. */
    @Override
    public String toString() {
        return method + " " + uri.getRawPath();
    }
}

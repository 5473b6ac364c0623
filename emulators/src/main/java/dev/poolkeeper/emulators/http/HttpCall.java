package dev.poolkeeper.emulators.http;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request, as a value. Arrays are not copied: neither side changes them.
 *
 * @param method the HTTP method in upper case
 * @param uri the target; only its path and query count
 * @param headers by lower-case name, of several values the first
 * @param body empty where there is none
 */
public record HttpCall(String method, URI uri, Map<String, String> headers, byte[] body) {

    /**
     * The largest body that a service reads, in bytes. Of a larger one the call may hold the beginning only, as long as
     * that is longer than this.
     */
    public static final int LARGEST_BODY = 16 << 20;

    public HttpCall {
        headers = Map.copyOf(headers);
    }

    /** With headers as HTTP libraries hold them: by names in any case, each with its values. */
    public static HttpCall of(String method, URI uri, Map<String, List<String>> headers, byte[] body) {
        Map<String, String> first = new HashMap<>();
        headers.forEach((name, values) -> {
            if (!values.isEmpty()) {
                first.putIfAbsent(name.toLowerCase(Locale.ROOT), values.get(0));
            }
        });
        return new HttpCall(method.toUpperCase(Locale.ROOT), uri, first, body);
    }

    /** A header's first value; null where there is none. */
    public @Nullable String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    public boolean isTooLarge() {
        return body.length > LARGEST_BODY;
    }

    /** Without headers and body, which may hold secrets. */
    @Override
    public String toString() {
        return method + " " + uri.getRawPath();
    }
}

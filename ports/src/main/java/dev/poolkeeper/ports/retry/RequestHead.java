package dev.poolkeeper.ports.retry;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of an HTTP request that determine its route. Immutable.
 *
 * @param method case-sensitive, such as {@code GET}
 * @param path as sent, percent-encoded, with its leading slash and without the query
 * @param query as sent, without the question mark; empty for none
 * @param headers values by lower-case name; repeated headers are joined with commas
 */
public record RequestHead(String method, String path, String query, Map<String, String> headers) {

    private static final int HEX = 16;

    public RequestHead {
        requireNonNull(method, "method");
        requireNonNull(path, "path");
        requireNonNull(query, "query");
        headers = Map.copyOf(headers);
    }

    /** A request without known headers. */
    public static RequestHead of(String method, String path, String query) {
        return new RequestHead(method, path, query, Map.of());
    }

    /** The decoded value of a query parameter, the first if there are several; its name is case-sensitive. */
    public Optional<String> parameter(String name) {
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                return Optional.of(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return Optional.empty();
    }

    /** Leaves invalid escape sequences as they are. */
    private static String decoded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], HEX) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[i + 2], HEX);
            if (low >= 0) {
                bytes[length++] = (byte) (high * HEX + low);
                i += 2;
            } else {
                bytes[length++] = bytes[i] == '+' ? (byte) ' ' : bytes[i];
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}

package dev.poolkeeper.ports.retry;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The parts of an HTTP request that determine its route. Immutable.
 *
 * @param method case-sensitive, such as {@code GET}
 * @param path as sent, percent-encoded, with its leading slash and without the query
 * @param query as sent, without the question mark; empty for none
 * @param headers values by lower-case name; repeated headers are joined with commas
 */
public record RequestHead(String method, String path, String query, Map<String, String> headers) {

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
}

package dev.poolkeeper.emulators.arm;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to the emulator, logged just before the response is sent. Contains no token, secret or body.
 *
 * @param at when it arrived, on the cloud's clock
 * @param method the HTTP method
 * @param path the URL's path as sent
 * @param loadBalancer its load balancer, in the cloud's spelling if it exists; null for lists, tokens and unknown
 *     paths. For a poll, the load balancer of its operation
 * @param pool its pool, likewise; also null for requests on a load balancer itself
 * @param status the HTTP status; 0 if the connection was dropped
 * @param headers relevant headers, by lower-case name, if present: {@code host}, {@code if-match}, {@code user-agent},
 *     {@code x-ms-client-request-id}, {@code traceparent}, {@code tracestate} from the request; {@code etag},
 *     {@code retry-after}, {@code x-ms-correlation-request-id} from the response
 * @param operation the id of the long-running operation that the request started or polled, null for none
 * @param took how long the emulator took to respond, in real time
 */
public record AnsweredRequest(
        Instant at,
        String method,
        String path,
        @Nullable String loadBalancer,
        @Nullable String pool,
        int status,
        Map<String, String> headers,
        @Nullable String operation,
        Duration took) {

    public AnsweredRequest {
        headers = Map.copyOf(headers);
    }

    /** Whether it is a write to a load balancer or to one of its pools. */
    public boolean isWrite() {
        return method.equals("PUT") || method.equals("PATCH") || method.equals("DELETE");
    }

    /** A header by its name in any case; null if absent. */
    public @Nullable String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }
}

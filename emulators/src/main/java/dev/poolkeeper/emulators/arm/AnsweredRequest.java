package dev.poolkeeper.emulators.arm;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that the emulator answers; it is logged just before the answer is sent. Holds no token, no secret and no
 * body.
 *
 * @param at when it came, on the cloud's clock
 * @param method the HTTP method
 * @param path the URL's path as it was sent
 * @param loadBalancer the load balancer that it is about, in the cloud's spelling where it knows it; null for lists,
 *     tokens and what is unknown. A poll is about the load balancer that its operation works on
 * @param pool the pool that it is about, likewise; null for requests on a load balancer itself too
 * @param status the answer's status; 0 where the connection was dropped instead
 * @param headers those headers of the request and the answer that decide something, by lower-case name, where they were
 *     there: {@code host}, {@code if-match}, {@code user-agent}, {@code x-ms-client-request-id}, {@code traceparent},
 *     {@code tracestate} of the request; {@code etag}, {@code retry-after}, {@code x-ms-correlation-request-id} of the
 *     answer
 * @param operation the id of the long-running operation that the request started or polled, null for none
 * @param took how long the answer took in the emulator, in real time
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

    /** A header by its lower-case name, null where it was not there. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }
}

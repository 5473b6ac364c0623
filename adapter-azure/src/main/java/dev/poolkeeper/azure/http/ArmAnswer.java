package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response from ARM as received.
 *
 * @param status the HTTP status
 * @param headers the headers
 * @param body the body
 */
public record ArmAnswer(int status, HttpHeaders headers, AnswerBody body) {

    /** Headers with ids by which Azure support finds a call, in order of preference. */
    private static final List<String> IDS =
            List.of("x-ms-correlation-request-id", "x-ms-request-id", "x-ms-client-request-id");

    /** A header's value; null if absent. */
    public @Nullable String header(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    /** The id by which Azure support finds the call; null if there is none. */
    public @Nullable String correlationId() {
        return IDS.stream()
                .map(this::header)
                .filter(id -> id != null && !id.isBlank())
                .findFirst()
                .map(Redaction::of)
                .orElse(null);
    }

    /**
     * The body as one JSON object.
     *
     * @throws InvalidAnswerException if it is not a JSON object
     */
    public Map<?, ?> json() throws InvalidAnswerException {
        return body.json();
    }

    /**
     * The body as the resource that was asked for.
     *
     * @throws InvalidAnswerException if it is not a JSON object, or an error instead of a resource
     */
    public Map<?, ?> resource() throws InvalidAnswerException {
        Map<?, ?> resource = json();
        if (resource.isEmpty()) {
            throw InvalidAnswerException.empty("the body is an empty object");
        }
        Optional<ArmErrorBody> error =
                resource.get("name") == null ? ArmErrorBody.insteadOf(resource) : Optional.empty();
        if (error.isPresent()) {
            throw InvalidAnswerException.reporting(error.get());
        }
        return resource;
    }

    /** The error in the body. */
    public ArmErrorBody error() {
        return ArmErrorBody.of(body);
    }

    /** The time in {@code Retry-After}, if it lies in the future. */
    public Optional<Instant> retryAfter(Instant now) {
        return RetryAfter.parse(header("Retry-After"), now) instanceof RetryAfter.At(Instant at) && at.isAfter(now)
                ? Optional.of(at)
                : Optional.empty();
    }
}

package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer of ARM as it came over the wire.
 *
 * @param status the HTTP status
 * @param headers the headers
 * @param body the body
 */
public record ArmAnswer(int status, HttpHeaders headers, AnswerBody body) {

    /** Ids by which Azure's support finds a call, the best one first. */
    private static final List<String> IDS =
            List.of("x-ms-correlation-request-id", "x-ms-request-id", "x-ms-client-request-id");

    /** A header's value; null where there is none. */
    public @Nullable String header(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    /** The id by which Azure's support finds the call; null where there is none. */
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
     * @throws UnfitAnswerException if it is anything else
     */
    public Map<?, ?> json() throws UnfitAnswerException {
        return body.json();
    }

    /** What the body says went wrong. */
    public ArmErrorBody error() {
        return ArmErrorBody.of(body);
    }

    /** The instant that {@code Retry-After} names, if it names one that is still to come. */
    public Optional<Instant> retryAfter(Instant now) {
        return RetryAfter.parse(header("Retry-After"), now) instanceof RetryAfter.At(Instant at) && at.isAfter(now)
                ? Optional.of(at)
                : Optional.empty();
    }
}

package dev.poolkeeper.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer of ARM as it came over the wire, kept because the SDK drops much of it.
 *
 * @param status the HTTP status
 * @param headers the headers
 * @param body the whole body
 */
record ArmAnswer(int status, HttpHeaders headers, byte[] body) {

    /** Ids by which Azure's support finds a call, the best one first. */
    private static final List<String> IDS =
            List.of("x-ms-correlation-request-id", "x-ms-request-id", "x-ms-client-request-id");

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    @Nullable
    String header(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Nullable
    String correlationId() {
        return IDS.stream()
                .map(this::header)
                .filter(id -> id != null && !id.isBlank())
                .findFirst()
                .map(Redaction::of)
                .orElse(null);
    }

    /** What the body says went wrong. */
    ArmErrorBody error() {
        return ArmErrorBody.parse(body);
    }
}

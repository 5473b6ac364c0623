package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.emulators.http.HttpCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A request that sets the condition of a Pod's readiness gate.
 *
 * @param uid the Pod's uid
 * @param open whether the status is {@code True}
 * @param reason the condition's reason
 */
public record GatePatch(String uid, boolean open, String reason) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Parses a request; empty for any other request. */
    static Optional<GatePatch> of(HttpCall call) {
        if (!call.method().equals("PATCH") || !call.uri().getPath().contains("/pods/")) {
            return Optional.empty();
        }
        try {
            JsonNode body = JSON.readTree(call.body());
            JsonNode condition = body.path("status").path("conditions").path(0);
            return Optional.of(new GatePatch(
                    body.path("metadata").path("uid").asText(),
                    condition.path("status").asText().equals("True"),
                    condition.path("reason").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

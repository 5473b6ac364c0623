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
 * @param since its {@code lastTransitionTime}
 * @param version the version of the Pod that it requires; empty for none
 */
public record GatePatch(String uid, boolean open, String reason, String since, String version) {

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
                    condition.path("reason").asText(),
                    condition.path("lastTransitionTime").asText(),
                    body.path("metadata").path("resourceVersion").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.poolkeeper.k8s.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What an exec plugin prints. Its text form shows no secret.
 *
 * @param token null for none
 * @param identity null for none
 * @param expires when the plugin has to run again; null if only after a refusal
 */
record ExecCredential(
        @Nullable String token,
        @Nullable ClientIdentity identity,
        @Nullable Instant expires) {

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    /** @throws PluginException if the text is not such an object; the message shows no part of it */
    static ExecCredential parse(String text, String version) throws PluginException {
        JsonNode object = tree(text);
        String found = object.path("apiVersion").asText();
        if (!object.path("kind").asText().equals("ExecCredential") || !found.equals(version)) {
            throw new PluginException("printed no ExecCredential of %s".formatted(version));
        }
        JsonNode status = object.path("status");
        String token = status.path("token").asText("");
        String certificate = status.path("clientCertificateData").asText("");
        String key = status.path("clientKeyData").asText("");
        if (certificate.isEmpty() != key.isEmpty() || (token.isEmpty() && certificate.isEmpty())) {
            throw new PluginException("printed neither a token nor a client certificate with its key");
        }
        try {
            return new ExecCredential(
                    token.isEmpty() ? null : HeaderText.token(token),
                    certificate.isEmpty() ? null : ClientIdentity.of(bytes(certificate), bytes(key)),
                    expires(status.path("expirationTimestamp").asText("")));
        } catch (IllegalArgumentException e) {
            throw new PluginException("printed a credential that " + e.getMessage());
        } catch (DateTimeException e) {
            throw new PluginException("printed an expirationTimestamp that is no date");
        }
    }

    private static JsonNode tree(String text) throws PluginException {
        try {
            JsonNode tree = MAPPER.readTree(text);
            return tree == null ? MAPPER.missingNode() : tree;
        } catch (JsonProcessingException e) {
            throw new PluginException("printed something that is not JSON");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable Instant expires(String text) {
        return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
    }

    @Override
    public String toString() {
        return "ExecCredential[expires=" + expires + "]";
    }
}

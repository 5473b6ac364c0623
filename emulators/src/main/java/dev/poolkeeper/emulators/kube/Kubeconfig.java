package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A kubeconfig file with one context per user, with the user's name. */
final class Kubeconfig {

    private static final String CLUSTER = "poolkeeper-emulator";
    /** The context without authentication. */
    private static final String ANYBODY = "anybody";

    private Kubeconfig() {}

    /**
     * @param authorityPem the CA certificate to trust; null for plain HTTP
     * @param tokens bearer tokens and the names of their users
     * @param current the user of the current context, null for the first one
     */
    static String text(
            URI server, @Nullable String authorityPem, Map<String, String> tokens, @Nullable String current) {
        StringBuilder text = new StringBuilder();
        text.append("apiVersion: v1\nkind: Config\nclusters:\n- name: ").append(CLUSTER);
        text.append("\n  cluster:\n    server: ").append(server).append('\n');
        if (authorityPem != null) {
            byte[] pem = authorityPem.getBytes(StandardCharsets.US_ASCII);
            text.append("    certificate-authority-data: ")
                    .append(Base64.getEncoder().encodeToString(pem))
                    .append('\n');
        }
        StringBuilder users = new StringBuilder("users:\n");
        StringBuilder contexts = new StringBuilder("contexts:\n");
        String first = tokens.isEmpty() ? ANYBODY : tokens.values().iterator().next();
        (tokens.isEmpty() ? Map.of("", ANYBODY) : tokens).forEach((token, user) -> {
            users.append("- name: ").append(quoted(user)).append("\n  user: ");
            users.append(token.isEmpty() ? "{}" : "{token: " + quoted(token) + "}")
                    .append('\n');
            contexts.append("- name: ")
                    .append(quoted(user))
                    .append("\n  context: {cluster: ")
                    .append(CLUSTER);
            contexts.append(", user: ").append(quoted(user)).append("}\n");
        });
        return text.append(users)
                .append(contexts)
                .append("current-context: ")
                .append(quoted(current == null ? first : current))
                .append('\n')
                .toString();
    }

    /** Every JSON string is a valid YAML string. */
    private static String quoted(String text) {
        try {
            return KubeJson.MAPPER.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a string that cannot be written", e);
        }
    }
}

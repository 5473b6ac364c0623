package dev.poolkeeper.azure.identity;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import dev.poolkeeper.azure.http.Json;
import dev.poolkeeper.azure.http.Redaction;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Azure Resource Manager's metadata about its cloud at {@code /metadata/endpoints}: the authority and the audience of
 * tokens. Of several clouds it uses the one with our endpoint, otherwise the first.
 */
final class CloudMetadata {

    private static final String PATH = "/metadata/endpoints?api-version=2019-05-01";

    private CloudMetadata() {}

    /** The URL of the metadata. */
    static String addressAt(URI resourceManager) {
        return resourceManager.resolve(PATH).toString();
    }

    /**
     * Adds the authority and, unless it is set, the audience to the cloud.
     *
     * @throws ClientAuthenticationException if the body does not contain them
     */
    static AzureCloud complete(AzureCloud cloud, byte[] body) {
        Map<?, ?> authentication = authentication(body, cloud.resourceManager());
        String login = text("loginEndpoint", authentication.get("loginEndpoint"));
        List<?> audiences = authentication.get("audiences") instanceof List<?> list ? list : List.of();
        String audience = cloud.audience() == null
                ? text("the first of audiences", audiences.isEmpty() ? null : audiences.getFirst())
                : cloud.audience();
        try {
            return new AzureCloud(cloud.resourceManager(), URI.create(login), audience);
        } catch (IllegalArgumentException e) {
            throw unfit(String.valueOf(e.getMessage()));
        }
    }

    private static Map<?, ?> authentication(byte[] body, URI resourceManager) {
        List<Map<?, ?>> clouds = clouds(body);
        Map<?, ?> cloud = clouds.stream()
                .filter(one -> isAt(resourceManager, one.get("resourceManager")))
                .findFirst()
                .orElseGet(() -> clouds.isEmpty() ? Map.of() : clouds.getFirst());
        if (cloud.get("authentication") instanceof Map<?, ?> authentication) {
            return authentication;
        }
        throw unfit("the body contains no cloud with authentication");
    }

    private static List<Map<?, ?>> clouds(byte[] body) {
        try (JsonReader reader = JsonProviders.createReader(body)) {
            List<Map<?, ?>> clouds = new ArrayList<>();
            if (Json.read(reader) instanceof List<?> elements) {
                elements.forEach(element -> {
                    if (element instanceof Map<?, ?> cloud) {
                        clouds.add(cloud);
                    }
                });
            }
            return clouds;
        } catch (IOException | RuntimeException e) { // the parser throws both for invalid JSON
            throw unfit("the body is not JSON");
        }
    }

    private static boolean isAt(URI resourceManager, @Nullable Object address) {
        return address instanceof String text
                && AzureCloud.withoutSlash(text).equalsIgnoreCase(AzureCloud.withoutSlash(resourceManager.toString()));
    }

    private static String text(String what, @Nullable Object value) {
        if (value instanceof String text && !text.isBlank()) {
            return text;
        }
        throw unfit(what + " is missing");
    }

    private static ClientAuthenticationException unfit(String why) {
        return new ClientAuthenticationException(
                "Azure Resource Manager's /metadata/endpoints does not name a token authority: " + Redaction.of(why),
                null);
    }
}

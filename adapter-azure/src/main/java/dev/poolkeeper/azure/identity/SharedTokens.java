package dev.poolkeeper.azure.identity;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonWriter;
import com.microsoft.aad.msal4j.ManagedIdentityApplication;
import com.microsoft.aad.msal4j.TokenCache;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** The tokens of managed identities, which msal4j keeps for the whole process. The SDK cannot bypass that cache. */
final class SharedTokens {

    private SharedTokens() {}

    /**
     * Lets all of them expire, so that the next request reaches the endpoint. The cache can only be merged with another
     * one, not emptied. Thread-safe; a token that is fetched meanwhile may expire as well.
     */
    static void expire() {
        TokenCache cache = ManagedIdentityApplication.getSharedTokenCache();
        StringWriter text = new StringWriter();
        try (JsonReader reader = JsonProviders.createReader(cache.serialize());
                JsonWriter writer = JsonProviders.createWriter(text)) {
            Map<String, Object> all = reader.readMap(JsonReader::readUntyped);
            if (all != null && all.get("AccessToken") instanceof Map<?, ?> tokens) {
                tokens.values().forEach(SharedTokens::expire);
            }
            writer.writeUntyped(all).flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // what msal4j writes is JSON
        }
        cache.deserialize(text.toString());
    }

    @SuppressWarnings("unchecked") // an object in JSON
    private static void expire(Object token) {
        if (token instanceof Map<?, ?> fields) {
            ((Map<String, Object>) fields).putAll(Map.of("secret", "", "expires_on", "0"));
        }
    }
}

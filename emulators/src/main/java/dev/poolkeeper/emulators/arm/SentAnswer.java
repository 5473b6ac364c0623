package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response.
 *
 * @param status the HTTP status
 * @param headers the headers specific to this response, without those common to all
 * @param body the body; null if empty
 */
record SentAnswer(
        int status, Map<String, String> headers, @Nullable JsonNode body) {

    static SentAnswer of(int status, @Nullable JsonNode body) {
        return new SentAnswer(status, Map.of(), body);
    }

    SentAnswer header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new SentAnswer(status, more, body);
    }
}

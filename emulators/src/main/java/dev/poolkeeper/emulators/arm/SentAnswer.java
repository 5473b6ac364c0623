package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is sent back.
 *
 * @param status the HTTP status
 * @param headers those that mean something for this answer; the ones that every answer has are not here
 * @param body the body, null for an empty one
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

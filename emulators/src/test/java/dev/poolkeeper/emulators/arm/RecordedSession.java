package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A session recorded on real Azure, in the form of go-vcr. */
final class RecordedSession {

    private RecordedSession() {}

    /**
     * One call.
     *
     * @param id its place in the recording
     * @param url the whole URL
     * @param headers of the request, by lower-case name
     * @param answered headers of the answer, by lower-case name
     */
    record Interaction(
            int id,
            String method,
            String url,
            Map<String, String> headers,
            String body,
            int status,
            Map<String, String> answered,
            String answer) {

        @Override
        public String toString() {
            return id + " " + method + " " + url.replaceAll("^https://[^/]*|\\?.*$", "") + " -> " + status;
        }
    }

    static List<Interaction> read(String name) throws IOException {
        try (InputStream in = RecordedSession.class.getResourceAsStream(name)) {
            JsonNode session = new YAMLMapper().readTree(in);
            List<Interaction> interactions = new ArrayList<>();
            for (JsonNode one : session.path("interactions")) {
                JsonNode request = one.path("request");
                JsonNode response = one.path("response");
                interactions.add(new Interaction(
                        one.path("id").asInt(),
                        request.path("method").asText(),
                        request.path("url").asText(),
                        headers(request),
                        request.path("body").asText(),
                        response.path("code").asInt(),
                        headers(response),
                        response.path("body").asText()));
            }
            return interactions;
        }
    }

    private static Map<String, String> headers(JsonNode message) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        message.path("headers")
                .properties()
                .forEach(header ->
                        headers.put(header.getKey(), header.getValue().path(0).asText()));
        return headers;
    }
}

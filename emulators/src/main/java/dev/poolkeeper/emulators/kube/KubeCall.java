package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.End;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Head;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response. Not thread-safe. */
final class KubeCall {

    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private final HttpCall http;
    private final Consumer<AnswerPart> answer;
    private final Map<String, String> query;

    KubeCall(HttpCall http, Consumer<AnswerPart> answer) {
        this.http = http;
        this.answer = answer;
        this.query = query(http.uri().getRawQuery());
    }

    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            int at = pair.indexOf('=');
            String name = at < 0 ? pair : pair.substring(0, at);
            query.put(name, at < 0 ? "" : URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    String path() {
        return http.uri().getPath();
    }

    Map<String, String> query() {
        return query;
    }

    /** The RBAC verb. */
    String verb(KubePath on) {
        boolean watch = List.of("true", "1").contains(query.getOrDefault("watch", ""));
        return switch (http.method()) {
            case "GET" -> watch ? "watch" : on.name().isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> http.method();
        };
    }

    private String header(String name) {
        return Optional.ofNullable(http.header(name)).orElse("");
    }

    /** Whether the client accepts a Table, like {@code kubectl get}, instead of objects. */
    boolean wantsTable() {
        String accept = header("Accept");
        return accept.contains("as=Table") && accept.contains("g=meta.k8s.io");
    }

    String contentType() {
        return header("Content-Type");
    }

    /** The token of {@code Authorization: Bearer}; empty if there is none. */
    String bearerToken() {
        String authorization = header("Authorization");
        return authorization.startsWith("Bearer ") ? authorization.substring(7).strip() : "";
    }

    /** The object in the body. */
    ObjectNode body() throws ApiException {
        if (http.isTooLarge()) {
            throw new ApiException(413, "RequestEntityTooLarge", "the request is larger than the emulator's limit");
        }
        if (contentType().startsWith(ProtobufBody.CONTENT_TYPE)) {
            return ProtobufBody.read(http.body());
        }
        try {
            if (KubeJson.MAPPER.readTree(http.body()) instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            throw new ApiException(400, "BadRequest", "the body is not JSON: " + e.getMessage());
        }
        throw new ApiException(400, "BadRequest", "the body must be a JSON object");
    }

    /** The options in the body of a deletion; without a body there are none. */
    ObjectNode options() throws ApiException {
        return http.body().length == 0 ? KubeJson.MAPPER.createObjectNode() : body();
    }

    void send(int status, ObjectNode object) {
        answer.accept(new Whole(status, JSON, bytes(object)));
    }

    void sendText(String text) {
        answer.accept(new Whole(200, Map.of("Content-Type", "text/plain"), text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Starts a response with any number of lines. */
    void begin() {
        answer.accept(new Head(200, JSON));
    }

    void sendLine(ObjectNode line) {
        byte[] bytes = bytes(line);
        byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
        ended[bytes.length] = '\n';
        answer.accept(new Frame(ended));
    }

    void end() {
        answer.accept(new End());
    }

    /** Closes the connection instead of answering. */
    void drop() {
        answer.accept(new Dropped());
    }

    private static byte[] bytes(ObjectNode object) {
        try {
            return KubeJson.MAPPER.writeValueAsBytes(object);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree that cannot be written", e);
        }
    }
}

package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One HTTP exchange: what was asked, and the way to answer. Its body is read at once. Not thread-safe. */
final class Call {

    private final HttpExchange exchange;
    private final Map<String, String> query;
    private final byte[] body;

    Call(HttpExchange exchange) throws IOException {
        this.exchange = exchange;
        this.query = query(exchange.getRequestURI().getRawQuery());
        this.body = exchange.getRequestBody().readAllBytes();
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
        return exchange.getRequestURI().getPath();
    }

    Map<String, String> query() {
        return query;
    }

    /** In the words of RBAC. */
    String verb(KubePath on) {
        boolean watch = List.of("true", "1").contains(query.getOrDefault("watch", ""));
        String method = exchange.getRequestMethod();
        return switch (method) {
            case "GET" -> watch ? "watch" : on.name().isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> method;
        };
    }

    private String header(String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    /** What {@code kubectl get} asks for: rows to print instead of objects. */
    boolean wantsTable() {
        String accept = header("Accept");
        return accept.contains("as=Table") && accept.contains("g=meta.k8s.io");
    }

    String contentType() {
        return header("Content-Type");
    }

    /** The token of {@code Authorization: Bearer}, empty where there is none. */
    String bearerToken() {
        String authorization = header("Authorization");
        return authorization.startsWith("Bearer ") ? authorization.substring(7).strip() : "";
    }

    /** The object that was sent. */
    ObjectNode body() throws ApiException {
        if (contentType().startsWith(ProtobufBody.CONTENT_TYPE)) {
            return ProtobufBody.read(body);
        }
        try {
            if (Json.MAPPER.readTree(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            throw new ApiException(400, "BadRequest", "the body is not JSON: " + e.getMessage());
        }
        throw new ApiException(400, "BadRequest", "the body must be a JSON object");
    }

    void send(int status, ObjectNode answer) throws IOException {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(answer);
        send(status, "application/json", bytes);
    }

    void sendText(String text) throws IOException {
        send(200, "text/plain", text.getBytes(StandardCharsets.UTF_8));
    }

    private void send(int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Begins an answer that goes on until it is closed. */
    OutputStream stream() throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.flush();
        return out;
    }
}

package dev.poolkeeper.fake.kube;

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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** From an HTTP exchange to an answer. Outlives restarts of the server; thread-safe. */
final class RequestHandler {

    private final ObjectStore store;
    private final KubeFaults faults;
    private final ObjectRequests objects;
    private final ListRequests lists;
    private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    private final AtomicLong bookmarks = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong openWatches = new AtomicLong();

    RequestHandler(ObjectStore store, KubeFaults faults) {
        this.store = store;
        this.faults = faults;
        this.objects = new ObjectRequests(store);
        this.lists = new ListRequests(store);
    }

    List<RecordedRequest> requests() {
        return requests;
    }

    AtomicLong bookmarks() {
        return bookmarks;
    }

    /** Counts the times when all open watches were cut. */
    AtomicLong cuts() {
        return cuts;
    }

    /** How many watches are open. */
    long openWatches() {
        return openWatches.get();
    }

    void handle(HttpExchange exchange) {
        try (exchange) {
            if (!faults.isUnreachable()) {
                answer(exchange);
            }
        } catch (IOException e) {
            // the client went away; there is nobody to tell
            exchange.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server stops
        }
    }

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        Optional<ObjectNode> discovery = Discovery.answer(path);
        if (discovery.isPresent()) {
            send(exchange, 200, discovery.get());
            return;
        }
        Optional<KubePath> parsed = KubePath.parse(path);
        if (parsed.isEmpty()) {
            String message = "the server could not find the requested resource";
            send(exchange, 404, new ApiException(404, "NotFound", message).status());
            return;
        }
        try {
            serve(exchange, parsed.get());
        } catch (ApiException e) {
            send(exchange, e.code(), e.status());
        } catch (NumberFormatException e) {
            send(exchange, 400, new ApiException(400, "BadRequest", "not a number: " + e.getMessage()).status());
        }
    }

    private void serve(HttpExchange exchange, KubePath path) throws ApiException, IOException, InterruptedException {
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String verb = verb(exchange.getRequestMethod(), path, query);
        RecordedRequest request = RecordedRequest.of(verb, path);
        requests.add(request);
        Optional<Integer> fault = faults.statusFor(request);
        if (fault.isPresent()) {
            String reason = fault.get() == 403 ? "Forbidden" : "InternalError";
            throw new ApiException(fault.get(), reason, "refused by a fault of the emulator: " + request);
        }
        switch (verb) {
            case "get" -> send(exchange, 200, objects.get(path));
            case "list" -> send(exchange, 200, lists.list(path, query));
            case "watch" -> watch(exchange, path, query);
            case "create" -> send(exchange, 201, objects.create(path, body(exchange)));
            case "update" -> send(exchange, 200, objects.update(path, body(exchange)));
            case "patch" -> send(exchange, 200, objects.patch(path, body(exchange)));
            case "delete" -> send(exchange, 200, objects.delete(path));
            default -> throw new ApiException(405, "MethodNotAllowed", "the server does not allow this method");
        }
    }

    private static String verb(String method, KubePath path, Map<String, String> query) {
        boolean watch = List.of("true", "1").contains(query.getOrDefault("watch", ""));
        return switch (method) {
            case "GET" -> watch ? "watch" : path.name().isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> method;
        };
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

    private static ObjectNode body(HttpExchange exchange) throws IOException, ApiException {
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        if (type.startsWith("application/json-patch+json") || type.startsWith("application/apply-patch")) {
            throw new ApiException(415, "UnsupportedMediaType", "the emulator takes merge patches only, not " + type);
        }
        if (Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes()) instanceof ObjectNode object) {
            return object;
        }
        throw new ApiException(400, "BadRequest", "the body must be a JSON object");
    }

    private void watch(HttpExchange exchange, KubePath path, Map<String, String> query)
            throws IOException, ApiException, InterruptedException {
        WatchRequest watch = new WatchRequest(store, faults, path, query, bookmarks.get());
        if (watch.isGone() && faults.isGoneAStatus()) {
            throw ApiException.expired("too old resource version");
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.flush();
        long before = cuts.get();
        openWatches.incrementAndGet();
        try {
            watch.run(out, () -> cuts.get() != before || faults.isUnreachable(), bookmarks::get);
        } finally {
            openWatches.decrementAndGet();
        }
        out.close();
    }

    private static void send(HttpExchange exchange, int status, ObjectNode body) throws IOException {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}

package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.HttpExchange;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.GepDuration;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Responds like the backend of the Gateway API's conformance tests: according to the request's query, the first
 * {@code succeedAfter} requests with the same {@code uuid} get {@code responseCode}, each after {@code delayRetry}, or
 * have their connection closed if there is no code; further ones get 200. Thread-safe.
 */
final class EchoBackend implements TestBackend.Failure {

    private final FakeTime time;
    private final Map<String, Integer> requests = new ConcurrentHashMap<>();

    /** @param time a delay advances it, once a caller waits for the response */
    EchoBackend(FakeTime time) {
        this.time = time;
    }

    @Override
    public void answer(HttpExchange exchange) throws IOException, InterruptedException {
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        int number = requests.merge(query.getOrDefault("uuid", ""), 1, Integer::sum);
        if (number > Integer.parseInt(query.getOrDefault("succeedAfter", "0"))) {
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        Duration delay = GepDuration.parse(query.getOrDefault("delayRetry", "0s"));
        if (delay.isPositive()) {
            time.awaitPending(1);
            time.advance(delay);
        }
        if (query.containsKey("responseCode")) {
            exchange.sendResponseHeaders(Integer.parseInt(query.get("responseCode")), -1);
        }
    }

    /** The number of requests received with that id. */
    int requests(String uuid) {
        return requests.getOrDefault(uuid, 0);
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String each : raw.split("&")) {
            String[] parts = each.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }
}

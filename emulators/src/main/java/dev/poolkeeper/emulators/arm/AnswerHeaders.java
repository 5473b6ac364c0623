package dev.poolkeeper.emulators.arm;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.Map;

/** The headers that every answer of ARM has, and those of one answer. */
final class AnswerHeaders {

    /** As they were recorded; nobody counts against them. */
    private static final Map<String, String> GLOBAL_QUOTA = Map.of("GET", "16499", "PUT", "11999", "DELETE", "11999");

    private static final Map<String, String> QUOTA_NAMES = Map.of("GET", "reads", "PUT", "writes", "DELETE", "deletes");

    private AnswerHeaders() {}

    static void set(HttpExchange exchange, ArmAnswer answer, ArmService service) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-cache");
        headers.set("Pragma", "no-cache");
        headers.set("Expires", "-1");
        headers.set("X-Content-Type-Options", "nosniff");
        String requestId = service.state().ids.next();
        headers.set("x-ms-request-id", requestId);
        headers.set("x-ms-correlation-request-id", requestId);
        headers.set("x-ms-routing-request-id", "EMULATOR:" + requestId);
        String clientId = exchange.getRequestHeaders().getFirst("x-ms-client-request-id");
        if (clientId != null
                && "true".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("x-ms-return-client-request-id"))) {
            headers.set("x-ms-client-request-id", clientId);
        }
        String tokenClientId = exchange.getRequestHeaders().getFirst("client-request-id");
        if (tokenClientId != null) { // what clients of the token endpoint send, and compare
            headers.set("client-request-id", tokenClientId);
        }
        if (answer.body() != null) {
            headers.set("Content-Type", "application/json; charset=utf-8");
        }
        setQuota(exchange, answer, service);
        answer.headers().forEach(headers::set);
    }

    private static void setQuota(HttpExchange exchange, ArmAnswer answer, ArmService service) {
        String kind = QUOTA_NAMES.get(exchange.getRequestMethod());
        if (kind == null || "gateway".equals(answer.headers().get("x-ms-failure-cause"))) {
            return; // recorded: what ARM itself refuses has no such header
        }
        String name = "x-ms-ratelimit-remaining-subscription-";
        exchange.getResponseHeaders()
                .set(name + "global-" + kind, GLOBAL_QUOTA.getOrDefault(exchange.getRequestMethod(), "0"));
        service.remaining(exchange.getRequestMethod())
                .ifPresent(remaining -> exchange.getResponseHeaders().set(name + kind, Integer.toString(remaining)));
    }
}

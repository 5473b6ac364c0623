package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.emulators.http.HttpCall;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a response: those common to all responses from ARM, and its own. */
final class AnswerHeaders {

    /** The recorded values, used if requests are not counted. */
    private static final Map<String, String> GLOBAL_QUOTA =
            Map.of("GET", "16499", "PUT", "11999", "PATCH", "11999", "DELETE", "11999");

    private static final Map<String, String> QUOTA_NAMES =
            Map.of("GET", "reads", "PUT", "writes", "PATCH", "writes", "DELETE", "deletes");

    private AnswerHeaders() {}

    /** Returns a modifiable map with case-insensitive names. */
    static Map<String, String> of(HttpCall request, SentAnswer answer, ArmService service) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Cache-Control", "no-cache");
        headers.put("Pragma", "no-cache");
        headers.put("Expires", "-1");
        headers.put("X-Content-Type-Options", "nosniff");
        String requestId = service.state().ids.next();
        headers.put("x-ms-request-id", requestId);
        headers.put("x-ms-correlation-request-id", requestId);
        headers.put("x-ms-routing-request-id", "EMULATOR:" + requestId);
        String clientId = request.header("x-ms-client-request-id");
        if (clientId != null && "true".equalsIgnoreCase(request.header("x-ms-return-client-request-id"))) {
            headers.put("x-ms-client-request-id", clientId);
        }
        String tokenClientId = request.header("client-request-id");
        if (tokenClientId != null) { // clients of the token endpoint send it and check it in the response
            headers.put("client-request-id", tokenClientId);
        }
        if (answer.body() != null) {
            headers.put("Content-Type", "application/json; charset=utf-8");
        }
        putQuota(headers, request.method(), answer, service);
        headers.putAll(answer.headers());
        return headers;
    }

    private static void putQuota(Map<String, String> headers, String method, SentAnswer answer, ArmService service) {
        String kind = QUOTA_NAMES.get(method);
        if (kind == null || "gateway".equals(answer.headers().get("x-ms-failure-cause"))) {
            return; // recorded: errors from ARM itself do not have this header
        }
        String name = "x-ms-ratelimit-remaining-subscription-";
        headers.put(
                name + "global-" + kind,
                service.remainingOfAll(method)
                        .map(String::valueOf)
                        .orElseGet(() -> GLOBAL_QUOTA.getOrDefault(method, "0")));
        service.remaining(method).ifPresent(remaining -> headers.put(name + kind, Integer.toString(remaining)));
    }
}

package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.emulators.http.HttpCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request.
 *
 * @param http the HTTP request
 * @param query parameters by lower-case name
 * @param base scheme, host and port under which the client reaches the emulator, without a trailing slash
 */
record ReceivedCall(HttpCall http, Map<String, String> query, String base) {

    String method() {
        return http.method();
    }

    String rawPath() {
        return http.uri().getRawPath();
    }

    @Nullable
    String header(String name) {
        return http.header(name);
    }

    byte[] body() {
        return http.body();
    }

    String apiVersion() {
        return query.getOrDefault("api-version", "");
    }
}

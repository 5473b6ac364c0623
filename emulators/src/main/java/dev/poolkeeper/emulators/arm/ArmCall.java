package dev.poolkeeper.emulators.arm;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A request as it came.
 *
 * @param method the HTTP method
 * @param rawPath its path, not decoded
 * @param query its query parameters, their names in lower case
 * @param headers a header's first value by its name in any case, null where there is none
 * @param body the body, empty where there is none
 * @param base scheme, host and port under which the client reaches the emulator, without a slash
 */
record ArmCall(
        String method,
        String rawPath,
        Map<String, String> query,
        UnaryOperator<@Nullable String> headers,
        byte[] body,
        String base) {

    @Nullable
    String header(String name) {
        return headers.apply(name);
    }

    String apiVersion() {
        return query.getOrDefault("api-version", "");
    }
}

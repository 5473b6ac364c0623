package dev.poolkeeper.lab.gateway;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Header fields for a single connection, which are not forwarded (RFC 9110, section 7.6.1). */
final class HopByHop {

    private static final Set<String> ALWAYS = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private HopByHop() {}

    /**
     * Copies all other fields.
     *
     * @param besides further names to omit, in lower case
     */
    static void forward(Map<String, List<String>> headers, Set<String> besides, BiConsumer<String, String> to) {
        Set<String> named = new TreeSet<>();
        headers.forEach((name, values) -> {
            if (name.equalsIgnoreCase("connection")) {
                values.forEach(value -> List.of(value.toLowerCase(Locale.ROOT).split("\\s*,\\s*"))
                        .forEach(option -> named.add(option.strip())));
            }
        });
        headers.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!ALWAYS.contains(lower) && !besides.contains(lower) && !named.contains(lower)) {
                values.forEach(value -> to.accept(name, value));
            }
        });
    }
}

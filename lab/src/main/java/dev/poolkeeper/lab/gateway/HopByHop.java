package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.MessageHead.Field;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** The options of the connection, in lower case; each is also the name of a field for this connection alone. */
    static Set<String> options(List<Field> fields) {
        return fields.stream()
                .filter(field -> field.is("Connection"))
                .flatMap(field ->
                        Stream.of(field.value().toLowerCase(Locale.ROOT).split(",")))
                .map(String::strip)
                .collect(Collectors.toSet());
    }

    /**
     * All other fields.
     *
     * @param besides further names to omit, in lower case
     */
    static List<Field> without(List<Field> fields, Set<String> besides) {
        Set<String> named = options(fields);
        return fields.stream()
                .filter(field -> {
                    String name = field.name().toLowerCase(Locale.ROOT);
                    return !ALWAYS.contains(name) && !besides.contains(name) && !named.contains(name);
                })
                .toList();
    }
}

package dev.poolkeeper.app.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that a page may use.
 *
 * @param query the decoded query parameters; of repeated ones the first
 * @param accept the {@code Accept} header, empty if absent
 */
record Request(Map<String, String> query, String accept) {

    static Request of(@Nullable String rawQuery, @Nullable String accept) {
        return new Request(parse(rawQuery == null ? "" : rawQuery), accept == null ? "" : accept);
    }

    private static Map<String, String> parse(String rawQuery) {
        Map<String, String> query = new HashMap<>();
        for (String part : rawQuery.split("&", 50)) {
            int equals = part.indexOf('=');
            query.putIfAbsent(
                    decode(equals < 0 ? part : part.substring(0, equals)),
                    equals < 0 ? "" : decode(part.substring(equals + 1)));
        }
        return query;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // a percent sign that starts no escape
            return text;
        }
    }

    boolean has(String name) {
        return query.containsKey(name);
    }

    /** The parameter's value; empty where it is missing or blank. */
    Optional<String> value(String name) {
        return Optional.ofNullable(query.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }
}

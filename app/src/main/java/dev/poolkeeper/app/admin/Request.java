package dev.poolkeeper.app.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a page may know of a request.
 *
 * @param query its parameters, decoded; of several of one name the first
 * @param accept the header {@code Accept}, empty where there is none
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
        } catch (IllegalArgumentException e) { // a percent sign that stands for itself
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

package dev.poolkeeper.emulators.arm;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the query of a URL. */
final class Query {

    private static final Pattern LOOPBACK = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

    private Query() {}

    /** Lower-case names with the first of several values. Parts that cannot be decoded are ignored. */
    static Map<String, String> parse(@Nullable String rawQuery) {
        Map<String, String> query = new HashMap<>();
        if (rawQuery == null) {
            return query;
        }
        for (String pair : rawQuery.split("&")) {
            int equals = pair.indexOf('=');
            try {
                String name = URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), StandardCharsets.UTF_8);
                String value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                query.putIfAbsent(name.toLowerCase(Locale.ROOT), value);
            } catch (IllegalArgumentException e) {
                continue;
            }
        }
        return query;
    }

    /** The base URL under which the client reaches the emulator, so that links lead back to it; never another host. */
    static String base(@Nullable String host, String base) {
        return host != null && LOOPBACK.matcher(host).matches() ? "https://" + host : base;
    }
}

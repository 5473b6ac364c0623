package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the requests of a route: the conditions of an HTTPRoute's {@code matches} and of a ServiceProfile's
 * {@code condition}. Immutable; equal if written alike; {@code toString} is a short description.
 */
public sealed interface RequestCondition extends Predicate<RequestHead> {

    /** Matches every request. */
    RequestCondition ALWAYS = new All(List.of());

    private static String texts(List<RequestCondition> conditions, String separator) {
        return conditions.stream().map(RequestCondition::toString).collect(Collectors.joining(separator));
    }

    /** A part of a request that has one value. */
    enum Part {
        /** Case-sensitive. */
        METHOD,
        /** The whole path, case-sensitive. */
        PATH,
        /** A header; its name is case-insensitive. */
        HEADER,
        /** A decoded query parameter, the first if there are several; its name is case-sensitive. */
        PARAMETER;

        private static final int HEX = 16;

        /** Its value; null if the request has no such part. */
        @Nullable
        String of(RequestHead request, String name) {
            return switch (this) {
                case METHOD -> request.method();
                case PATH -> request.path();
                case HEADER -> request.headers().get(name.toLowerCase(Locale.ROOT));
                case PARAMETER -> parameter(request.query(), name);
            };
        }

        private String text(String name, Object value) {
            return switch (this) {
                case METHOD, PATH -> value.toString();
                case HEADER -> name + ": " + value;
                case PARAMETER -> "?" + name + "=" + value;
            };
        }

        private static @Nullable String parameter(String query, String name) {
            for (String pair : query.split("&")) {
                int equals = pair.indexOf('=');
                if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                    return equals < 0 ? "" : decoded(pair.substring(equals + 1));
                }
            }
            return null;
        }

        /** Leaves invalid escape sequences as they are. */
        private static String decoded(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int length = 0;
            for (int i = 0; i < bytes.length; i++) {
                int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], HEX) : -1;
                int low = high < 0 ? -1 : Character.digit(bytes[i + 2], HEX);
                if (low >= 0) {
                    bytes[length++] = (byte) (high * HEX + low);
                    i += 2;
                } else {
                    bytes[length++] = bytes[i] == '+' ? (byte) ' ' : bytes[i];
                }
            }
            return new String(bytes, 0, length, StandardCharsets.UTF_8);
        }
    }

    /** A part has this value. {@code name} is that of a header or parameter, else empty. */
    record Is(Part part, String name, String value) implements RequestCondition {
        @Override
        public boolean test(RequestHead request) {
            return value.equals(part.of(request, name));
        }

        @Override
        public String toString() {
            return part.text(name, value);
        }
    }

    /** A part matches a regular expression as a whole. {@code name} is that of a header or parameter, else empty. */
    record Matches(Part part, String name, RegularExpression expression) implements RequestCondition {
        @Override
        public boolean test(RequestHead request) {
            String value = part.of(request, name);
            return value != null && expression.matches(value);
        }

        @Override
        public String toString() {
            return (part == Part.PATH ? "path " : "") + part.text(name, expression);
        }
    }

    /** The first segments of the path: {@code /abc} matches {@code /abc/d} but not {@code /abcd}. */
    record PathPrefix(String prefix) implements RequestCondition {

        /** @param prefix a trailing slash is ignored */
        public PathPrefix {
            prefix = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        }

        @Override
        public boolean test(RequestHead request) {
            String path = request.path();
            return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
        }

        @Override
        public String toString() {
            return prefix + "/*";
        }
    }

    /** All conditions hold; true if there are none. */
    record All(List<RequestCondition> conditions) implements RequestCondition {

        public All {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean test(RequestHead request) {
            for (RequestCondition condition : conditions) {
                if (!condition.test(request)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return conditions.isEmpty() ? "every request" : texts(conditions, " ");
        }
    }

    /** At least one condition holds. */
    record Any(List<RequestCondition> conditions) implements RequestCondition {

        public Any {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean test(RequestHead request) {
            return conditions.stream().anyMatch(condition -> condition.test(request));
        }

        @Override
        public String toString() {
            return "any of (" + texts(conditions, ", ") + ")";
        }
    }

    /** The condition does not hold. */
    record Not(RequestCondition condition) implements RequestCondition {
        @Override
        public boolean test(RequestHead request) {
            return !condition.test(request);
        }

        @Override
        public String toString() {
            return "not (" + condition + ")";
        }
    }
}

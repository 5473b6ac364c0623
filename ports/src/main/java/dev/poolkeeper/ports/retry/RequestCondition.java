package dev.poolkeeper.ports.retry;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Selects the requests of a route: the conditions of an HTTPRoute's {@code matches} and of a ServiceProfile's
 * {@code condition}. Immutable; equal if written alike; {@code toString} is a short description.
 */
public sealed interface RequestCondition {

    /** Matches every request. */
    RequestCondition ALWAYS = new All(List.of());

    boolean matches(RequestHead request);

    private static String texts(List<RequestCondition> conditions, String separator) {
        return conditions.stream().map(RequestCondition::toString).collect(Collectors.joining(separator));
    }

    /** The method, case-sensitive. */
    record Method(String name) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return request.method().equals(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** The whole path, case-sensitive. */
    record ExactPath(String path) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return request.path().equals(path);
        }

        @Override
        public String toString() {
            return path;
        }
    }

    /** The first segments of the path: {@code /abc} matches {@code /abc/d} but not {@code /abcd}. */
    record PathPrefix(String prefix) implements RequestCondition {

        /** @param prefix a trailing slash is ignored */
        public PathPrefix {
            prefix = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        }

        @Override
        public boolean matches(RequestHead request) {
            String path = request.path();
            return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
        }

        @Override
        public String toString() {
            return prefix + "/*";
        }
    }

    /** The whole path, by a regular expression. */
    record PathPattern(WholePattern pattern) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return pattern.matches(request.path());
        }

        @Override
        public String toString() {
            return "path " + pattern;
        }
    }

    /** A header's value; its name is case-insensitive. */
    record Header(String name, String value) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return value.equals(request.headers().get(name.toLowerCase(Locale.ROOT)));
        }

        @Override
        public String toString() {
            return name + ": " + value;
        }
    }

    /** A header's value, by a regular expression. */
    record HeaderPattern(String name, WholePattern pattern) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            String value = request.headers().get(name.toLowerCase(Locale.ROOT));
            return value != null && pattern.matches(value);
        }

        @Override
        public String toString() {
            return name + ": " + pattern;
        }
    }

    /** The decoded value of a query parameter. */
    record Parameter(String name, String value) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return request.parameter(name).filter(value::equals).isPresent();
        }

        @Override
        public String toString() {
            return "?" + name + "=" + value;
        }
    }

    /** The decoded value of a query parameter, by a regular expression. */
    record ParameterPattern(String name, WholePattern pattern) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return request.parameter(name).filter(pattern::matches).isPresent();
        }

        @Override
        public String toString() {
            return "?" + name + "=" + pattern;
        }
    }

    /** All conditions hold; true if there are none. */
    record All(List<RequestCondition> conditions) implements RequestCondition {

        public All {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean matches(RequestHead request) {
            for (RequestCondition condition : conditions) {
                if (!condition.matches(request)) {
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
        public boolean matches(RequestHead request) {
            return conditions.stream().anyMatch(condition -> condition.matches(request));
        }

        @Override
        public String toString() {
            return "any of (" + texts(conditions, ", ") + ")";
        }
    }

    /** The condition does not hold. */
    record Not(RequestCondition condition) implements RequestCondition {
        @Override
        public boolean matches(RequestHead request) {
            return !condition.matches(request);
        }

        @Override
        public String toString() {
            return "not (" + condition + ")";
        }
    }
}

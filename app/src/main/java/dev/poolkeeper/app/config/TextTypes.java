package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.policies.GepDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Types of keys whose values are strings or booleans. */
public final class TextTypes {

    private TextTypes() {}

    /** True or false. */
    public record Truth() implements KeyType<Boolean> {
        @Override
        public String allowed() {
            return "true or false";
        }

        @Override
        public @Nullable Boolean read(Field field) {
            if (field.value().isBoolean()) {
                return field.value().booleanValue();
            }
            field.mustBe(allowed());
            return null;
        }
    }

    /** Any string. */
    public record Text() implements KeyType<String> {
        @Override
        public String allowed() {
            return "a string";
        }

        @Override
        public @Nullable String read(Field field) {
            if (field.value().isTextual()) {
                return field.value().textValue();
            }
            field.mustBe(allowed());
            return null;
        }
    }

    /** A string that is never shown. */
    public record Secret() implements KeyType<String> {

        /** Shown instead of a secret. */
        static final String MASK = "***";

        @Override
        public String allowed() {
            return "a string";
        }

        @Override
        public @Nullable String read(Field field) {
            if (field.value().isTextual()) {
                return field.value().textValue();
            }
            field.fault("found " + MASK + ", must be " + allowed());
            return null;
        }

        @Override
        public String shown(String value) {
            return MASK;
        }
    }

    /**
     * A string that matches a pattern.
     *
     * @param pattern must match the whole string
     * @param longest the length limit in characters
     * @param allowed the allowed values, in words
     */
    public record Name(Pattern pattern, int longest, String allowed) implements KeyType<String> {

        private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

        /** Usable as a segment of a resource's path. */
        static final Name OF_RESOURCE =
                new Name(Pattern.compile("[^/\\\\?#%\\s\\x00-\\x1f]*"), 1_024, "a name without slashes and spaces");

        static final Name OF_KUBERNETES_OBJECT =
                new Name(Pattern.compile(LABEL + "(\\." + LABEL + ")*"), 253, "the name of a Kubernetes object");

        static final Name OF_HOST = new Name(Pattern.compile(LABEL + "(\\." + LABEL + ")*"), 253, "a host name");

        static final Name OF_NAMESPACE = new Name(Pattern.compile(LABEL), 63, "the name of a namespace");

        /** An id or a domain, as Azure's identity library accepts it. */
        static final Name OF_TENANT =
                new Name(Pattern.compile("[A-Za-z0-9.-]*"), 253, "the id or the domain of a tenant");

        /** A date, from the first version on that has pools of IP addresses. */
        static final Name OF_API_VERSION = new Name(
                Pattern.compile("(2020-(0[4-9]|1[0-2])|20(2[1-9]|[3-9][0-9])-(0[1-9]|1[0-2]))-(0[1-9]|[12][0-9]|3[01])"
                        + "(-preview)?"),
                18,
                "a date from 2020-04-01 on, such as 2021-01-01, perhaps followed by -preview");

        boolean matches(String text) {
            return text.length() <= longest && pattern.matcher(text).matches();
        }

        @Override
        public @Nullable String read(Field field) {
            String text = new Text().read(field);
            if (text == null || matches(text)) {
                return text;
            }
            field.mustBe(allowed);
            return null;
        }
    }

    /**
     * Several distinct names.
     *
     * @param name the type of each name
     * @param allowed the allowed values, in words
     */
    public record Names(Name name, String allowed) implements KeyType<List<String>> {

        static final Names OF_HOSTS = new Names(Name.OF_HOST, "an array of distinct host names in lower case");

        static final Names OF_NAMESPACES = new Names(Name.OF_NAMESPACE, "an array of distinct namespace names");

        @Override
        public @Nullable List<String> read(Field field) {
            List<String> names = new ArrayList<>();
            for (JsonNode one : field.value()) {
                if (one.isTextual() && name.matches(one.textValue()) && !names.contains(one.textValue())) {
                    names.add(one.textValue());
                }
            }
            if (field.value().isArray() && names.size() == field.value().size()) {
                return names;
            }
            field.mustBe(allowed);
            return null;
        }
    }

    /** A string, or several distinct ones. */
    public record OneOrMore() implements KeyType<List<String>> {
        @Override
        public String allowed() {
            return "a string or an array of distinct strings";
        }

        @Override
        public @Nullable List<String> read(Field field) {
            if (field.value().isTextual()) {
                return List.of(field.value().textValue());
            }
            Set<String> texts = new LinkedHashSet<>();
            for (JsonNode one : field.value()) {
                if (one.isTextual()) {
                    texts.add(one.textValue());
                }
            }
            if (field.value().isArray() && texts.size() == field.value().size()) {
                return List.copyOf(texts);
            }
            field.mustBe(allowed());
            return null;
        }
    }

    /**
     * One of several words, ignoring case.
     *
     * @param words the value of each word, in lower case
     */
    public record Choice<T>(Map<String, T> words) implements KeyType<T> {

        /** The constants of an enum, in lower case with hyphens. */
        static <E extends Enum<E>> Choice<E> of(List<E> constants) {
            return new Choice<>(constants.stream()
                    .collect(Collectors.toMap(
                            constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                            Function.identity(),
                            (one, other) -> one,
                            LinkedHashMap::new)));
        }

        @Override
        public String allowed() {
            return "one of " + String.join(", ", words.keySet());
        }

        @Override
        public @Nullable T read(Field field) {
            T value = words.get(field.value().asText().toLowerCase(Locale.ROOT));
            if (value == null) {
                field.mustBe(allowed());
            }
            return value;
        }

        @Override
        public String shown(T value) {
            return words.entrySet().stream()
                    .filter(word -> word.getValue().equals(value))
                    .findFirst()
                    .orElseThrow()
                    .getKey();
        }
    }

    /** A duration in GEP-2257 format between two inclusive bounds. */
    public record Span(Duration least, Duration most) implements KeyType<Duration> {

        /** Every duration that the format can express. */
        static final Span ANY = new Span(Duration.ZERO, Duration.ofHours(99_999));

        @Override
        public String allowed() {
            return this.equals(ANY)
                    ? "a duration such as 800ms"
                    : "a duration from " + GepDuration.format(least) + " to " + GepDuration.format(most);
        }

        @Override
        public @Nullable Duration read(Field field) {
            String text = new Text().read(field);
            if (text == null) {
                return null;
            }
            Duration duration;
            try {
                duration = GepDuration.parse(text);
            } catch (IllegalArgumentException e) {
                field.fault(String.valueOf(e.getMessage()));
                return null;
            }
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                field.mustBe(allowed());
                return null;
            }
            return duration;
        }

        @Override
        public String shown(Duration value) {
            return GepDuration.format(value);
        }
    }
}

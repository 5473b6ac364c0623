package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Types of keys whose values are numbers. */
public final class NumberTypes {

    private NumberTypes() {}

    /** A whole number between two inclusive bounds. */
    public record Whole(int least, int most) implements KeyType<Integer> {
        @Override
        public String allowed() {
            return "a whole number from " + least + " to " + most;
        }

        @Override
        public @Nullable Integer read(Field field) {
            JsonNode value = field.value();
            if (value.isIntegralNumber()
                    && value.canConvertToInt()
                    && value.intValue() >= least
                    && value.intValue() <= most) {
                return value.intValue();
            }
            field.mustBe(allowed());
            return null;
        }

        @Override
        public boolean isZero(Integer value) {
            return value == 0;
        }
    }

    /** Whole seconds between two inclusive bounds. */
    public record Seconds(int least, int most) implements KeyType<Duration> {
        @Override
        public String allowed() {
            return new Whole(least, most).allowed();
        }

        @Override
        public @Nullable Duration read(Field field) {
            Integer seconds = new Whole(least, most).read(field);
            return seconds == null ? null : Duration.ofSeconds(seconds);
        }

        @Override
        public String shown(Duration value) {
            return Long.toString(value.toSeconds());
        }

        @Override
        public boolean isZero(Duration value) {
            return value.isZero();
        }
    }

    /** A number between two inclusive bounds. */
    public record Decimal(int least, int most) implements KeyType<Double> {
        @Override
        public String allowed() {
            return "a number from " + least + " to " + most;
        }

        @Override
        public @Nullable Double read(Field field) {
            double number = field.value().isNumber() ? field.value().doubleValue() : Double.NaN;
            if (number >= least && number <= most) { // written so that NaN fails too
                return number;
            }
            field.mustBe(allowed());
            return null;
        }

        @Override
        public boolean isZero(Double value) {
            return value == 0;
        }
    }

    /** A set of HTTP statuses; {@link RetryPolicy} defines which of them may be retried. */
    public record Statuses() implements KeyType<SortedSet<Integer>> {

        public static final int LEAST = 400;
        public static final int MOST = 599;

        @Override
        public String allowed() {
            return "an array of distinct statuses from %s to %s without %s"
                    .formatted(
                            LEAST,
                            MOST,
                            RetryPolicy.ELSEWHERE.stream()
                                    .sorted()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", ")));
        }

        @Override
        public @Nullable SortedSet<Integer> read(Field field) {
            SortedSet<Integer> statuses = new TreeSet<>();
            for (JsonNode element : field.value()) {
                if (!element.isIntegralNumber() || !element.canConvertToInt() || !statuses.add(element.intValue())) {
                    field.mustBe(allowed());
                    return null;
                }
            }
            if (!field.value().isArray()) {
                field.mustBe(allowed());
                return null;
            }
            return statuses;
        }
    }
}

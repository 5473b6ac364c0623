package dev.poolkeeper.ports.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestConditionTest {

    private static final RequestHead REQUEST =
            new RequestHead("GET", "/books/1", "a=b%20c&flag&x=%zz", Map.of("x-team", "blue"));

    /** A pattern with the JDK's engine, which is good enough for a test. */
    private record Written(String regex) implements WholePattern {
        @Override
        public boolean matches(CharSequence text) {
            return Pattern.matches(regex, text);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/, /books, true",
        "/books, /books, true",
        "/books, /books/, true",
        "/books/, /books, true",
        "/books, /books/1, true",
        "/books, /bookshop, false",
        "/books, /Books, false"
    })
    @Rule(
            id = "P87",
            says = "A path prefix matches whole segments, and a trailing slash is ignored.",
            source = "HTTPRoute, PathPrefix")
    void a_prefix_is_of_whole_segments(String prefix, String path, boolean matches) {
        assertThat(new RequestCondition.PathPrefix(prefix).matches(RequestHead.of("GET", path, "")))
                .isEqualTo(matches);
    }

    @Test
    void each_condition_looks_at_its_part_of_the_request() {
        assertThat(List.<RequestCondition>of(
                        RequestCondition.ALWAYS,
                        new RequestCondition.Method("GET"),
                        new RequestCondition.ExactPath("/books/1"),
                        new RequestCondition.PathPattern(new Written("/books/[0-9]+")),
                        new RequestCondition.Header("X-Team", "blue"),
                        new RequestCondition.HeaderPattern("X-TEAM", new Written("bl.*")),
                        new RequestCondition.Parameter("a", "b c"),
                        new RequestCondition.Parameter("flag", ""),
                        new RequestCondition.Parameter("x", "%zz"),
                        new RequestCondition.ParameterPattern("a", new Written("b.c"))))
                .allMatch(condition -> condition.matches(REQUEST));
        assertThat(List.<RequestCondition>of(
                        new RequestCondition.Method("get"),
                        new RequestCondition.ExactPath("/books"),
                        new RequestCondition.PathPattern(new Written("/books")),
                        new RequestCondition.Header("x-team", "Blue"),
                        new RequestCondition.Header("x-other", "blue"),
                        new RequestCondition.Parameter("A", "b c"),
                        new RequestCondition.Any(List.of())))
                .noneMatch(condition -> condition.matches(REQUEST));
    }

    @Test
    void conditions_combine_and_describe_themselves() {
        RequestCondition get = new RequestCondition.Method("GET");
        RequestCondition put = new RequestCondition.Method("PUT");
        RequestCondition both = new RequestCondition.All(
                List.of(new RequestCondition.Any(List.of(put, get)), new RequestCondition.Not(put)));
        assertThat(both.matches(REQUEST)).isTrue();
        assertThat(both).hasToString("any of (PUT, GET) not (PUT)");
        assertThat(new RequestCondition.PathPattern(new Written("a.*")))
                .isEqualTo(new RequestCondition.PathPattern(new Written("a.*")));
    }
}

package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.policies.RequestCondition.Part;
import dev.poolkeeper.ports.retry.RequestHead;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestConditionTest {

    private static final RequestHead REQUEST =
            new RequestHead("GET", "/books/1", "a=b%20c&flag&x=%zz", Map.of("x-team", "blue"));

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
        assertThat(new RequestCondition.PathPrefix(prefix).test(RequestHead.of("GET", path, "")))
                .isEqualTo(matches);
    }

    @Test
    void each_condition_looks_at_its_part_of_the_request() {
        assertThat(List.<RequestCondition>of(
                        RequestCondition.ALWAYS,
                        new RequestCondition.Is(Part.METHOD, "", "GET"),
                        new RequestCondition.Is(Part.PATH, "", "/books/1"),
                        new RequestCondition.Matches(Part.PATH, "", new RegularExpression("/books/[0-9]+")),
                        new RequestCondition.Is(Part.HEADER, "X-Team", "blue"),
                        new RequestCondition.Matches(Part.HEADER, "X-TEAM", new RegularExpression("bl.*")),
                        new RequestCondition.Is(Part.PARAMETER, "a", "b c"),
                        new RequestCondition.Is(Part.PARAMETER, "flag", ""),
                        new RequestCondition.Is(Part.PARAMETER, "x", "%zz"),
                        new RequestCondition.Matches(Part.PARAMETER, "a", new RegularExpression("b.c"))))
                .allMatch(condition -> condition.test(REQUEST));
        assertThat(List.<RequestCondition>of(
                        new RequestCondition.Is(Part.METHOD, "", "get"),
                        new RequestCondition.Is(Part.PATH, "", "/books"),
                        new RequestCondition.Matches(Part.PATH, "", new RegularExpression("/books")),
                        new RequestCondition.Is(Part.HEADER, "x-team", "Blue"),
                        new RequestCondition.Is(Part.HEADER, "x-other", "blue"),
                        new RequestCondition.Is(Part.PARAMETER, "A", "b c"),
                        new RequestCondition.Any(List.of())))
                .noneMatch(condition -> condition.test(REQUEST));
    }

    @Test
    void conditions_combine_and_describe_themselves() {
        RequestCondition get = new RequestCondition.Is(Part.METHOD, "", "GET");
        RequestCondition put = new RequestCondition.Is(Part.METHOD, "", "PUT");
        RequestCondition both = new RequestCondition.All(
                List.of(new RequestCondition.Any(List.of(put, get)), new RequestCondition.Not(put)));
        assertThat(both.test(REQUEST)).isTrue();
        assertThat(both).hasToString("any of (PUT, GET) not (PUT)");
        assertThat(new RequestCondition.Matches(Part.PATH, "", new RegularExpression("a.*")))
                .isEqualTo(new RequestCondition.Matches(Part.PATH, "", new RegularExpression("a.*")));
    }

    @ParameterizedTest
    @CsvSource({
        "a=v, a, v",
        "a=, a, ''",
        "a, a, ''",
        "a=v&a=w, a, v",
        "b=w&a=v, a, v",
        "a=b=c, a, b=c",
        "a=b+c, a, b c",
        "a=b%2Bc, a, b+c",
        "a=b%2b, a, b+",
        "na%6De=v, name, v",
        "n+e=v, n e, v",
        "a=%C3%A9, a, é",
        "a=100%, a, 100%",
        "a=%4, a, %4",
        "a=%4g, a, %4g",
        "b=v, a, none",
        "'', a, none"
    })
    void a_query_parameter_is_decoded_and_the_first_one_counts(String query, String name, String value) {
        RequestHead request = RequestHead.of("GET", "/", query);
        assertThat(new RequestCondition.Is(Part.PARAMETER, name, value).test(request))
                .isEqualTo(!value.equals("none"));
        assertThat(new RequestCondition.Matches(Part.PARAMETER, name, new RegularExpression(".*")).test(request))
                .isEqualTo(!value.equals("none"));
    }

    @Test
    void each_condition_describes_itself() {
        RegularExpression expression = new RegularExpression("/a.*");
        assertThat(List.<RequestCondition>of(
                        RequestCondition.ALWAYS,
                        new RequestCondition.Is(Part.METHOD, "", "GET"),
                        new RequestCondition.Is(Part.PATH, "", "/a"),
                        new RequestCondition.Is(Part.HEADER, "X-A", "b"),
                        new RequestCondition.Is(Part.PARAMETER, "a", "b"),
                        new RequestCondition.Matches(Part.PATH, "", expression),
                        new RequestCondition.Matches(Part.HEADER, "X-A", expression),
                        new RequestCondition.Matches(Part.PARAMETER, "a", expression),
                        new RequestCondition.PathPrefix("/a/"),
                        new RequestCondition.Any(
                                List.of(new RequestCondition.PathPrefix("/a"), RequestCondition.ALWAYS)),
                        new RequestCondition.Not(new RequestCondition.PathPrefix("/a"))))
                .extracting(Object::toString)
                .containsExactly(
                        "every request",
                        "GET",
                        "/a",
                        "X-A: b",
                        "?a=b",
                        "path /a.*",
                        "X-A: /a.*",
                        "?a=/a.*",
                        "/a/*",
                        "any of (/a/*, every request)",
                        "not (/a/*)");
    }
}

package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    @ParameterizedTest
    @CsvSource({
        "GET https://host/operations/1?c=x&s=SECRET failed, GET https://host/operations/1?… failed",
        "https://user:SECRET@host/x, https://…@host/x",
        "HTTP://USER:SECRET@HOST/X, HTTP://…@HOST/X",
        "HTTPS://HOST/X?S=SECRET end, HTTPS://HOST/X?… end",
        "'https://a/?c=SECRET http://user:SECRET@b?c=SECRET', 'https://a/?… http://…@b?…'",
        "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTRUNSRVQifQ.c2ln end, token … end",
        "'Authorization: Bearer SECRETSECRET', 'Authorization: Bearer …'",
        "client_secret=SECRET&x=1, client_secret=…&x=1",
        "'authorization: bearer SECRETSECRET', 'authorization: Bearer …'",
        "AUTHORIZATION: BEARER SECRETSECRET, AUTHORIZATION: Bearer …",
        "'{\"password\": \"SECRET\"}', '{\"password\": \"…\"}'",
        "nothing to hide, nothing to hide"
    })
    void secrets_are_removed_from_texts(String text, String safe) {
        assertThat(Redaction.of(text)).isEqualTo(safe);
    }

    static Stream<Arguments> names_and_forms() {
        List<String> names = List.of(
                "client_secret",
                "client_assertion",
                "access_token",
                "refresh_token",
                "assertion",
                "password",
                "sig",
                "secret");
        List<String> forms = List.of(
                "/token?%s=VALUE&kept=1",
                "/token?a=b&%s=VALUE&kept=1",
                "grant_type=x&%s=VALUE&kept=1",
                "{\"%s\":\"VALUE\",\"kept\":1}",
                "{\"%s\" : \"VALUE with more VALUE\", \"kept\": 1}",
                "{\"%s\": \"VALUE\\\"VALUE\", \"kept\": 1}",
                "{'%s': 'VALUE with more VALUE', 'kept': 1}",
                "{\\\"%s\\\":\\\"VALUE\\\"} kept",
                "%s: VALUE kept",
                "%s = VALUE kept",
                "X-%s: VALUE\nkept");
        List<UnaryOperator<String>> spellings = List.of(
                name -> name,
                name -> name.toUpperCase(Locale.ROOT),
                name -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
        return names.stream()
                .flatMap(name -> forms.stream()
                        .flatMap(form -> spellings.stream()
                                .map(spelling -> Arguments.of(form.formatted(spelling.apply(name))))));
    }

    @ParameterizedTest
    @MethodSource("names_and_forms")
    void each_secret_is_removed_in_each_form(String text) {
        assertThat(Redaction.of(text)).doesNotContain("VALUE").contains("kept", "…");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"clientSecret=VALUE", "aadClientSecret: VALUE", "proxy_password=VALUE", "x-client-secret: VALUE"
            })
    void a_secret_is_removed_whatever_precedes_its_name(String text) {
        assertThat(Redaction.of(text)).doesNotContain("VALUE");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "  ", "\t", "\r\n", "\u00a0", "\u2028", "\u0000", "\u200b"})
    void a_token_is_removed_whatever_is_before_it(String between) {
        assertThat(Redaction.of("sent Bearer" + between + "s3cret-token now")).isEqualTo("sent Bearer … now");
    }

    @ParameterizedTest
    @ValueSource(strings = {"design=x", "the secret is missing", "password", "the assertion failed", "signal: 9"})
    void other_texts_are_left_alone(String text) {
        assertThat(Redaction.of(text)).isEqualTo(text);
    }

    @Test
    void a_long_text_is_truncated() {
        assertThat(Redaction.of("x".repeat(100_000))).hasSizeLessThan(1_100);
    }
}

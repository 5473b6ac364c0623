package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {

    @ParameterizedTest
    @CsvSource({
        "GET https://host/operations/1?c=x&s=SECRET failed, GET https://host/operations/1?… failed",
        "https://user:SECRET@host/x, https://…@host/x",
        "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTRUNSRVQifQ.c2ln end, token … end",
        "'Authorization: Bearer SECRETSECRET', 'Authorization: Bearer …'",
        "client_secret=SECRET&x=1, client_secret=…&x=1",
        "'{\"password\": \"SECRET\"}', '{\"password\": \"…\"}'",
        "nothing to hide, nothing to hide"
    })
    void secrets_are_removed_from_texts(String text, String safe) {
        assertThat(Redaction.of(text)).isEqualTo(safe);
    }

    @Test
    void a_long_text_is_truncated() {
        assertThat(Redaction.of("x".repeat(100_000))).hasSizeLessThan(1_100);
    }
}

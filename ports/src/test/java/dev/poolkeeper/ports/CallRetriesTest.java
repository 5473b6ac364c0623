package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallRetriesTest {

    /** RFC 9110, section 9.2.2; PATCH is RFC 5789. */
    @ParameterizedTest
    @CsvSource({
        "CONNECT, false",
        "DELETE, true",
        "GET, true",
        "HEAD, true",
        "OPTIONS, true",
        "PATCH, false",
        "POST, false",
        "PUT, true",
        "TRACE, true",
    })
    void methods_are_idempotent_as_http_says(String method, boolean isIdempotent) {
        assertThat(CallRetries.IDEMPOTENT_METHODS.contains(method)).isEqualTo(isIdempotent);
    }
}

package dev.poolkeeper.ports.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, absent",
                "'', absent",
                "' \t ', absent",
                "0, 2026-03-01T12:00:00Z",
                "17, 2026-03-01T12:00:17Z",
                "' 17 ', 2026-03-01T12:00:17Z",
                "017, 2026-03-01T12:00:17Z",
                "+17, 2026-03-01T12:00:17Z",
                "-17, 2026-03-01T12:00:00Z",
                "-99999999999999999999, 2026-03-01T12:00:00Z",
                "86400, 2026-03-02T12:00:00Z",
                "86401, 2026-03-02T12:00:00Z",
                "9223372036854775807, 2026-03-02T12:00:00Z",
                "99999999999999999999, 2026-03-02T12:00:00Z",
                "'Sun, 01 Mar 2026 12:00:09 GMT', 2026-03-01T12:00:09Z",
                "'sun, 01 mar 2026 12:00:09 gmt', 2026-03-01T12:00:09Z",
                "'Mon, 01 Mar 2026 12:00:09 GMT', 2026-03-01T12:00:09Z",
                "'MON, 01 MAR 2026 12:00:09 GMT', 2026-03-01T12:00:09Z",
                "'Sun,01 Mar 2026 12:00:09 GMT', 2026-03-01T12:00:09Z",
                "'01 Mar 2026 12:00:09 GMT', 2026-03-01T12:00:09Z",
                "'Sun, 1 Mar 2026 12:00:09 GMT', 2026-03-01T12:00:09Z",
                "'Sun, 01 Mar 2026 11:59:59 GMT', 2026-03-01T11:59:59Z",
                "'Mon, 02 Mar 2026 12:00:00 GMT', 2026-03-02T12:00:00Z",
                "'Mon, 02 Mar 2026 12:00:01 GMT', 2026-03-02T12:00:00Z",
                "'Sat, 01 Mar 2036 12:00:00 GMT', 2026-03-02T12:00:00Z",
                "1.5, unreadable",
                "17s, unreadable",
                "soon, unreadable",
                "2026-03-01T12:00:09Z, unreadable"
            })
    void each_form_is_read_and_none_is_later_than_a_day(String header, String at) {
        String read = switch (RetryAfter.parse(header, NOW)) {
            case RetryAfter.At(Instant instant) -> instant.toString();
            case RetryAfter.Absent() -> "absent";
            case RetryAfter.Unreadable() -> "unreadable";
        };
        assertThat(read).isEqualTo(at);
    }
}

package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteRecordTest {

    @ParameterizedTest
    @CsvSource({
        "404, 404",
        "500 500 503, 500",
        "503 500 500, 500",
        "500 503 503, 503",
        "200 200 200 500, 500",
        "0 0 0 500, 500",
        "200 299, 503",
        "0, 503",
        "'', 503"
    })
    void a_failed_attempt_has_the_most_frequent_status_of_those_that_failed(String statuses, int failure) {
        RouteRecord record = new RouteRecord();
        Stream.of(statuses.split(" "))
                .filter(status -> !status.isEmpty())
                .forEach(status -> record.attempted(Integer.parseInt(status), Duration.ofMillis(5)));
        assertThat(record.measured(Duration.ofSeconds(10)).status()).isEqualTo(failure);
    }
}

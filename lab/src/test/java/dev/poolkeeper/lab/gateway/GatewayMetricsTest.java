package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.core.retry.RetryModel.BudgetStatus;
import dev.poolkeeper.lab.retries.Measured;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each series of the gateway, with its value and unit. */
class GatewayMetricsTest {

    private static GatewayMetrics used(String route) {
        GatewayMetrics metrics = new GatewayMetrics(() -> new TreeMap<>(Map.of(
                route + "1", new BudgetStatus("b", OptionalLong.of(5), 6),
                route + "2", new BudgetStatus("b", OptionalLong.empty(), 7))));
        for (int i = 0; i < 4; i++) {
            metrics.began();
        }
        metrics.ended(route, 200, Duration.ofMillis(1_500));
        metrics.ended(route, 503, Duration.ofMillis(250));
        metrics.ended(route, 503, Duration.ofSeconds(90));
        metrics.attempted(route, 200, Duration.ofMillis(100));
        metrics.attempted(route, 503, Duration.ofMillis(100));
        metrics.attempted(route, 503, Duration.ofMillis(100));
        metrics.attemptFailed(route, "timeout", Duration.ofMillis(100));
        metrics.attemptFailed(route, "connection", Duration.ofMillis(100));
        metrics.retried(route);
        metrics.retried(route);
        return metrics;
    }

    @Test
    void each_series_has_its_value() {
        assertThat(used("r").text().lines().filter(line -> !line.startsWith("#")))
                .containsExactlyInAnyOrder("""
                    poolkeeper_gateway_requests_total{route="r",status="200"} 1
                    poolkeeper_gateway_requests_total{route="r",status="503"} 2
                    poolkeeper_gateway_attempts_total{route="r",result="200"} 1
                    poolkeeper_gateway_attempts_total{route="r",result="503"} 2
                    poolkeeper_gateway_attempts_total{route="r",result="connection"} 1
                    poolkeeper_gateway_attempts_total{route="r",result="timeout"} 1
                    poolkeeper_gateway_retries_total{route="r"} 2
                    poolkeeper_gateway_requests_in_progress 1
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.001"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.0025"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.005"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.01"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.025"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.05"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.1"} 0
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.25"} 1
                    poolkeeper_gateway_request_duration_seconds_bucket{le="0.5"} 1
                    poolkeeper_gateway_request_duration_seconds_bucket{le="1.0"} 1
                    poolkeeper_gateway_request_duration_seconds_bucket{le="2.5"} 2
                    poolkeeper_gateway_request_duration_seconds_bucket{le="5.0"} 2
                    poolkeeper_gateway_request_duration_seconds_bucket{le="10.0"} 2
                    poolkeeper_gateway_request_duration_seconds_bucket{le="30.0"} 2
                    poolkeeper_gateway_request_duration_seconds_bucket{le="60.0"} 2
                    poolkeeper_gateway_request_duration_seconds_bucket{le="+Inf"} 3
                    poolkeeper_gateway_request_duration_seconds_sum 91.75
                    poolkeeper_gateway_request_duration_seconds_count 3
                    poolkeeper_gateway_retries_refused_total{budget="r1"} 6
                    poolkeeper_gateway_retries_refused_total{budget="r2"} 7
                    poolkeeper_gateway_retry_budget_balance{budget="r1"} 5
                    """.lines().toArray(String[]::new));
    }

    @Test
    void each_series_has_a_help_text_and_its_type() {
        assertThat(used("r").text().lines().filter(line -> line.startsWith("#")))
                .containsExactly("""
                    # HELP poolkeeper_gateway_requests_total Responses to clients by route and status.
                    # TYPE poolkeeper_gateway_requests_total counter
                    # HELP poolkeeper_gateway_attempts_total Attempts sent to backends by route and result.
                    # TYPE poolkeeper_gateway_attempts_total counter
                    # HELP poolkeeper_gateway_retries_total Retries that were sent, by route.
                    # TYPE poolkeeper_gateway_retries_total counter
                    # HELP poolkeeper_gateway_requests_in_progress Requests in progress.
                    # TYPE poolkeeper_gateway_requests_in_progress gauge
                    # HELP poolkeeper_gateway_request_duration_seconds Time until clients receive the response, including\
                     retries and waits.
                    # TYPE poolkeeper_gateway_request_duration_seconds histogram
                    # HELP poolkeeper_gateway_retries_refused_total Retries that a budget refused.
                    # TYPE poolkeeper_gateway_retries_refused_total counter
                    # HELP poolkeeper_gateway_retry_budget_balance Retries currently available in a budget.
                    # TYPE poolkeeper_gateway_retry_budget_balance gauge
                    """.lines().toArray(String[]::new));
    }

    /** An attempt without a response is one that did not succeed. */
    @Test
    void each_figure_of_a_route_has_its_value() {
        GatewayMetrics metrics = new GatewayMetrics(Map::of);
        metrics.ended("r", 200, Duration.ofMillis(10));
        metrics.ended("r", 499, Duration.ofMillis(100));
        metrics.ended("r", 503, Duration.ofSeconds(1));
        metrics.ended("r", 504, Duration.ofSeconds(10));
        metrics.ended("other", 200, Duration.ofMillis(1));
        metrics.ended("", 404, Duration.ofMillis(1));
        metrics.attempted("r", 200, Duration.ofMillis(10));
        metrics.attempted("r", 502, Duration.ofMillis(10));
        metrics.attempted("r", 502, Duration.ofMillis(100));
        metrics.attemptFailed("r", "timeout", Duration.ofSeconds(10));
        metrics.attemptFailed("r", "connection", Duration.ofSeconds(1));

        assertThat(metrics.recorded("r").orElseThrow().measured(Duration.ofSeconds(10)))
                .isEqualTo(new Measured(
                        .25,
                        .4,
                        .2,
                        .5,
                        Duration.ofMillis(100),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(10),
                        502));
        assertThat(metrics.recorded("")).isEmpty();
        assertThat(metrics.recorded("none")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {HostileText.SHORT, "a\"} 1\nforged{x=\"", "\\", "\"", "ends with \\"})
    void names_of_routes_and_budgets_cannot_break_a_line(String route) {
        String text = used(route).text();
        HostileText.assertSafe(text);
        assertThat(text.lines().filter(line -> !line.startsWith("#")))
                .hasSize(29)
                .allMatch(line -> line.matches(
                        "poolkeeper_gateway_\\w+(\\{\\w+=\"(\\\\.|[^\"\\\\])*\"(,\\w+=\"\\w+\")?})? [0-9.]+"
                                + "|poolkeeper_gateway_\\w+\\{le=\".*\"} [0-9]+"));
    }
}

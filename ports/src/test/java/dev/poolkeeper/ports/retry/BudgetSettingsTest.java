package dev.poolkeeper.ports.retry;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BudgetSettingsTest {

    private static final MinRetryRate FLOOR = MinRetryRate.STANZA_DEFAULT;

    private static void assertRefused(Runnable settings, String message) {
        assertThatThrownBy(settings::run)
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage(message);
    }

    @Test
    @Rule(id = "P30", says = "budget.percent is from 0 to 100.", source = "XBackendTrafficPolicy's validation")
    void the_percentage_is_from_0_to_100() {
        assertThat(new GatewayApi(0, ofSeconds(10), FLOOR).percent()).isZero();
        assertThat(new GatewayApi(100, ofSeconds(10), FLOOR).percent()).isEqualTo(100);
        assertRefused(
                () -> new GatewayApi(-1, ofSeconds(10), FLOOR),
                "retryConstraint.budget.percent: found -1, must be from 0 to 100");
        assertRefused(
                () -> new GatewayApi(101, ofSeconds(10), FLOOR),
                "retryConstraint.budget.percent: found 101, must be from 0 to 100");
    }

    @Test
    @Rule(id = "P31", says = "budget.interval is from 1s to 1h.", source = "XBackendTrafficPolicy's validation")
    void the_interval_is_from_a_second_to_an_hour() {
        assertThat(new GatewayApi(20, ofSeconds(1), FLOOR).interval()).isEqualTo(ofSeconds(1));
        assertThat(new GatewayApi(20, ofHours(1), FLOOR).interval()).isEqualTo(ofHours(1));
        assertRefused(
                () -> new GatewayApi(20, ofMillis(999), FLOOR),
                "retryConstraint.budget.interval: found 999ms, must be from 1s to 1h");
        assertRefused(
                () -> new GatewayApi(20, ofMillis(3_600_001), FLOOR),
                "retryConstraint.budget.interval: found 1h1ms, must be from 1s to 1h");
    }

    @Test
    @Rule(
            id = "P32",
            says = "minRetryRate.count is from 1 to 1000000, minRetryRate.interval more than 0s and at most 1h.",
            source = "XBackendTrafficPolicy's validation")
    void the_floor_has_bounds() {
        assertThat(new MinRetryRate(1_000_000, ofHours(1)).count()).isEqualTo(1_000_000);
        assertRefused(
                () -> new MinRetryRate(0, ofSeconds(1)),
                "retryConstraint.minRetryRate.count: found 0, must be from 1 to 1000000");
        assertRefused(
                () -> new MinRetryRate(1_000_001, Duration.ZERO),
                "retryConstraint.minRetryRate.count: found 1000001, must be from 1 to 1000000; "
                        + "retryConstraint.minRetryRate.interval: found 0s, must be more than 0s and at most 1h");
        assertRefused(
                () -> new MinRetryRate(1, ofSeconds(3_601)),
                "retryConstraint.minRetryRate.interval: found 1h1s, must be more than 0s and at most 1h");
    }

    @Test
    @Rule(
            id = "P33",
            says = "retryRatio is from 0 to 1000, minRetriesPerSecond 0 or more, ttl from 1s to 60s.",
            source = "Linkerd's proxy, which else has no budget and no retries at all")
    void linkerds_settings_have_bounds() {
        assertThat(new Linkerd(1_000, 0, ofSeconds(60)).retryRatio()).isEqualTo(1_000);
        assertRefused(
                () -> new Linkerd(Double.NaN, -1, ofSeconds(61)),
                "retryBudget.retryRatio: found NaN, must be from 0 to 1000; "
                        + "retryBudget.minRetriesPerSecond: found -1, must be 0 or more; "
                        + "retryBudget.ttl: found 1m1s, must be from 1s to 60s");
        assertRefused(
                () -> new Linkerd(1_000.5, 0, ofMillis(999)),
                "retryBudget.retryRatio: found 1000.5, must be from 0 to 1000; "
                        + "retryBudget.ttl: found 999ms, must be from 1s to 60s");
    }

    @Test
    @Rule(
            id = "P34",
            says = "A stanza's defaults are the Gateway API's: 20 % over 10 s, at least 10 per second.",
            source = "XBackendTrafficPolicy's defaults")
    void a_stanza_has_the_defaults_of_the_gateway_api() {
        assertThat(GatewayApi.STANZA_DEFAULT)
                .isEqualTo(new GatewayApi(20, ofSeconds(10), new MinRetryRate(10, ofSeconds(1))));
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.Failure;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine's clock is set while the parts of a process are made: they still mean the same by an instant. */
@Timeout(60)
class OneClockTest {

    @ParameterizedTest
    @ValueSource(longs = {-3_600, -1, 1, 3_600})
    @Rule(
            id = "A62",
            says = "Engine and adapters of a process share one steady clock: a Retry-After lasts as long as Azure"
                    + " asked, whenever the machine's clock was set.",
            source = "ours")
    void a_retry_after_lasts_as_long_as_azure_asked(long step) throws Exception {
        try (ArmHarness harness = new ArmHarness()) {
            AzurePools pools = harness.pools();
            harness.time.jump(Duration.ofSeconds(step));
            InstantSource engines = harness.time.steady();
            harness.arm.then(429, "", "Retry-After", "30");

            Failure failure = failure(pools.read(SHOP_WEB));

            assertThat(failure)
                    .isInstanceOfSatisfying(
                            Failure.Throttled.class,
                            throttled -> assertThat(throttled.retryAfter())
                                    .isEqualTo(engines.instant().plusSeconds(30)));
        }
    }
}

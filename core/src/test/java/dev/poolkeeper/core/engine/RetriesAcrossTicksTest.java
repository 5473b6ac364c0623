package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long the retries of many pools take when all fail at once, on virtual time. Calls take no time. */
class RetriesAcrossTicksTest {

    private static UpdateFixture fixture(int pools) {
        UpdateFixture f = new UpdateFixture(EngineSettings.DEFAULT.withPace(Pace.TICK));
        for (int i = 0; i < pools; i++) {
            PoolKey pool = PoolKey.of("lb-1", "ns-svc" + i);
            f.cloud.putPool(pool, AddressSet.empty());
            f.want(new ServiceName("ns", "svc" + i), pool, "10.0.0.4");
        }
        return f;
    }

    /** The time until the last event with that reason was emitted. */
    private static Duration last(UpdateFixture f, ServiceEvent.Reason reason) {
        return f.events.emitted().stream()
                .filter(emitted -> emitted.event().reason() == reason)
                .map(Emitted::at)
                .map(at -> Duration.between(FakeTime.START, at))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1_000})
    @Rule(
            id = "P65",
            says = "Retries across ticks are limited only by maxRetries and the interval unless a budget is"
                    + " configured: the next tick updates all pools that had a conflict, however many.",
            source = "design document, Retry Model")
    void pools_with_one_conflict_each_are_all_updated_at_the_next_tick(int pools) {
        UpdateFixture f = fixture(pools);
        for (int i = 0; i < pools; i++) {
            f.fault(FaultRule.always(409).forMethod("PUT").forPool("ns-svc" + i).times(1));
        }

        f.ticks(2);

        assertThat(f.counted()).containsExactly((long) pools, 0L, (long) pools);
        assertThat(last(f, ServiceEvent.Reason.UPDATED)).isEqualTo(Duration.ofSeconds(60));
        assertThat(f.waiting()).isZero();
    }

    @Test
    void pools_that_always_fail_are_reported_after_max_retries_plus_one_ticks() {
        UpdateFixture f = fixture(100);
        f.fault(FaultRule.always(409).forMethod("PUT"));

        f.ticks(4);

        assertThat(f.counted()).containsExactly(0L, 100L, 300L);
        assertThat(last(f, ServiceEvent.Reason.FAILED)).isEqualTo(Duration.ofSeconds(120));
        assertThat(f.waiting()).isZero();
    }
}

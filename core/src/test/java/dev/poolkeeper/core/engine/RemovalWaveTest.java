package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The safety brake with the eager pace. Ten pools of thirty addresses. */
class RemovalWaveTest {

    private static final int POOLS = 10;
    private static final int SIZE = 30;

    private final EngineFixture the = new EngineFixture(
            EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT).withResync(Duration.ZERO));

    @BeforeEach
    void inStep() {
        for (int pool = 0; pool < POOLS; pool++) {
            the.pool("s" + pool, without(0));
            the.service("s" + pool, without(0));
        }
        the.lead();
        the.engine.listIfDue();
        run(Duration.ofSeconds(31));
        assertThat(total()).isEqualTo(POOLS * SIZE);
    }

    /** The nodes of each pool, without the first few. */
    private static int[] without(int few) {
        return EngineFixture.range(1 + few, SIZE);
    }

    private int total() {
        int total = 0;
        for (int pool = 0; pool < POOLS; pool++) {
            total += the.held("s" + pool).size();
        }
        return total;
    }

    private void run(Duration duration) {
        Instant end = the.time.instant().plus(duration);
        while (the.engine.nextStart().filter(next -> !next.isAfter(end)).isPresent()) {
            the.time.advanceTo(the.engine.nextStart().orElseThrow());
            Ticks.of(the.engine).join();
        }
        the.time.advanceTo(end);
    }

    @Test
    @Rule(
            id = "J14",
            says = "With the eager pace removals that together lose more than a tenth of all addresses, and at least"
                    + " safetyBrake.minAddresses, wait for one window (one interval) before they are written; additions"
                    + " continue, and pools that do not shrink do not wait.",
            source = "ours")
    void removals_of_more_than_a_tenth_wait_for_a_window() {
        the.endpoints("s0", without(29));
        run(Duration.ofSeconds(2));
        assertThat(the.held("s0")).as("29 of 300").hasSize(1);

        the.endpoints("s1", EngineFixture.all(without(5), 90));
        the.endpoints("s2", EngineFixture.range(31, 60));
        run(Duration.ofSeconds(29));
        assertThat(the.held("s1")).as("more than a tenth; one is replaced").hasSize(30);
        assertThat(the.held("s2")).as("replaced").isEqualTo(EngineFixture.addresses(EngineFixture.range(31, 60)));
        assertThat(the.reasons()).doesNotContain("shop/s1 HELD");
        run(Duration.ofSeconds(3));
        assertThat(the.held("s1")).isEqualTo(EngineFixture.addresses(EngineFixture.all(without(5), 90)));
    }

    @Test
    @Rule(
            id = "J15",
            says = "With the eager pace too, a wave of removals that arrives pool by pool within a window is held"
                    + " when it exceeds the share; only a tenth of all addresses has gone by then.",
            source = "ours")
    void a_wave_that_arrives_pool_by_pool_is_held() {
        for (int pool = 0; pool < 7; pool++) {
            the.endpoints("s" + pool, without(25));
            run(Duration.ofSeconds(2));
        }
        run(Duration.ofMinutes(5));

        assertThat(total()).isGreaterThanOrEqualTo(POOLS * SIZE * 9 / 10);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(150L);

        run(Duration.ofMinutes(10));
        assertThat(total()).isEqualTo(POOLS * SIZE - 175);
    }

    @Test
    void reverted_removals_no_longer_wait() {
        the.endpoints("s0", without(20));
        the.endpoints("s1", without(20));
        run(Duration.ofSeconds(10));
        the.endpoints("s0", without(0));
        the.endpoints("s1", without(0));
        run(Duration.ofMinutes(2));
        assertThat(total()).isEqualTo(POOLS * SIZE);
        the.endpoints("s0", without(20));
        run(Duration.ofSeconds(2));
        assertThat(the.held("s0")).hasSize(10);
    }

    @Test
    void fewer_removals_than_matter_do_not_wait() {
        EngineFixture few = the;
        for (int pool = 2; pool < POOLS; pool++) {
            few.cluster.deleteService(new ServiceName("shop", "s" + pool));
        }
        few.endpoints("s0", without(10));
        few.endpoints("s1", without(9));
        run(Duration.ofSeconds(2));
        assertThat(few.held("s0").size() + few.held("s1").size()).as("19 of 60").isEqualTo(41);
    }
}

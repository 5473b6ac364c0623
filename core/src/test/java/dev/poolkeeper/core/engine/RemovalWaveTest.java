package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The safety brake with the eager pace. Ten pools of six addresses. */
class RemovalWaveTest {

    private static final int POOLS = 10;
    private static final int SIZE = 6;

    private final EngineFixture the = new EngineFixture(
            EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT).withResync(Duration.ZERO));

    @BeforeEach
    void inStep() {
        for (int pool = 0; pool < POOLS; pool++) {
            the.pool("s" + pool, range(pool, 0));
            the.service("s" + pool, range(pool, 0));
        }
        the.lead();
        the.engine.listIfDue();
        run(Duration.ofSeconds(31));
        assertThat(total()).isEqualTo(POOLS * SIZE);
    }

    /** The nodes of a pool, without the first few. */
    private static int[] range(int pool, int without) {
        return EngineFixture.range(pool * SIZE + 1 + without, (pool + 1) * SIZE);
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
            the.engine.tick().join();
        }
        the.time.advanceTo(end);
    }

    @Test
    @Rule(
            id = "J14",
            says = "With the eager pace removals that together exceed a tenth of all addresses wait for one"
                    + " window (safetyBrake: one interval) before they are written; additions continue.",
            source = "ours")
    void removals_of_more_than_a_tenth_wait_for_a_window() {
        the.endpoints("s0", range(0, 5));
        run(Duration.ofSeconds(2));
        assertThat(the.held("s0")).as("a twelfth").hasSize(1);

        the.endpoints("s1", EngineFixture.all(range(1, 5), 90));
        run(Duration.ofSeconds(29));
        assertThat(the.held("s1")).as("together a sixth").hasSize(7);
        assertThat(the.reasons()).doesNotContain("shop/s1 HELD");
        run(Duration.ofSeconds(3));
        assertThat(the.held("s1")).isEqualTo(EngineFixture.addresses(EngineFixture.all(range(1, 5), 90)));
    }

    @Test
    @Rule(
            id = "J15",
            says = "With the eager pace too, a wave of removals that arrives pool by pool within a window is"
                    + " held as a whole, except for the first tenth of all addresses.",
            source = "ours")
    void a_wave_that_arrives_pool_by_pool_is_held() {
        for (int pool = 0; pool < POOLS; pool++) {
            the.endpoints("s" + pool, range(pool, 5));
            run(Duration.ofSeconds(2));
        }
        run(Duration.ofMinutes(5));

        assertThat(total()).isGreaterThanOrEqualTo(POOLS * SIZE * 9 / 10);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).isNotEmpty();

        run(Duration.ofMinutes(10));
        assertThat(total()).isEqualTo(POOLS);
    }

    @Test
    void reverted_removals_no_longer_wait() {
        the.endpoints("s0", range(0, 5));
        the.endpoints("s1", range(1, 5));
        run(Duration.ofSeconds(10));
        the.endpoints("s0", range(0, 0));
        the.endpoints("s1", range(1, 0));
        run(Duration.ofMinutes(2));
        assertThat(total()).isEqualTo(POOLS * SIZE);
        the.endpoints("s0", range(0, 5));
        run(Duration.ofSeconds(2));
        assertThat(the.held("s0")).hasSize(1);
    }
}

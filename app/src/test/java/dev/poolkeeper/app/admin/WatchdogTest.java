package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchdogTest {

    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTime time = new FakeTime();
    private final Watchdog watchdog = new Watchdog(time::nanoTime);

    private List<String> faults() {
        return watchdog.checks().stream()
                .filter(check -> !check.passes())
                .map(check -> check.name() + " " + check.fault())
                .toList();
    }

    /** Time passes, and a caller looks every two seconds, as leader election does. */
    private void pass(Duration duration) {
        for (long second = 0; second < duration.toSeconds(); second += 2) {
            time.advance(SECOND.multipliedBy(2));
            watchdog.isSound();
        }
    }

    @Test
    @Rule(
            id = "O60",
            says = "What overruns a deadline that our own code should have kept (a call, an attempt, a listing, a tick,"
                    + " a decision of a retry policy) by more than a minute is stuck: the renewals of both Leases end,"
                    + " no further request is sent, and then /livez fails. A paused process is not stuck.",
            source = "ours")
    void a_call_that_overruns_its_deadline_by_a_minute_is_stuck() {
        watchdog.begin("read of pool lb-1/shop-web", DEADLINE);

        pass(DEADLINE.plus(Watchdog.MARGIN));
        assertThat(watchdog.isSound()).isTrue();
        assertThat(faults()).isEmpty();
        pass(Duration.ofSeconds(12));

        assertThat(watchdog.isSound()).isFalse();
        assertThat(faults())
                .containsExactly("deadlines read of pool lb-1/shop-web: has not ended for 372 s (limit 360 s)");
    }

    @Test
    void a_call_that_ends_in_time_is_not_stuck() {
        for (int i = 0; i < 10; i++) {
            try (Watchdog.Watch unused = watchdog.begin("read", DEADLINE)) {
                pass(DEADLINE.plusSeconds(58));
            }
        }
        assertThat(watchdog.isSound()).isTrue();
    }

    @Test
    void what_was_stuck_once_stays_stuck() {
        Watchdog.Watch watch = watchdog.begin("decision", Duration.ZERO);
        pass(Duration.ofSeconds(74));
        watch.close();
        pass(Duration.ofHours(1));

        assertThat(watchdog.isSound()).isFalse();
        assertThat(faults()).hasSize(1);
    }

    @Test
    void a_process_that_was_paused_is_not_stuck() {
        Watchdog.Watch call = watchdog.begin("read", DEADLINE);
        Watchdog.Heartbeat loop = watchdog.watch("ticks", Duration.ofSeconds(150));
        time.advance(Duration.ofHours(1)); // no one looks

        assertThat(watchdog.isSound()).as("the first look after the pause").isTrue();
        time.advance(SECOND);
        call.close(); // what its deadline ends
        loop.beat();
        pass(Duration.ofSeconds(100));

        assertThat(watchdog.isSound()).isTrue();
        assertThat(faults()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"132, false", "132, true", "138, false", "138, true"})
    void delays_of_a_loop_that_ended_do_not_add_up(long seconds, boolean rests) {
        Watchdog.Heartbeat loop = watchdog.watch("ticks", Duration.ofSeconds(150));
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofSeconds(seconds));
            if (rests) {
                loop.rest();
                pass(Duration.ofSeconds(20));
            }
            loop.beat();
        }
        assertThat(watchdog.isSound()).isTrue();
        assertThat(faults()).isEmpty();
    }

    @Test
    void a_process_that_is_paused_again_and_again_is_not_stuck() {
        Watchdog.Heartbeat loop = watchdog.watch("ticks", Duration.ofSeconds(150));
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofHours(1));
            assertThat(watchdog.isSound()).as("the first look after the pause").isTrue();
            loop.beat();
            pass(Duration.ofSeconds(20));
        }
        assertThat(watchdog.isSound()).isTrue();
        assertThat(faults()).isEmpty();
    }

    @Test
    void a_silent_loop_ends_the_renewals_before_its_check_fails() {
        watchdog.watch("ticks", Duration.ofSeconds(150));

        pass(Duration.ofSeconds(130));
        assertThat(watchdog.isSound()).isTrue();
        pass(Duration.ofSeconds(14));
        assertThat(watchdog.isSound()).isFalse();
        time.advance(Duration.ofSeconds(7));

        assertThat(faults())
                .containsExactly(
                        "ticks no heartbeat for 151 s (limit 150 s)",
                        "deadlines loop ticks: no heartbeat for 142 s (limit 150 s)");
    }

    @Test
    void a_loop_that_beats_or_rests_is_not_stuck() {
        Watchdog.Heartbeat beats = watchdog.watch("ticks", Duration.ofSeconds(150));
        Watchdog.Heartbeat rests = watchdog.watch("files", Duration.ofSeconds(65));
        rests.rest();
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(100));
            beats.beat();
        }
        assertThat(watchdog.isSound()).isTrue();
    }
}

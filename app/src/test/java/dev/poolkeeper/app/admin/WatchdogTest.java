package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import dev.poolkeeper.app.logging.Logged;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchdogTest {

    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    final Logged logged = new Logged(Watchdog.class, Level.INFO);

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

    @Test
    void each_loop_has_a_check_in_the_order_of_names() {
        watchdog.watch("ticks", Duration.ofSeconds(150));
        watchdog.watch("files", Duration.ofSeconds(65));
        watchdog.watch("lease", Duration.ofSeconds(90));
        time.advance(Duration.ofSeconds(91));

        assertThat(watchdog.checks())
                .extracting(Check::name, Check::fault)
                .containsExactly(
                        tuple("files", "no heartbeat for 91 s (limit 65 s)"),
                        tuple("lease", "no heartbeat for 91 s (limit 90 s)"),
                        tuple("ticks", null),
                        tuple("deadlines", null));
    }

    @Test
    void what_is_stuck_is_logged_once_with_where_it_is() {
        watchdog.begin("read", Duration.ZERO);
        watchdog.begin("write", Duration.ofSeconds(30));
        watchdog.watch("ticks", Duration.ofSeconds(300));

        pass(Duration.ofMinutes(20));

        assertThat(logged.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getKeyValuePairs())
                    .extracting(pair -> pair.key + "=" + pair.value)
                    .containsExactly("stuck=read: has not ended for 72 s (limit 60 s)");
            assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
                    .anySatisfy(element -> assertThat(element.getSTEAsString()).contains("WatchdogTest"));
        });
    }

    @Test
    void a_silent_loop_is_logged_without_a_place() {
        watchdog.watch("ticks", Duration.ofSeconds(150));

        pass(Duration.ofSeconds(200));

        assertThat(logged.list).singleElement().satisfies(event -> {
            assertThat(event.getKeyValuePairs())
                    .extracting(pair -> pair.key + "=" + pair.value)
                    .containsExactly("stuck=loop ticks: no heartbeat for 142 s (limit 150 s)");
            assertThat(event.getThrowableProxy()).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource({"20, 32", "40, 52", "41, 32", "150, 142"})
    void a_loop_is_stuck_twenty_seconds_before_its_limit_if_that_leaves_as_much(int limit, int stuckAfter) {
        watchdog.watch("ticks", Duration.ofSeconds(limit));

        int second = 0;
        while (watchdog.isSound()) {
            time.advance(SECOND.multipliedBy(2));
            second += 2;
        }

        assertThat(second).isEqualTo(stuckAfter);
    }
}

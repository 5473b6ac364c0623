package dev.poolkeeper.simulation.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VirtualTimeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Timeline timeline = new Timeline();
    private final MachineClock clock = new MachineClock(timeline, 0.9, 1_000, Duration.ofHours(1));
    private final VirtualProcess process = new VirtualProcess(timeline, thrown -> {});
    private final VirtualTime time = new VirtualTime(process, clock, new Chance(1));

    private void pass() {
        timeline.run(timeline.now() + 2 * Timeline.SECONDS, () -> false);
    }

    @Test
    void no_two_looks_show_the_same_time() {
        for (int i = 0; i < 3; i++) {
            long nanos = time.nanoTime();
            Instant wall = time.instant();
            assertThat(time.nanoTime()).isGreaterThan(nanos);
            assertThat(time.instant()).isAfter(wall);
            pass();
            assertThat(time.nanoTime() - nanos).isBetween(1_799_999_990L, 1_800_000_010L);
        }
    }

    @Test
    void the_clock_goes_on_where_it_stopped_after_a_suspension() {
        long since = clock.passed();
        long before = time.nanoTime();
        process.pause();
        pass();
        long meanwhile = time.nanoTime();
        clock.stoodStillSince(since);
        process.goOn();
        assertThat(meanwhile - before).isGreaterThan(1_000_000_000L);
        assertThat(time.nanoTime() - before).isBetween(1L, 10L);
    }

    @Test
    void a_timer_is_never_early() {
        List<Instant> due = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Instant wanted = time.instant().plus(SECOND);
            time.schedule(SECOND, () -> due.add(wanted));
        }
        timeline.run(timeline.now() + 3 * Timeline.SECONDS, () -> {
            due.removeIf(wanted -> !time.instant().isBefore(wanted));
            return false;
        });
        assertThat(due).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1", "2, 1", "1, 0.5", "1, 2", "0.5, 2", "2, 0.5", "1, 1"})
    void a_wait_in_progress_keeps_its_length_by_the_clock_of_its_machine(double before, double after) {
        clock.run(before);
        long begun = time.nanoTime();
        List<Long> lasted = new ArrayList<>();
        time.schedule(SECOND.multipliedBy(10), () -> lasted.add(time.nanoTime() - begun));
        Time.Cancellable other = time.schedule(SECOND.multipliedBy(10), () -> lasted.add(0L));
        pass();
        clock.run(after);
        pass();
        other.cancel();
        clock.run(before);
        timeline.run(timeline.now() + 30 * Timeline.SECONDS, () -> false);
        assertThat(lasted).hasSize(1).allSatisfy(it -> assertThat(it).isBetween(10_000_000_000L, 10_000_000_010L));
    }

    @Test
    void what_a_paused_process_has_waited_for_happens_once() {
        List<String> happened = new ArrayList<>();
        time.schedule(SECOND, () -> happened.add("timer"));
        process.pause();
        pass();
        clock.run(2);
        pass();
        process.goOn();
        pass();
        assertThat(happened).containsExactly("timer");
    }

    @Test
    void a_task_that_starts_itself_without_a_wait_ends_the_run() {
        Runnable[] again = new Runnable[1];
        again[0] = () -> time.schedule(Duration.ZERO, again[0]);
        again[0].run();
        assertThatThrownBy(this::pass)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("time stands still");
    }
}

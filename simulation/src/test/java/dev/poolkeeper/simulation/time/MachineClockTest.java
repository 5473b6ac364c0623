package dev.poolkeeper.simulation.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MachineClockTest {

    private final Timeline timeline = new Timeline();
    private final MachineClock clock = new MachineClock(timeline, 1, 1_000, Duration.ZERO);
    private final long start = clock.nanoTime();
    private final Instant wallAtStart = clock.instant();

    private void pass(long seconds) {
        timeline.run(timeline.now() + seconds * Timeline.SECONDS, () -> false);
    }

    private long seconds() {
        return (clock.nanoTime() - start) / Timeline.SECONDS;
    }

    private long wallSeconds() {
        return Duration.between(wallAtStart, clock.instant()).toSeconds();
    }

    @Test
    void both_clocks_continue_without_a_jump_when_their_rate_changes() {
        pass(10);
        clock.run(2);
        assertThat(seconds()).isEqualTo(10);
        pass(10);
        assertThat(seconds()).isEqualTo(30);
        clock.run(0.5);
        pass(10);
        assertThat(seconds()).isEqualTo(35);
        clock.run(1);
        pass(10);
        assertThat(seconds()).isEqualTo(45);
        assertThat(wallSeconds()).isEqualTo(45);
    }

    @Test
    void the_monotonic_clock_does_not_count_suspended_time() {
        clock.run(2);
        pass(10);
        long since = clock.passed();
        pass(5);
        clock.run(1);
        pass(5);
        clock.stoodStillSince(since);
        assertThat(seconds()).isEqualTo(20);
        assertThat(wallSeconds()).isEqualTo(35);
        pass(1);
        assertThat(seconds()).isEqualTo(21);
    }

    @Test
    void a_jump_moves_only_the_wall_clock() {
        pass(10);
        clock.jump(Duration.ofSeconds(-600));
        assertThat(seconds()).isEqualTo(10);
        assertThat(wallSeconds()).isEqualTo(-590);
    }
}

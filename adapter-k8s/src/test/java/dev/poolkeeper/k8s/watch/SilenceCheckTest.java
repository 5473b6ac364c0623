package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilenceCheckTest {

    private final FakeTime time = new FakeTime();
    private final List<Duration> reported = new ArrayList<>();
    private final SilenceCheck check = new SilenceCheck(time, Duration.ofMinutes(2), Runnable::run);

    @Test
    void silence_is_reported_once() {
        check.start(reported::add);
        time.advance(Duration.ofSeconds(119));
        assertThat(reported).isEmpty();

        time.advance(Duration.ofHours(1));

        assertThat(reported).containsExactly(Duration.ofMinutes(2));
    }

    @Test
    void a_sign_restarts_the_time() {
        check.start(reported::add);
        time.advance(Duration.ofSeconds(119));
        check.sign();
        time.advance(Duration.ofSeconds(119));
        assertThat(reported).isEmpty();

        time.advance(Duration.ofSeconds(1));

        assertThat(reported).containsExactly(Duration.ofMinutes(2));
    }

    @Test
    void time_before_the_start_does_not_count_as_silence() {
        check.sign();
        time.advance(Duration.ofHours(1));
        check.start(reported::add);
        time.advance(Duration.ofSeconds(119));

        assertThat(reported).isEmpty();
    }

    @Test
    void after_a_stop_nothing_is_reported_although_a_check_was_in_progress() {
        List<Runnable> waiting = new ArrayList<>();
        SilenceCheck slow = new SilenceCheck(time, Duration.ofMinutes(2), waiting::add);
        slow.start(reported::add);
        time.advance(Duration.ofMinutes(2));
        assertThat(waiting).hasSize(1);

        slow.stop();
        waiting.forEach(Runnable::run);

        assertThat(reported).isEmpty();
    }

    @Test
    void only_the_monotonic_clock_counts() {
        check.start(reported::add);
        time.jump(Duration.ofHours(5));
        time.advance(Duration.ofSeconds(119));

        assertThat(reported).isEmpty();
    }
}

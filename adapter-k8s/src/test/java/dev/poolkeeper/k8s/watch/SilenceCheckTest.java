package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilenceCheckTest {

    private final FakeTime time = new FakeTime();
    private final List<Duration> told = new ArrayList<>();
    private final SilenceCheck check = new SilenceCheck(time, Duration.ofMinutes(2), Runnable::run);

    @Test
    void silence_is_told_once_when_it_lasted() {
        check.start(told::add);
        time.advance(Duration.ofSeconds(119));
        assertThat(told).isEmpty();

        time.advance(Duration.ofHours(1));

        assertThat(told).containsExactly(Duration.ofMinutes(2));
    }

    @Test
    void a_sign_starts_the_time_anew() {
        check.start(told::add);
        time.advance(Duration.ofSeconds(119));
        check.sign();
        time.advance(Duration.ofSeconds(119));
        assertThat(told).isEmpty();

        time.advance(Duration.ofSeconds(1));

        assertThat(told).containsExactly(Duration.ofMinutes(2));
    }

    @Test
    void what_happened_before_it_was_started_is_no_silence() {
        check.sign();
        time.advance(Duration.ofHours(1));
        check.start(told::add);
        time.advance(Duration.ofSeconds(119));

        assertThat(told).isEmpty();
    }

    @Test
    void who_stopped_it_hears_nothing_though_a_check_was_under_way() {
        List<Runnable> waiting = new ArrayList<>();
        SilenceCheck slow = new SilenceCheck(time, Duration.ofMinutes(2), waiting::add);
        slow.start(told::add);
        time.advance(Duration.ofMinutes(2));
        assertThat(waiting).hasSize(1);

        slow.stop();
        waiting.forEach(Runnable::run);

        assertThat(told).isEmpty();
    }

    @Test
    void only_the_monotonic_clock_counts() {
        check.start(told::add);
        time.jump(Duration.ofHours(5));
        time.advance(Duration.ofSeconds(119));

        assertThat(told).isEmpty();
    }
}

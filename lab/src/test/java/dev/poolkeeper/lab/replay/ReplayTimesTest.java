package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of a replay, and how they and its lines are written. */
class ReplayTimesTest {

    @ParameterizedTest
    @CsvSource({
        "'read=60ms,write=8s', 60, 8000, 0, 0",
        "'write=8s,read=60ms', 60, 8000, 0, 0",
        "'read=0s,write=0s,jitter=0,seed=0', 0, 0, 0, 0",
        "'seed=-3, jitter=100 , write = 1m30s , read= 1s', 1000, 90000, 100, -3",
        "'read=1s,write=2s,seed=9223372036854775807', 1000, 2000, 0, 9223372036854775807"
    })
    void the_times_of_arm_are_read_in_any_order(String text, long read, long write, int jitter, long seed) {
        assertThat(ArmTimes.parse(text))
                .isEqualTo(new ArmTimes(Duration.ofMillis(read), Duration.ofMillis(write), jitter, seed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "read",
                "read=1s",
                "write=1s",
                "read=1s,write",
                "read=1s,write=2s,",
                "read=1s,write=2s,jitter=101",
                "read=1s,write=2s,jitter=-1",
                "read=1s,write=2s,jitter=1.5",
                "read=1s,write=2s,jitter=",
                "read=1s,write=2s,seed=x",
                "read=1s,write=2s,seed=9223372036854775808",
                "read=1s,write=2s,other=1",
                "read=1s,write=2s,read=1s",
                "Read=1s,write=2s",
                "read=-1s,write=2s",
                "read=1,write=2s",
                "read=1s,write=2 s"
            })
    void other_times_are_refused(String text) {
        assertThatThrownBy(() -> ArmTimes.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("read=DURATION,write=DURATION and, optionally, jitter=PERCENT (0 to 100) and seed=NUMBER,"
                        + " such as read=60ms,write=8s,jitter=10,seed=3");
    }

    @Test
    void the_jitter_is_a_percentage_in_both_directions_and_repeats_with_its_seed() {
        DoubleSupplier none = ArmTimes.parse("read=1s,write=1s,seed=7").factors();
        assertThat(DoubleStream.generate(none).limit(100)).containsOnly(1.0);
        DoubleSupplier some =
                ArmTimes.parse("read=1s,write=1s,jitter=10,seed=7").factors();
        double[] factors = DoubleStream.generate(some).limit(1_000).toArray();
        assertThat(DoubleStream.of(factors).min().orElseThrow()).isBetween(.9, .905);
        assertThat(DoubleStream.of(factors).max().orElseThrow()).isBetween(1.095, 1.1);
        DoubleSupplier again =
                ArmTimes.parse("read=9s,write=1s,jitter=10,seed=7").factors();
        assertThat(DoubleStream.generate(again).limit(1_000).toArray()).isEqualTo(factors);
        DoubleSupplier other =
                ArmTimes.parse("read=1s,write=1s,jitter=10,seed=8").factors();
        assertThat(DoubleStream.generate(other).limit(1_000).toArray()).isNotEqualTo(factors);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 30000",
        "1, 30000",
        "30000, 30000",
        "30001, 60000",
        "60000, 60000",
        "9223372036854775807, 9223372036854775807"
    })
    void ticks_are_multiples_of_the_interval_after_the_start(long millis, long tick) {
        assertThat(new TickTimes(30_000).notBefore(millis)).isEqualTo(tick);
    }

    @ParameterizedTest
    @CsvSource({
        "30000, 60000",
        "9223372036854745807, 9223372036854775807",
        "9223372036854745808, 9223372036854775807",
        "9223372036854775807, 9223372036854775807"
    })
    void after_a_tick_there_is_the_next_or_none(long tick, long next) {
        assertThat(new TickTimes(30_000).after(tick)).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({"0, +0 s, 0", "1, +0.001 s, 1", "22500, +22.5 s, 22500", "100000, +100 s, 100000", "-1500, -1.5 s, 0"})
    void a_virtual_time_is_written_in_seconds(long millis, String text, long notBefore) {
        Instant instant = VirtualTime.instant(millis);
        assertThat(VirtualTime.text(instant)).isEqualTo(millis < 0 ? "+" + text : text);
        assertThat(VirtualTime.millis(instant)).isEqualTo(millis);
        assertThat(VirtualTime.millisNotBefore(instant)).isEqualTo(notBefore);
        assertThat(VirtualTime.millisNotBefore(instant.plusNanos(1))).isEqualTo(millis < 0 ? 0 : millis + 1);
    }

    /** Measured from the first event, and what a step takes is not waited for again. */
    @ParameterizedTest
    @CsvSource({"1, 10000", "2, 5000", "0.5, 20000", "10, 1000"})
    void a_replay_is_so_many_times_faster(double speed, long millis) throws Exception {
        FakeTime time = new FakeTime();
        time.advance(Duration.ofHours(1));
        Instant start = time.instant();
        Speed times = Speed.times(speed, time);
        times.await(0);
        assertThat(time.instant()).isEqualTo(start);
        time.advance(Duration.ofMillis(millis / 4));
        times.await(5_000);
        assertThat(Duration.between(start, time.instant())).isEqualTo(Duration.ofMillis(millis / 2));
        time.advance(Duration.ofMillis(millis));
        times.await(10_000);
        assertThat(Duration.between(start, time.instant())).isEqualTo(Duration.ofMillis(millis * 3 / 2));
        Speed.MAX.await(Long.MAX_VALUE);
        assertThat(Duration.between(start, time.instant())).isEqualTo(Duration.ofMillis(millis * 3 / 2));
    }

    @Test
    void a_stopped_replay_waits_no_more_and_interrupts_only_who_waits() throws Exception {
        StoppableSpeed unused = new StoppableSpeed(Speed.MAX);
        unused.await(1);
        assertThat(unused.isStopped()).isFalse();
        unused.stop();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(unused.isStopped()).isTrue();
        assertThatThrownBy(() -> unused.await(2)).isInstanceOf(InterruptedException.class);

        StoppableSpeed[] itself = new StoppableSpeed[1];
        itself[0] = new StoppableSpeed(millis -> itself[0].stop());
        itself[0].await(1);
        assertThat(Thread.interrupted()).isTrue();

        StoppableSpeed failing = new StoppableSpeed(millis -> {
            throw new IllegalStateException("no time");
        });
        assertThatThrownBy(() -> failing.await(1)).hasMessage("no time");
        failing.stop();
        assertThat(Thread.interrupted()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        ''              ~ 5  ~ 2 ~ ''
        abc             ~ 3  ~ 2 ~ abc
        abc de          ~ 6  ~ 2 ~ abc de
        abc de          ~ 5  ~ 2 ~ abc|  de
        abc de fg       ~ 6  ~ 2 ~ abc de|  fg
        abcdefgh ij     ~ 5  ~ 2 ~ abcdefgh|  ij
        abcdefgh        ~ 5  ~ 2 ~ abcdefgh
        a bcdefgh i     ~ 5  ~ 2 ~ a|  bcdefgh|  i
        abc   de        ~ 5  ~ 1 ~ abc| de
        '  abcdefg hi'  ~ 5  ~ 0 ~ '  abcdefg|hi'
        """)
    void a_line_is_folded_at_blanks(String line, int width, int indent, String folded) {
        assertThat(String.join("|", FoldedText.of(line, width, indent))).isEqualTo(folded);
    }
}

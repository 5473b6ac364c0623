package dev.poolkeeper.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FakeTimeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTime time = new FakeTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void tasks_run_only_when_time_is_advanced_and_in_order_of_their_times() {
        // given
        note("at once", Duration.ZERO);
        note("late", SECOND.multipliedBy(3));
        note("early", SECOND);
        note("early too", SECOND);
        assertThat(ran).isEmpty();
        // when
        time.advance(SECOND.multipliedBy(2));
        // then
        assertThat(ran).containsExactly("at once +0 s", "early +1 s", "early too +1 s");
        assertThat(time.instant()).isEqualTo(FakeTime.START.plusSeconds(2));
        assertThat(time.pending()).isOne();
    }

    @Test
    void a_task_scheduled_by_a_task_runs_in_the_same_advance_if_due() {
        time.schedule(SECOND, () -> note("second", SECOND));
        time.advance(SECOND.multipliedBy(2));
        assertThat(ran).containsExactly("second +2 s");
    }

    @Test
    void a_cancelled_task_does_not_run() {
        Time.Cancellable task = time.schedule(SECOND, () -> ran.add("never"));
        task.cancel();
        time.advance(SECOND);
        assertThat(ran).isEmpty();
        assertThat(time.pending()).isZero();
    }

    @Test
    void both_clocks_advance_alike_and_only_the_wall_clock_jumps() {
        // given
        long nanos = time.nanoTime();
        assertThat(nanos).isNegative();
        // when
        time.advance(SECOND);
        time.jump(Duration.ofDays(-1));
        // then
        assertThat(time.nanoTime() - nanos).isEqualTo(SECOND.toNanos());
        assertThat(time.instant()).isEqualTo(FakeTime.START.plus(SECOND).minus(Duration.ofDays(1)));
    }

    @Test
    void a_steady_clock_does_not_jump() {
        // given
        InstantSource steady = time.steady();
        // when
        time.advance(SECOND);
        time.jump(Duration.ofDays(-1));
        time.advance(SECOND);
        // then
        assertThat(steady.instant()).isEqualTo(FakeTime.START.plusSeconds(2));
    }

    @Test
    void all_parts_have_one_steady_clock_whenever_they_ask_for_it() {
        InstantSource before = time.steady();
        time.jump(Duration.ofHours(-1));
        InstantSource after = time.steady();

        assertThat(after.instant()).isEqualTo(before.instant());
        try (SystemTime real = new SystemTime()) {
            assertThat(real.steady()).isSameAs(real.steady());
        }
    }

    @Test
    void time_advances_to_an_instant_but_not_back() {
        Instant later = FakeTime.START.plusSeconds(5);
        time.advanceTo(later);
        time.advanceTo(FakeTime.START);
        assertThat(time.instant()).isEqualTo(later);
        assertThatIllegalArgumentException().isThrownBy(() -> time.advance(SECOND.negated()));
    }

    @Test
    void sleep_advances_time_and_runs_due_tasks() throws InterruptedException {
        note("meanwhile", SECOND);
        time.sleep(SECOND.multipliedBy(2));
        assertThat(ran).containsExactly("meanwhile +1 s");
        assertThat(time.instant()).isEqualTo(FakeTime.START.plusSeconds(2));
    }

    @Test
    void an_interrupt_ends_a_sleep_when_it_comes() {
        // given
        time.schedule(SECOND, Thread.currentThread()::interrupt);
        // when
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> time.sleep(SECOND.multipliedBy(2)));
        // then
        assertThat(Thread.interrupted()).isFalse();
        assertThat(time.instant()).isEqualTo(FakeTime.START.plusSeconds(1));
    }

    @Test
    void an_available_result_is_returned_at_once() throws Exception {
        assertThat(time.await(CompletableFuture.completedFuture("x"), Duration.ZERO))
                .isEqualTo("x");
        assertThat(time.pending()).isZero();
    }

    @Test
    void waiting_for_a_result_ends_when_time_reaches_the_limit() throws Exception {
        // given
        CompletableFuture<String> never = new CompletableFuture<>();
        FutureTask<String> waiting = inThread(() -> time.await(never, SECOND));
        time.awaitPending(1);
        // when
        time.advance(SECOND);
        // then
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(TimeoutException.class);
        assertThat(never).isNotDone();
    }

    @Test
    void waiting_for_a_result_ends_with_the_result_or_its_exception() throws Exception {
        // given
        CompletableFuture<String> good = new CompletableFuture<>();
        CompletableFuture<String> bad = new CompletableFuture<>();
        FutureTask<String> waitingForGood = inThread(() -> time.await(good, SECOND));
        FutureTask<String> waitingForBad = inThread(() -> time.await(bad, SECOND));
        time.awaitPending(2);
        // when
        good.complete("x");
        bad.completeExceptionally(new IllegalStateException("no"));
        // then
        assertThat(waitingForGood.get()).isEqualTo("x");
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waitingForBad::get)
                .withRootCauseInstanceOf(IllegalStateException.class);
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_pause_delays_tasks_while_time_passes() {
        // given
        note("held", SECOND);
        time.pause();
        time.advance(SECOND.multipliedBy(5));
        assertThat(ran).isEmpty();
        // when
        time.resume();
        time.runDue();
        // then
        assertThat(ran).containsExactly("held +5 s");
    }

    @Test
    void draws_return_the_scripted_values() {
        assertThat(time.draw()).isEqualTo(0.5);
        time.willDraw(0);
        assertThat(time.draw()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> time.willDraw(1));
        assertThatIllegalArgumentException().isThrownBy(() -> time.willDraw(Double.NaN));
    }

    @Test
    void an_infinite_delay_never_ends() {
        time.advance(Duration.ofDays(36_500));
        note("never", Duration.ofSeconds(Long.MAX_VALUE));
        time.advance(Duration.ofDays(36_500));
        assertThat(ran).isEmpty();
    }

    @Test
    void the_wall_clock_is_exact_beyond_the_range_of_nanoseconds() {
        Instant late = Instant.ofEpochMilli(Long.MAX_VALUE);
        time.advanceTo(late);
        assertThat(time.instant()).isEqualTo(late);
    }

    private void note(String what, Duration delay) {
        time.schedule(
                delay,
                () -> ran.add(what + " +"
                        + Duration.between(FakeTime.START, time.instant()).toSeconds() + " s"));
    }

    private static <T> FutureTask<T> inThread(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }
}

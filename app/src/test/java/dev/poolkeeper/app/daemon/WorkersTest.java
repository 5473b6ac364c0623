package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {

    private static final Duration GRACE = Duration.ofSeconds(25);

    private final FakeTime time = new FakeTime();
    private final Workers workers = new Workers(2, Threads.PLATFORM, time);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private boolean isInterruptedAfterwards;

    /** A task that is in progress until it is released, or with its consent interrupted. */
    private void work(boolean endsWhenInterrupted) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        workers.executor().execute(() -> {
            started.countDown();
            while (released.getCount() > 0 && !(endsWhenInterrupted && interrupted.getCount() == 0)) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            }
        });
        started.await();
    }

    private FutureTask<Boolean> drain(List<Thread> threads) {
        FutureTask<Boolean> draining = new FutureTask<>(() -> {
            boolean isClean = workers.drain(GRACE);
            isInterruptedAfterwards = Thread.currentThread().isInterrupted();
            return isClean;
        });
        Thread thread = Threads.PLATFORM.unstarted("draining", draining);
        threads.add(thread);
        thread.start();
        return draining;
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_thread_is_created_only_while_all_are_busy() {
        List<Thread> created = new CopyOnWriteArrayList<>();
        Threads noted = (name, task) -> {
            created.add(Threads.PLATFORM.unstarted(name, task));
            return created.getLast();
        };
        Executor executor = new Workers(5, noted, time).executor();
        for (int i = 0; i < 10; i++) {
            CompletableFuture.runAsync(() -> {}, executor).join();
            while (created.getLast().getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        assertThat(created).as("one after another").hasSize(1);

        CyclicBarrier together = new CyclicBarrier(5);
        CompletableFuture<?>[] tasks = new CompletableFuture<?>[6];
        Arrays.setAll(tasks, i -> CompletableFuture.runAsync(i < 5 ? () -> await(together) : () -> {}, executor));
        CompletableFuture.allOf(tasks).join();
        assertThat(created).as("side by side").hasSize(5);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void idle_workers_are_drained_at_once_and_take_no_further_task() {
        workers.executor().execute(() -> {});
        assertThat(workers.drain(Duration.ZERO)).isTrue();
        assertThatThrownBy(() -> workers.executor().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void a_task_may_end_within_the_grace_period() throws Exception {
        work(false);
        FutureTask<Boolean> drained = drain(new ArrayList<>());
        time.awaitPending(1);
        time.advance(GRACE.minusMillis(1));
        released.countDown();
        assertThat(drained.get()).isTrue();
        assertThat(interrupted.getCount()).as("not interrupted").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_task_that_lasts_longer_is_interrupted_and_has_two_seconds_to_end(boolean endsWhenInterrupted)
            throws Exception {
        work(endsWhenInterrupted);
        FutureTask<Boolean> drained = drain(new ArrayList<>());
        time.awaitPending(1);
        time.advance(GRACE);
        interrupted.await();
        if (!endsWhenInterrupted) {
            time.awaitPending(1);
            time.advance(Duration.ofSeconds(2));
        }
        assertThat(drained.get()).isEqualTo(endsWhenInterrupted);
        released.countDown();
    }

    @Test
    void an_interrupted_stop_interrupts_the_tasks_too() throws Exception {
        work(false);
        List<Thread> threads = new ArrayList<>();
        FutureTask<Boolean> drained = drain(threads);
        time.awaitPending(1);
        threads.getFirst().interrupt();
        assertThat(drained.get()).isFalse();
        assertThat(isInterruptedAfterwards).isTrue();
        interrupted.await();
        released.countDown();
    }

    private List<Throwable> reported(@Nullable Throwable thrown) throws InterruptedException {
        List<Throwable> reported = new ArrayList<>();
        Thread thread = Threads.PLATFORM.unstarted("tick", () -> workers.ended(thrown));
        thread.setUncaughtExceptionHandler((where, what) -> {
            assertThat(where).isSameAs(thread);
            reported.add(what);
        });
        thread.start();
        thread.join();
        return reported;
    }

    @Test
    void an_internal_error_counts_as_uncaught_unless_the_daemon_stops() throws InterruptedException {
        for (Throwable thrown : List.of(new IllegalStateException(), new StackOverflowError(), new Exception())) {
            assertThat(reported(thrown)).containsExactly(thrown);
        }
        assertThat(reported(null)).isEmpty();
        assertThat(workers.drain(GRACE)).isTrue();
        assertThat(reported(new IllegalStateException())).isEmpty();
    }
}

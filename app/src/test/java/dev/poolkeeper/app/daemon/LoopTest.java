package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.admin.Check;
import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoopTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeTime time = new FakeTime();
    private final AtomicLong nanos = new AtomicLong();
    private final Watchdog watchdog = new Watchdog(nanos::get);
    private final Watchdog.Heartbeat heartbeat = watchdog.watch("files", Duration.ofSeconds(65));

    private List<Check> failed() {
        return watchdog.checks().stream().filter(check -> !check.passes()).toList();
    }

    @Test
    @Rule(
            id = "O9",
            says = "While the daemon drains, /livez passes however long the grace period is: a loop that ended on"
                    + " purpose is not stuck.",
            source = "Kubernetes, API health endpoints")
    void a_closed_loop_does_not_count_as_stuck() throws InterruptedException {
        // given
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Loop loop = new Loop("files", Threads.PLATFORM, time, heartbeat, () -> {
            thread.complete(Thread.currentThread());
            return HOUR;
        });
        loop.start();
        thread.join();
        // when
        loop.close();
        thread.join().join();
        nanos.addAndGet(HOUR.toNanos());
        // then
        assertThat(failed()).isEmpty();
    }

    @Test
    void a_stuck_loop_counts_as_stuck_even_after_its_close() throws InterruptedException {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Duration> turn = new CompletableFuture<>();
        Loop loop = new Loop("files", Threads.PLATFORM, time, heartbeat, () -> {
            thread.complete(Thread.currentThread());
            return turn.join();
        });
        loop.start();
        thread.join();
        loop.close();
        nanos.addAndGet(HOUR.toNanos());

        assertThat(failed())
                .singleElement()
                .satisfies(check -> assertThat(check.name()).isEqualTo("files"));

        turn.complete(HOUR);
        thread.join().join();
        assertThat(failed()).isEmpty();
    }

    @Test
    void each_turn_is_a_sign_of_life() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        Loop loop = new Loop("files", Threads.PLATFORM, time, heartbeat, () -> {
            nanos.addAndGet(Duration.ofSeconds(60).toNanos());
            twice.countDown();
            return HOUR;
        });
        loop.start();
        time.awaitPending(1);
        time.advance(HOUR);
        twice.await();

        assertThat(failed()).isEmpty();

        loop.close();
    }

    @Test
    void a_loop_that_is_woken_does_not_wait() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        Loop loop = new Loop("files", Threads.PLATFORM, time, heartbeat, () -> {
            twice.countDown();
            return HOUR;
        });
        loop.start();
        time.awaitPending(1);

        loop.wake();

        twice.await();
        loop.close();
    }

    @Test
    void one_wake_up_starts_one_turn() throws InterruptedException {
        List<Instant> turns = new CopyOnWriteArrayList<>();
        CountDownLatch twice = new CountDownLatch(2);
        CountDownLatch thrice = new CountDownLatch(3);
        Loop loop = new Loop("files", Threads.PLATFORM, time, heartbeat, () -> {
            turns.add(time.steady().instant());
            twice.countDown();
            thrice.countDown();
            return HOUR;
        });
        Instant start = time.steady().instant();
        loop.start();
        time.awaitPending(1);
        loop.wake();
        twice.await();
        while (thrice.getCount() > 0) {
            time.awaitPending(1);
            time.advance(HOUR);
        }
        loop.close();
        assertThat(turns.subList(0, 2)).containsExactly(start, start);
        assertThat(turns.get(2)).isAfterOrEqualTo(start.plus(HOUR));
    }
}

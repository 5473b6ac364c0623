package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two load balancers in parallel with the eager pace: real threads, held by a latch. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EagerLanesTest {

    private static final PoolKey A = PoolKey.of("lb-a", "ns-a");
    private static final PoolKey B = PoolKey.of("lb-b", "ns-b");

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final TestClusterView view = new TestClusterView();
    private final List<Thread> started = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "lane");
        started.add(thread);
        return thread;
    });

    @AfterEach
    void stop() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Once armed, refuses the first attempt; the next one gets the lock. */
    private static final class RefusesOnce implements ResourceLock {

        private final FakeResourceLock lock = new FakeResourceLock();
        private final CountDownLatch refuses = new CountDownLatch(1);
        private boolean hasRefused;
        private volatile @Nullable Thread refused;

        @Override
        public synchronized Optional<Hold> tryAcquire() {
            if (hasRefused) {
                return lock.tryAcquire();
            }
            hasRefused = true;
            refused = Thread.currentThread();
            try {
                refuses.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        }
    }

    /** The lane that was refused keeps it until the other one has written. */
    private final class LaneLock extends ReentrantLock {

        private static final long serialVersionUID = 1;
        private final transient RefusesOnce asked;

        LaneLock(RefusesOnce asked) {
            this.asked = asked;
        }

        @Override
        public void unlock() {
            while (Thread.currentThread().equals(asked.refused) && !isAnyWritten()) {
                Thread.onSpinWait();
            }
            super.unlock();
        }
    }

    private boolean isAnyWritten() {
        return Stream.of(A, B)
                .anyMatch(pool -> !cloud.addresses(pool).orElseThrow().isEmpty());
    }

    @Test
    void a_lane_that_was_refused_the_lock_starts_when_another_one_gets_it() {
        // given
        RefusesOnce lock = new RefusesOnce();
        LaneLock[] locks = {new LaneLock(lock), new LaneLock(lock)};
        Engine engine = Engine.builder(view, cloud, cloud, time)
                .hasSynced(() -> true)
                .settings(EngineSettings.REFERENCE.withPace(Pace.Eager.DEFAULT))
                .executor(threads)
                .serviceReconcileLocks(name -> locks[name.equals(A.loadBalancer()) ? 0 : 1])
                .resourceLock(lock)
                .build();
        List.of(A, B).forEach(pool -> cloud.putPool(pool, AddressSet.empty()));
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
        view.want(new ServiceName("ns", "a"), A, "10.0.0.1");
        view.want(new ServiceName("ns", "b"), B, "10.0.0.2");
        time.advance(Pace.Eager.DEFAULT.gather());
        List<String> woken = new CopyOnWriteArrayList<>();
        engine.onWake(() -> woken.add((isAnyWritten() ? "after" : "before")
                + (Stream.of(locks).anyMatch(LaneLock::isHeldByCurrentThread) ? " under a lock" : "")));
        // when
        CompletableFuture<Void> tick = Ticks.of(engine);
        awaitThatBothAskForTheLock();
        lock.refuses.countDown();
        tick.join();
        Ticks.of(engine).join();
        // then
        assertThat(cloud.addresses(A)).contains(AddressSet.of("10.0.0.1"));
        assertThat(cloud.addresses(B)).contains(AddressSet.of("10.0.0.2"));
        assertThat(woken).containsExactly("before");
    }

    /** One waits for the response, the other for its turn to request. */
    private void awaitThatBothAskForTheLock() {
        while (started.size() < 2 || started.stream().anyMatch(thread -> thread.getState() != Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
    }
}

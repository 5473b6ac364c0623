package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the eager pace, whatever is tried again waits, and a tick ends. */
class LoopBoundsTest {

    private static final EngineSettings EAGER = EngineSettings.REFERENCE.withPace(Pace.Eager.DEFAULT);
    private static final Duration WRITE = Duration.ofMillis(200);

    /**
     * Lets another writer change what was written, at once, so that the pool comes back different from all that we
     * know.
     */
    private static final class Meddler implements BackendPools {
        final List<Instant> writes = new ArrayList<>();
        private final BackendPools real;
        private final UpdateFixture[] f;
        boolean meddles = true;

        Meddler(BackendPools real, UpdateFixture[] f) {
            this.real = real;
            this.f = f;
        }

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return real.read(pool, context);
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            writes.add(f[0].time.instant());
            f[0].time.advance(WRITE);
            Reply<BackendPool> written = real.write(read, addresses, context);
            if (!meddles) {
                return written;
            }
            f[0].cloud.putPool(read.key(), AddressSet.of("10.9.0." + writes.size() % 200));
            return real.read(read.key(), context);
        }
    }

    private static void pass(UpdateFixture f, Duration duration) {
        Instant end = f.time.instant().plus(duration);
        while (f.time.instant().isBefore(end)) {
            f.time.advance(Duration.ofMillis(100));
            Ticks.of(f.engine).join();
        }
    }

    @Test
    @Rule(
            id = "K23",
            says = "A pool that came back different from what was written is written again at once; from the second"
                    + " time in a row on with the next interval.",
            source = "ours",
            differs = "Go ignores the pool that comes back.")
    void a_pool_that_always_comes_back_different_is_written_once_an_interval() {
        // given
        Meddler[] meddler = new Meddler[1];
        UpdateFixture[] self = new UpdateFixture[1];
        UpdateFixture f = new UpdateFixture(EAGER, UnaryOperator.identity(), real -> {
            meddler[0] = new Meddler(real, self);
            return meddler[0];
        });
        self[0] = f;
        Instant begun = f.time.instant();
        f.want(WEB, POOL, "10.0.0.1");
        // when
        pass(f, Duration.ofMinutes(10));
        // then
        assertThat(meddler[0].writes).hasSize(2 + 20);
        assertThat(Duration.between(meddler[0].writes.get(0), meddler[0].writes.get(1)))
                .as("the second one at once")
                .isLessThan(Duration.ofSeconds(1));
        assertThat(meddler[0].writes.subList(2, 21))
                .allSatisfy(at -> assertThat(Duration.between(begun, at).toMillis() % 30_000)
                        .isLessThan(1_000));
        // when: the other writer stops
        meddler[0].meddles = false;
        pass(f, Duration.ofSeconds(31));
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
        // then: the next time it is at once again
        int before = meddler[0].writes.size();
        meddler[0].meddles = true;
        f.want(WEB, POOL, "10.0.0.2");
        pass(f, Duration.ofSeconds(3));
        assertThat(meddler[0].writes).hasSize(before + 2);
    }

    /** Two pools that change again whenever they are written. */
    private static UpdateFixture churning(UnaryOperator<EngineBuilder> lanes, List<String> calls) {
        UpdateFixture[] self = new UpdateFixture[1];
        UpdateFixture f = new UpdateFixture(EAGER, lanes, UnaryOperator.identity());
        self[0] = f;
        int[] next = {1};
        f.duringWrite(() -> {
            calls.add("write");
            f.time.advance(Duration.ofSeconds(3));
            f.want(WEB, POOL, "10.0.1." + next[0]++ % 200);
            f.want(new ServiceName("shop", "api"), OTHER_POOL, "10.0.2." + next[0] % 200);
        });
        f.want(WEB, POOL, "10.0.0.1");
        f.want(new ServiceName("shop", "api"), OTHER_POOL, "10.0.0.2");
        f.time.advance(Duration.ofSeconds(1));
        return f;
    }

    /** Notes when it is acquired and released. */
    private static final class NotedLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;
        private final transient List<String> calls;

        NotedLock(List<String> calls) {
            this.calls = calls;
        }

        @Override
        public void lock() {
            super.lock();
            calls.add("lock");
        }

        @Override
        public void unlock() {
            calls.add("unlock");
            super.unlock();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule(
            id = "K24",
            says = "serviceReconcileLock is released after each pool, and a step that has no executor updates one.",
            source = "ours")
    void a_step_in_the_callers_thread_updates_one_pool_and_frees_the_lock(boolean oneLane) {
        List<String> calls = new ArrayList<>();
        NotedLock lock = new NotedLock(calls);
        UpdateFixture f = churning(
                it -> oneLane ? it.serviceReconcileLock(lock) : it.serviceReconcileLocks(loadBalancer -> lock), calls);

        f.engine.step();

        assertThat(calls).containsExactly("lock", "write", "unlock");
        f.engine.step();
        assertThat(calls).containsExactly("lock", "write", "unlock", "lock", "write", "unlock");
    }

    @Test
    void another_thread_that_waits_for_the_lock_gets_it_before_the_next_pool() throws Exception {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        ReentrantLock lock = new ReentrantLock();
        UpdateFixture f = churning(it -> it.serviceReconcileLock(lock), calls);
        List<Thread> waiting = new ArrayList<>();
        f.duringWrite(() -> {
            calls.add("write");
            Thread other = Thread.ofPlatform().start(() -> {
                lock.lock();
                try {
                    calls.add("other");
                } finally {
                    lock.unlock();
                }
            });
            waiting.add(other);
            while (!lock.hasQueuedThread(other)) {
                Thread.onSpinWait();
            }
        });

        for (int ticks = 0; waiting.size() < 2 && ticks < 2; ticks++) {
            f.engine.step();
            for (Thread other : waiting) {
                other.join();
            }
        }

        assertThat(calls).containsExactly("write", "other", "write", "other");
    }

    @Test
    void a_lane_on_an_executor_frees_the_lock_after_each_pool() {
        List<String> calls = new ArrayList<>();
        NotedLock lock = new NotedLock(calls);
        List<Runnable> tasks = new ArrayList<>();
        UpdateFixture f = churning(it -> it.serviceReconcileLock(lock).executor(tasks::add), calls);

        var tick = Ticks.of(f.engine);
        tasks.removeFirst().run();
        tasks.removeFirst().run();

        assertThat(calls).containsExactly("lock", "write", "unlock", "lock", "write", "unlock");
        assertThat(tick).as("it goes on: other threads get the lock in between").isNotDone();
    }
}

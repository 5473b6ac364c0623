package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Load balancers in parallel: real threads, held by latches. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LanesTest {

    private static final PoolKey A1 = PoolKey.of("lb-a", "ns-a1");
    private static final PoolKey A2 = PoolKey.of("lb-a", "ns-a2");
    private static final PoolKey B1 = PoolKey.of("lb-b", "ns-b1");
    private static final PoolKey C1 = PoolKey.of("lb-c", "ns-c1");

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeResourceLock resourceLock = new FakeResourceLock();
    private final FakeServiceEvents events = new FakeServiceEvents(time);
    private final TestClusterView view = new TestClusterView();
    private final Map<ArmName, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final Map<PoolKey, Hook> onRead = new ConcurrentHashMap<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Executor executor = threads;
    private final Engine engine = Engine.builder(view, new HookedPools(), cloud, time)
            .hasSynced(() -> true)
            .settings(EngineSettings.REFERENCE.withCallDeadline(Duration.ofMinutes(5)))
            .executor(task -> executor.execute(task))
            .serviceReconcileLocks(this::lockOf)
            .resourceLock(resourceLock)
            .events(events)
            .build();

    private interface Hook {
        void run() throws Exception;
    }

    private final class HookedPools implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            try {
                onRead.getOrDefault(pool, () -> {}).run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Reply.failed(new Failure.Cancelled("interrupted"));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return cloud.read(pool, context);
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            return cloud.write(read, addresses, context);
        }
    }

    private ReentrantLock lockOf(ArmName loadBalancer) {
        return locks.computeIfAbsent(loadBalancer, name -> new ReentrantLock());
    }

    @BeforeEach
    void lead() {
        List.of(A1, A2, B1, C1).forEach(pool -> cloud.putPool(pool, AddressSet.empty()));
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
    }

    @AfterEach
    void stop() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private void want(PoolKey pool, String... addresses) {
        view.want(service(pool), pool, addresses);
    }

    /** A tick that is reading {@code A1} and continues after {@link #release}. */
    private CompletableFuture<Void> tickThatHangs() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        onRead.put(A1, () -> {
            hangs.countDown();
            release.await();
        });
        want(A1, "10.0.0.1");
        CompletableFuture<Void> tick = Ticks.of(engine);
        hangs.await();
        return tick;
    }

    private void tick() {
        Ticks.of(engine).join();
    }

    private static ServiceName service(PoolKey pool) {
        return new ServiceName("ns", pool.pool().toString().substring(3));
    }

    private AddressSet held(PoolKey pool) {
        return cloud.addresses(pool).orElseThrow();
    }

    private int waiting() {
        return engine.status().work().operations();
    }

    @Test
    @Rule(
            id = "K1",
            says = "Load balancers are served in parallel within one tick.",
            source = "ours",
            differs = "Go serves every pool of every load balancer one after another.")
    void load_balancers_are_updated_concurrently() {
        CyclicBarrier bothReading = new CyclicBarrier(2);
        onRead.put(A1, bothReading::await);
        onRead.put(B1, bothReading::await);
        want(A1, "10.0.0.1");
        want(B1, "10.0.0.2");

        tick(); // would block forever if they were served one after another

        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(held(B1)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(resourceLock.isHeld()).isFalse();
    }

    @Test
    @Rule(
            id = "K2",
            says = "Groups of one load balancer run one after another, in the order of the queue.",
            source = "Azure Resource Manager: concurrent writes to one load balancer are refused or superseded")
    void groups_of_one_load_balancer_run_in_order_and_never_concurrently() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (PoolKey pool : List.of(A1, A2)) {
            onRead.put(pool, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.yield();
                running.decrementAndGet();
            });
        }
        want(A2, "10.0.0.2");
        want(B1, "10.0.0.3");
        want(A1, "10.0.0.1");

        tick();

        assertThat(most).hasValue(1);
        assertThat(cloud.calls())
                .extracting(Call::pool)
                .filteredOn(pool -> !pool.equals(B1))
                .containsExactly(A2, A2, A1, A1);
    }

    @Test
    @Rule(
            id = "K3",
            says = "A load balancer that is still busy at the next tick is skipped and delays no other; changes"
                    + " to its pools wait, and one update includes all of them.",
            source = "ours")
    void a_hanging_load_balancer_delays_only_itself() throws Exception {
        // given
        CompletableFuture<Void> first = tickThatHangs();
        // when
        want(A1, "10.0.0.2");
        want(A1, "10.0.0.3");
        want(B1, "10.0.0.4");
        tick();
        // then
        assertThat(held(B1)).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(first).isNotDone();
        assertThat(waiting()).isEqualTo(1);
        // when
        onRead.remove(A1);
        release.countDown();
        first.join();
        tick();
        // then
        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.3"));
        assertThat(waiting()).isZero();
        assertThat(cloud.calls())
                .filteredOn(call -> call.method().equals("PUT") && call.pool().equals(A1))
                .hasSize(1);
    }

    @Test
    @Rule(
            id = "K9",
            says = "A load balancer that missed ticks because it was busy is served as soon as it is free: once"
                    + " for all missed ticks, and not at all if it has no waiting updates.",
            source = "ours; a Go ticker keeps one tick for a slow loop, too")
    void a_load_balancer_that_missed_ticks_is_updated_at_once() throws Exception {
        // given
        CompletableFuture<Void> first = tickThatHangs();
        // when
        want(A2, "10.0.0.2");
        tick();
        want(A2, "10.0.0.3");
        tick();
        release.countDown();
        first.join();
        // then
        assertThat(held(A2)).isEqualTo(AddressSet.of("10.0.0.3"));
        assertThat(cloud.calls()).extracting(Call::pool).containsExactly(A1, A1, A2, A2);
        assertThat(resourceLock.isHeld()).isFalse();
        // and the lane is free again
        want(A1, "10.0.0.4");
        tick();
        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @Test
    void a_failing_run_fails_the_tick_and_frees_the_lane() throws Exception {
        onRead.put(A2, () -> {
            throw new InternalError("planted"); // of the JVM itself, unlike what adapters throw
        });
        CompletableFuture<Void> first = tickThatHangs();
        want(A2, "10.0.0.2");
        tick();
        release.countDown();

        assertThatThrownBy(first::join).hasRootCauseInstanceOf(InternalError.class);
        onRead.clear();
        want(A1, "10.0.0.3");
        tick();
        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.3"));
    }

    @Test
    @Rule(
            id = "K4",
            says = "Losing the resource lock in one lane stops new calls in all lanes; unfinished updates stay"
                    + " queued, and no attempt is counted.",
            source = "ours")
    void a_resource_lock_lost_in_one_lane_stops_all() {
        CyclicBarrier bothReading = new CyclicBarrier(2);
        CyclicBarrier lost = new CyclicBarrier(2);
        onRead.put(A1, () -> {
            bothReading.await();
            resourceLock.takeAway();
            lost.await();
        });
        onRead.put(B1, () -> {
            bothReading.await();
            lost.await();
        });
        want(A1, "10.0.0.1");
        want(A2, "10.0.0.2");
        want(B1, "10.0.0.3");

        tick();

        assertThat(cloud.calls()).extracting(Call::method).containsExactly("GET", "GET");
        assertThat(waiting()).isEqualTo(3);
        assertThat(engine.status().pools()).extracting(PoolStatus::attempts).containsOnly(0);
        assertThat(events.events()).isEmpty();
    }

    @Test
    @Rule(
            id = "K5",
            says = "The lanes share the resource lock; after a minute no call starts under it, and it is"
                    + " released when the running calls have ended. After a hold of more than ten seconds it"
                    + " stays free for five, for other writers.",
            source = "ours",
            differs = "Go holds the lease for as long as the tick takes, beyond its expiry.")
    void the_resource_lock_is_not_held_for_longer_than_a_minute() {
        onRead.put(A1, () -> time.advance(Duration.ofSeconds(60)));
        want(A1, "10.0.0.1");
        want(A2, "10.0.0.2");

        tick();

        assertThat(cloud.calls()).extracting(Call::method).containsExactly("GET");
        assertThat(resourceLock.isHeld()).isFalse();
        assertThat(waiting()).isEqualTo(2);

        onRead.clear();
        tick();
        assertThat(waiting()).isEqualTo(2);
        time.advance(Duration.ofSeconds(5));
        tick();

        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(held(A2)).isEqualTo(AddressSet.of("10.0.0.2"));
    }

    @Test
    void while_a_lane_holds_the_lock_beyond_a_minute_no_other_joins() throws Exception {
        CompletableFuture<Void> first = tickThatHangs();
        time.advance(Duration.ofSeconds(61));
        want(B1, "10.0.0.4");

        tick();
        assertThat(cloud.calls()).isEmpty();

        release.countDown();
        first.join();
        time.advance(Duration.ofSeconds(5));
        tick();
        assertThat(held(B1)).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @Test
    @Rule(
            id = "K6",
            says = "A call that exceeds its deadline is interrupted at a tick, and its group is retried.",
            source = "ours")
    void a_call_beyond_its_deadline_is_interrupted_and_retried() throws Exception {
        CompletableFuture<Void> first = tickThatHangs();

        time.advance(Duration.ofMinutes(4));
        tick();
        assertThat(first).isNotDone();
        onRead.clear();
        time.advance(Duration.ofMinutes(1));
        tick();
        first.join();
        time.advance(Duration.ofSeconds(5));
        tick();

        assertThat(events.events())
                .extracting(ServiceEvent::message)
                .containsExactly(
                        "Backend pool update failed (attempt 1 of 4): interrupted. Retrying on the next update.",
                        "Load balancer backend pool updated successfully: added 10.0.0.1.");
        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    @Rule(
            id = "K7",
            says = "Shutdown reaches every lane: no call starts, nothing is reported or requeued; calls in progress can"
                    + " be interrupted.",
            source = "design document, Cancellation And Shutdown")
    void shutdown_reaches_every_lane() throws Exception {
        CountDownLatch bothHang = new CountDownLatch(2);
        for (PoolKey pool : List.of(A1, B1)) {
            onRead.put(pool, () -> {
                bothHang.countDown();
                new CountDownLatch(1).await();
            });
        }
        want(A1, "10.0.0.1");
        want(A2, "10.0.0.2");
        want(B1, "10.0.0.3");
        CompletableFuture<Void> tick = Ticks.of(engine);
        bothHang.await();

        engine.shutdownNow();
        tick.join();
        tick();

        assertThat(cloud.calls()).isEmpty();
        assertThat(events.events()).isEmpty();
        assertThat(waiting()).isZero();
        assertThat(resourceLock.isHeld()).isFalse();
    }

    @Test
    @Rule(
            id = "K8",
            says = "serviceReconcileLock serializes tick and reconcile separately for each load balancer.",
            source = "design document, Tests 16 and 17")
    void a_reconcile_of_one_load_balancer_blocks_only_that_one() {
        want(A1, "10.0.0.1");
        want(C1, "10.0.0.3");
        ReentrantLock reconciling = lockOf(A1.loadBalancer());
        CompletableFuture<Void> tick;
        reconciling.lock();
        try {
            tick = Ticks.of(engine);
            while (!reconciling.hasQueuedThreads() || held(C1).isEmpty()) {
                Thread.onSpinWait();
            }
            view.leave(service(A1), A1); // the reconcile cancels what the tick has not drained
        } finally {
            reconciling.unlock();
        }
        tick.join();

        assertThat(cloud.calls()).extracting(Call::pool).containsOnly(C1);
    }

    @Test
    void a_failing_load_balancer_is_retried_while_others_go_on() {
        cloud.faults()
                .add(FaultRule.always(409).forMethod("PUT").forPool("ns-a*").times(1));
        want(A1, "10.0.0.1");
        want(B1, "10.0.0.2");

        tick();
        assertThat(held(B1)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(waiting()).isEqualTo(1);

        tick();
        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_executor_that_rejects_work_fails_the_tick_and_the_next_one_catches_up(boolean isFull) {
        want(A1, "10.0.0.1");
        executor = task -> {
            if (isFull) {
                throw new RejectedExecutionException("full");
            }
            throw new InternalError("unable to create native thread");
        };

        assertThat(Ticks.of(engine)).isCompletedExceptionally();
        assertThat(waiting()).isEqualTo(1);

        executor = threads;
        tick();
        assertThat(held(A1)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    /** How a lane ends without an end of its work. */
    private enum Fails {
        ERROR_OF_A_CALL,
        NEXT_RUN_REJECTED,
        NO_THREAD_FOR_THE_NEXT_RUN
    }

    @ParameterizedTest
    @EnumSource
    void a_lane_that_fails_gives_the_resource_lock_back(Fails how) throws Exception {
        // given
        CompletableFuture<Void> first = tickThatHangs();
        want(A2, "10.0.0.2");
        tick(); // its lane goes on with it
        // when
        switch (how) {
            case ERROR_OF_A_CALL ->
                onRead.put(A2, () -> {
                    throw new InternalError("planted");
                });
            case NEXT_RUN_REJECTED ->
                executor = task -> {
                    throw new RejectedExecutionException("full");
                };
            case NO_THREAD_FOR_THE_NEXT_RUN ->
                executor = task -> {
                    throw new InternalError("unable to create native thread");
                };
        }
        release.countDown();
        // then
        assertThatThrownBy(first::join).isInstanceOf(CompletionException.class);
        assertThat(resourceLock.isHeld()).isFalse();
        // and the lane goes on
        onRead.clear();
        executor = threads;
        tick();
        assertThat(held(A2)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(resourceLock.isHeld()).isFalse();
    }
}

package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks, their order, and shutdown. Tests 16, 17 and 21 of the design document. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockingTest {

    private static final FaultRule CONFLICT = FaultRule.always(409).forMethod("PUT");

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D16",
            says = "A retriable failure requeues before a reconcile that waits for serviceReconcileLock removes the"
                    + " Service's operations.",
            source = "design document, Tests 16")
    void a_reconcile_that_waits_for_the_tick_removes_its_requeued_operations(UpdateModel model) throws Exception {
        UpdateFixture f = new UpdateFixture(model);
        List<Integer> requeued = Collections.synchronizedList(new ArrayList<>());

        reconcileDuringWrite(f, () -> {
            requeued.add(f.waiting());
            f.view.leave(WEB, POOL);
        });

        assertThat(requeued).containsExactly(1);
        assertThat(f.waiting()).isZero();
        f.tick();
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D17",
            says = "A retriable failure requeues before a reconcile deletes the Service; the next tick drops"
                    + " the operation silently.",
            source = "design document, Tests 17")
    void operations_requeued_before_their_service_was_deleted_are_dropped_at_the_next_tick(UpdateModel model)
            throws Exception {
        UpdateFixture f = new UpdateFixture(model);

        reconcileDuringWrite(f, () -> f.view.leave(WEB, POOL));

        assertThat(f.waiting()).isZero();
        f.tick();
        assertThat(f.waiting()).isZero();
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
    }

    /** Starts a reconcile in another thread while a write that will fail is in progress, and waits for both. */
    private static void reconcileDuringWrite(UpdateFixture f, Runnable reconcile) throws InterruptedException {
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4");
        Thread reconciler = new Thread(() -> {
            f.reconcileLock.lock();
            try {
                reconcile.run();
            } finally {
                f.reconcileLock.unlock();
            }
        });
        f.duringWrite(() -> {
            reconciler.start();
            while (!f.reconcileLock.hasQueuedThread(reconciler)) {
                Thread.onSpinWait();
            }
        });
        f.tick();
        reconciler.join();
    }

    static List<Pace> paces() {
        return List.of(Pace.TICK, Pace.Eager.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("paces")
    @Rule(
            id = "J42",
            says = "serviceReconcileLock is never held across two pools: a reconcile that waits for it comes next, and"
                    + " the step after that goes on with the other pools at once.",
            source = "ours")
    void a_reconcile_that_waits_for_the_lock_comes_before_the_next_pool(Pace pace) throws InterruptedException {
        // given
        UpdateFixture f = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(pace), UnaryOperator.identity(), UnaryOperator.identity());
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, OTHER_POOL, "10.0.0.5");
        f.time.advance(pace.interval());
        List<Integer> written = Collections.synchronizedList(new ArrayList<>());
        Thread reconciler = new Thread(() -> {
            f.reconcileLock.lock();
            try {
                written.add(f.cloud.calls().size());
            } finally {
                f.reconcileLock.unlock();
            }
        });
        f.duringWrite(() -> {
            if (reconciler.getState() == Thread.State.NEW) {
                reconciler.start();
                while (!f.reconcileLock.hasQueuedThread(reconciler)) {
                    Thread.onSpinWait();
                }
            }
        });
        // when
        Instant now = f.time.instant();
        Instant next = f.engine.step();
        reconciler.join();
        while (!next.isAfter(now)) {
            next = f.engine.step();
        }
        // then
        assertThat(written).containsExactly(2);
        assertThat(f.waiting()).isZero();
        assertThat(f.cloud.calls()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule(
            id = "J45",
            says = "Listeners are told of an update in order, after serviceReconcileLock has become free: a slow one"
                    + " does not keep it.",
            source = "DESIGN, section 3")
    void a_listener_finds_the_lock_free(boolean oneLane) {
        // given
        ReentrantLock lock = new ReentrantLock();
        Map<String, Boolean> foundFree = new LinkedHashMap<>();
        UpdateFixture f = new UpdateFixture(
                EngineSettings.DEFAULT,
                builder -> (oneLane ? builder.serviceReconcileLock(lock) : builder.serviceReconcileLocks(any -> lock))
                        .events(event -> foundFree.put(event.reason().name(), isFree(lock)))
                        .facts(fact -> foundFree.put(fact.getClass().getSimpleName(), isFree(lock))),
                UnaryOperator.identity());
        // when
        f.fault(CONFLICT.times(1));
        f.want(WEB, POOL, "10.0.0.4");
        f.ticks(2);
        // then
        assertThat(foundFree.keySet())
                .containsExactly(
                        "Began",
                        "ReadEnded",
                        "Writes",
                        "WriteEnded",
                        "Retrying",
                        "RETRYING",
                        "Ended",
                        "Written",
                        "Updated",
                        "UPDATED");
        assertThat(foundFree.values()).containsOnly(true);
    }

    private static boolean isFree(ReentrantLock lock) {
        return CompletableFuture.supplyAsync(() -> {
                    boolean isFree = lock.tryLock();
                    if (isFree) {
                        lock.unlock();
                    }
                    return isFree;
                })
                .join();
    }

    @Test
    @Rule(
            id = "L1",
            says = "Locks are acquired in this order: serviceReconcileLock, the resource lock, the cluster"
                    + " view's lock, the lock of the pools; the last two are not held during calls.",
            source = "design document, Locking And Queue Safety")
    void operations_can_be_queued_from_another_thread_during_a_call() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.want(WEB, POOL, "10.0.0.4");
        Thread informer = new Thread(() -> f.want(API, OTHER_POOL, "10.0.0.5"));
        List<Boolean> locks = new ArrayList<>();
        f.duringWrite(() -> {
            locks.add(f.reconcileLock.isHeldByCurrentThread());
            locks.add(f.resourceLock.isHeld());
            informer.start();
            join(informer);
        });

        f.tick();

        assertThat(locks).containsExactly(true, true);
        assertThat(f.waiting()).isEqualTo(1);
        assertThat(f.resourceLock.isHeld()).isFalse();
        assertThat(f.reconcileLock.isLocked()).isFalse();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "L2",
            says = "If another writer holds the resource lock, the tick ends without draining the queue; no event is"
                    + " emitted.",
            source = "design document, Retry Model 3")
    void without_the_resource_lock_the_queue_stays_as_it_is(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.want(WEB, POOL, "10.0.0.4");
        f.resourceLock.takeAway();

        f.ticks(3);

        assertThat(f.waiting()).isEqualTo(1);
        assertThat(f.calls()).isEmpty();
        assertThat(f.events.events()).isEmpty();
        assertThat(f.status(POOL).difference())
                .get()
                .extracting(Difference::reason)
                .isEqualTo(Difference.Reason.LOCK_HELD);
    }

    @Test
    @Rule(
            id = "L3",
            says = "With an empty queue the resource lock is not requested.",
            source = "design document, Retry Model 2")
    void an_empty_queue_does_not_request_the_resource_lock() {
        AtomicInteger requests = new AtomicInteger();
        ResourceLock counting = () -> {
            requests.incrementAndGet();
            return Optional.empty();
        };
        UpdateFixture f = new UpdateFixture(
                EngineSettings.REFERENCE, builder -> builder.resourceLock(counting), UnaryOperator.identity());

        f.tick();
        assertThat(requests).hasValue(0);

        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        assertThat(requests).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "L4",
            says = "When the resource lock is lost during a tick, no new call starts; unfinished updates stay"
                    + " queued, and no attempt is counted.",
            source = "ours",
            differs = "Go neither renews nor checks the lease, and continues to write.")
    void a_lost_resource_lock_stops_the_tick(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, OTHER_POOL, "10.0.0.5");
        f.duringRead(f.resourceLock::takeAway);

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.waiting()).isEqualTo(2);
        assertThat(f.status(POOL).attempts()).isZero();
        assertThat(f.status(OTHER_POOL).attempts()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D21",
            says = "Shutdown with parked operations emits nothing and requeues nothing.",
            source = "design document, Tests 21 and Cancellation And Shutdown")
    void after_shutdown_nothing_is_sent_reported_or_requeued(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(FaultRule.always(429).times(1).retryAfter(Duration.ofHours(1)));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        f.events.clear();

        f.engine.shutdown();
        f.lead();
        f.ticks(200);

        assertThat(f.events.events()).isEmpty();
        assertThat(f.calls()).containsExactly("GET 429");
        assertThat(f.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D21.2",
            says = "A call that ends during shutdown, successfully or not, is neither reported nor requeued,"
                    + " and no other call starts.",
            source = "design document, Cancellation And Shutdown")
    void shutdown_during_a_call_drops_the_snapshot(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(CONFLICT.times(1));
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, OTHER_POOL, "10.0.0.5");
        f.duringWrite(f.engine::shutdown);

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.waiting()).isZero();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
        assertThat(f.held(OTHER_POOL)).isEqualTo(AddressSet.empty());
    }

    @ParameterizedTest
    @EnumSource
    void a_write_that_lands_during_shutdown_is_not_reported(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.want(WEB, POOL, "10.0.0.4");
        f.duringWrite(f.engine::shutdown);

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200", "PUT 200");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
    }
}

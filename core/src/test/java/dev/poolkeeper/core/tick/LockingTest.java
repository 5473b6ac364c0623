package dev.poolkeeper.core.tick;

import static dev.poolkeeper.core.tick.Fixture.API;
import static dev.poolkeeper.core.tick.Fixture.OTHER_POOL;
import static dev.poolkeeper.core.tick.Fixture.POOL;
import static dev.poolkeeper.core.tick.Fixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    void a_reconcile_that_waits_for_the_tick_removes_what_the_tick_requeued(UpdateModel model) throws Exception {
        Fixture f = new Fixture(model);
        List<Integer> requeued = Collections.synchronizedList(new ArrayList<>());

        reconcileDuringWrite(f, () -> {
            requeued.add(f.queue.size());
            f.queue.remove(WEB);
        });

        assertThat(requeued).containsExactly(1);
        assertThat(f.queue.isEmpty()).isTrue();
        f.tick();
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D17",
            says = "A retriable failure requeues before a reconcile deletes the Service; the next tick drops the"
                    + " operation quietly.",
            source = "design document, Tests 17")
    void what_was_requeued_before_its_service_went_is_dropped_by_the_next_tick(UpdateModel model) throws Exception {
        Fixture f = new Fixture(model);

        reconcileDuringWrite(f, () -> f.localServices.remove(WEB));

        assertThat(f.queue.size()).isEqualTo(1);
        f.tick();
        assertThat(f.queue.isEmpty()).isTrue();
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
    }

    /** Starts a reconcile in another thread while a write that will fail is under way, and waits for both. */
    private static void reconcileDuringWrite(Fixture f, Runnable reconcile) throws InterruptedException {
        f.fault(CONFLICT);
        f.replace(WEB, POOL, "10.0.0.4");
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

    @Test
    @Rule(
            id = "L1",
            says = "Locks are taken in one order: serviceReconcileLock, resource lock, the queue's own; the queue's"
                    + " is free during calls.",
            source = "design document, Locking And Queue Safety; DESIGN section 3")
    void operations_can_be_queued_from_another_thread_during_a_call() throws Exception {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.local(API, OTHER_POOL);
        f.add(WEB, POOL, "10.0.0.4");
        Thread informer = new Thread(() -> f.add(API, OTHER_POOL, "10.0.0.5"));
        List<Boolean> locks = new ArrayList<>();
        f.duringWrite(() -> {
            locks.add(f.reconcileLock.isHeldByCurrentThread());
            locks.add(f.resourceLock.isHeld());
            informer.start();
            join(informer);
        });

        f.tick();

        assertThat(locks).containsExactly(true, true);
        assertThat(f.queue.size()).isEqualTo(1);
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

    @Test
    @Rule(
            id = "L2",
            says = "If somebody else holds the resource lock the tick ends without draining; nothing is told.",
            source = "design document, Retry Model 3")
    void without_the_resource_lock_the_queue_stays_as_it_is() {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.add(WEB, POOL, "10.0.0.4");
        f.resourceLock.takeAway();

        f.ticks(3);

        assertThat(f.queue.size()).isEqualTo(1);
        assertThat(f.calls()).isEmpty();
        assertThat(f.events.events()).isEmpty();
    }

    @Test
    @Rule(
            id = "L3",
            says = "With an empty queue the resource lock is not asked for.",
            source = "design document, Retry Model 2")
    void an_empty_queue_does_not_ask_for_the_resource_lock() {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.resourceLock.takeAway();

        f.tick();

        assertThat(f.reconcileLock.isLocked()).isFalse();
        assertThat(f.calls()).isEmpty();
    }

    @Test
    @Rule(
            id = "L4",
            says = "When the resource lock is lost during a tick no new call starts; what was not done waits,"
                    + " uncounted.",
            source = "DESIGN section 3",
            differs = "Go neither renews nor checks the lease, and goes on writing.")
    void a_lost_resource_lock_stops_the_tick() {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.local(API, OTHER_POOL);
        f.add(WEB, POOL, "10.0.0.4");
        f.add(API, OTHER_POOL, "10.0.0.5");
        f.duringRead(f.resourceLock::takeAway);

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.queue.drain())
                .flatExtracting(group -> group.operations())
                .extracting(operation -> operation.retryCount())
                .containsExactly(0, 0);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D21",
            says = "Shutdown with parked operations tells nothing and requeues nothing.",
            source = "design document, Tests 21 and Cancellation And Shutdown")
    void after_shutdown_nothing_is_sent_told_or_requeued(UpdateModel model) {
        Fixture f = new Fixture(model);
        f.fault(FaultRule.always(429).times(1).retryAfter(java.time.Duration.ofHours(1)));
        f.replace(WEB, POOL, "10.0.0.4");
        f.tick();
        f.events.clear();

        f.updater.shutdown();
        f.ticks(200);

        assertThat(f.events.events()).isEmpty();
        assertThat(f.calls()).containsExactly("GET 429");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D21.2",
            says = "A call that ends during shutdown, well or badly, is neither reported nor requeued, and no other"
                    + " starts.",
            source = "design document, Cancellation And Shutdown")
    void shutdown_during_a_call_drops_the_snapshot(UpdateModel model) {
        Fixture f = new Fixture(model);
        f.local(API, OTHER_POOL);
        f.fault(CONFLICT.times(1));
        f.replace(WEB, POOL, "10.0.0.4");
        f.replace(API, OTHER_POOL, "10.0.0.5");
        f.duringWrite(f.updater::shutdown);

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.queue.isEmpty()).isTrue();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
        assertThat(f.held(OTHER_POOL)).isEqualTo(AddressSet.empty());
    }
}

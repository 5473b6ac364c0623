package dev.poolkeeper.core.complexity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.endpoints.PoolLocations;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.queue.ParkedOperations;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.fake.load.LoadEvent;
import dev.poolkeeper.fake.load.LoadGenerator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What must not grow with the cluster does not: each cost is taken at two sizes and must be the same. Nothing is timed.
 * A cost is the bytes that the thread allocates, which repeat exactly for code that does the same steps, or the number
 * of questions that the code asks.
 */
class FlatCostTest {

    private static final int SMALL = 1_000;
    private static final int LARGE = 50_000;
    private static final AddressSet ADDRESSES = AddressSet.of("10.0.0.1", "10.0.0.2");
    private static final AddressSet OTHERS = AddressSet.of("10.0.0.3");
    private static final Instant NOW = Instant.ofEpochSecond(50);
    private static final Instant LATER = Instant.ofEpochSecond(100);

    /** Some more than the same: what a thread allocates is not ours alone to the last byte. */
    private static final double SAME = 1.05;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static ServiceName service(int i) {
        return new ServiceName("ns", "svc-" + i);
    }

    private static PoolKey pool(int i) {
        return PoolKey.of("lb-" + i % 10, "ns-svc-" + i);
    }

    private static Operation operation(UpdateModel model, int i, AddressSet addresses) {
        return model == UpdateModel.DIFF
                ? new Operation.Add(service(i), pool(i), addresses)
                : new Operation.Replace(service(i), pool(i), addresses);
    }

    private static OperationQueue queue(UpdateModel model, int size) {
        OperationQueue queue = new OperationQueue(model);
        for (int i = 0; i < size; i++) {
            queue.add(operation(model, i, ADDRESSES));
        }
        return queue;
    }

    /** The least of several runs: the first ones load classes. */
    private static long allocated(Runnable code) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            code.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void assertSame(long small, long large) {
        assertThat((double) large).isLessThanOrEqualTo(Math.max(small, 1) * SAME);
    }

    @ParameterizedTest
    @EnumSource
    void queueing_an_operation_costs_the_same_whatever_the_queue_holds(UpdateModel model) {
        assertSame(queueing(model, SMALL), queueing(model, LARGE));
    }

    private static long queueing(UpdateModel model, int size) {
        OperationQueue queue = queue(model, size);
        int[] next = {size};
        List<Operation> fresh = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            fresh.add(operation(model, size + i, ADDRESSES));
        }
        return allocated(() -> queue.add(fresh.get(next[0]++ - size)));
    }

    @Test
    void superseding_an_operation_costs_the_same_whatever_the_queue_holds() {
        assertSame(superseding(SMALL), superseding(LARGE));
    }

    private static long superseding(int size) {
        OperationQueue queue = queue(UpdateModel.DESIRED_STATE, size);
        Operation one = operation(UpdateModel.DESIRED_STATE, size / 2, OTHERS);
        Operation other = operation(UpdateModel.DESIRED_STATE, size / 2, ADDRESSES);
        long cost = allocated(() -> {
            queue.add(one);
            queue.add(other);
        });
        assertThat(queue.size()).isEqualTo(size);
        return cost;
    }

    @ParameterizedTest
    @EnumSource
    void removing_a_service_touches_only_its_own_operations(UpdateModel model) {
        assertSame(removing(model, SMALL), removing(model, LARGE));
    }

    private static long removing(UpdateModel model, int size) {
        OperationQueue queue = queue(model, size);
        Operation operation = operation(model, size / 2, ADDRESSES);
        return allocated(() -> {
            queue.remove(operation.service());
            assertThatSize(queue, size - 1);
            queue.add(operation);
        });
    }

    private static void assertThatSize(OperationQueue queue, int size) {
        if (queue.size() != size) {
            throw new AssertionError("expected " + size + " operations, got " + queue.size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_slice_event_costs_the_same_whatever_the_cluster_holds(UpdateModel model) {
        assertSame(sliceEvents(model, 300), sliceEvents(model, 15_000));
    }

    /** Flapping of one Service, while so many Services of three slices each are known. */
    private static long sliceEvents(UpdateModel model, int services) {
        LoadShape shape = new LoadShape(100, 1, services, 3, 5, 10);
        OperationQueue queue = new OperationQueue(model);
        EndpointIndex index = new EndpointIndex(new ChangeQueuer(queue));
        List<LoadEvent> flapping = new ArrayList<>();
        boolean[] started = {false};
        LoadGenerator load = new LoadGenerator(shape, event -> {
            if (started[0]) {
                flapping.add(event);
            } else {
                event.tell(index);
            }
        });
        index.locationsChanged(PoolLocations.of(shape.pools()));
        load.start();
        assertThat(queue.drain()).hasSize(services);
        started[0] = true;
        load.flap(services / 2, 1, Duration.ofSeconds(1));
        return allocated(() -> {
            flapping.forEach(event -> event.tell(index));
            if (queue.drain().size() != 1) {
                throw new AssertionError("expected one group");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void groups_that_all_have_to_wait_cost_a_tick_nothing_and_nobody_is_asked(UpdateModel model) {
        for (int size : List.of(SMALL, LARGE)) {
            // given
            OperationQueue queue = new OperationQueue(model);
            for (int i = 0; i < size; i++) {
                PendingOperation pending = PendingOperation.fresh(operation(model, i, ADDRESSES), i);
                queue.requeue(pool(i), List.of(pending.retried(LATER)));
            }
            Counting services = new Counting();
            ParkedOperations parked = new ParkedOperations(queue, services, null);
            parked.dropStale(NOW);
            assertThat(services.asked).isEqualTo(size);
            // when
            long cost = allocated(() -> {
                parked.dropStale(NOW);
                if (queue.hasDue(null, NOW)) {
                    throw new AssertionError("expected nothing to go");
                }
            });
            // then
            assertThat(services.asked).isEqualTo(size);
            assertThat(cost).as("an iterator or two").isLessThan(200);
            assertThat(queue.size()).isEqualTo(size);
        }
    }

    private static final class Counting implements LocalServices {
        private int asked;

        @Override
        public boolean isLocal(ServiceName service, PoolKey pool) {
            asked++;
            return true;
        }

        @Override
        public long revision() {
            return 7;
        }
    }
}

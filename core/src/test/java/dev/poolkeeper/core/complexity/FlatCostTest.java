package dev.poolkeeper.core.complexity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.engine.TestClusterView;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.core.queue.Drain;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.load.LoadEvent;
import dev.poolkeeper.fake.load.LoadGenerator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that costs do not grow with the cluster: each is measured at two sizes and must be equal. The measure is not
 * time but the bytes that the thread allocates, which are reproducible for the same steps.
 */
@Tag("slow")
class FlatCostTest {

    private static final int SMALL = 1_000;
    private static final int LARGE = 50_000;
    private static final AddressSet ADDRESSES = AddressSet.of("10.0.0.1", "10.0.0.2");

    /** A tolerance, because a few bytes of a thread's allocations are not ours. */
    private static final double SAME = 1.05;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static ServiceName service(int i) {
        return new ServiceName("ns", "svc-" + i);
    }

    private static PoolKey pool(int i) {
        return PoolKey.of("lb-" + i % 10, "ns-svc-" + i);
    }

    private static Operation operation(UpdateModel model, int i) {
        return switch (model) {
            case DIFF -> new Operation.Add(service(i), pool(i), ADDRESSES);
            case DESIRED_STATE -> new Operation.Sync(service(i), pool(i));
        };
    }

    private static OperationQueue queue(UpdateModel model, int size) {
        OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);
        for (int i = 0; i < size; i++) {
            queue.add(operation(model, i));
        }
        return queue;
    }

    /** The minimum of several runs, because the first ones load classes. */
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

    private static void assertThatSize(OperationQueue queue, int size) {
        if (queue.size() != size) {
            throw new AssertionError("expected " + size + " operations, got " + queue.size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void queueing_an_operation_costs_the_same_whatever_the_queue_holds(UpdateModel model) {
        assertSame(queueing(model, SMALL), queueing(model, LARGE));
    }

    /** In diff thousands can wait behind a pool that is throttled or held. */
    @Test
    void queueing_an_operation_costs_the_same_however_many_wait_for_its_pool() {
        assertSame(queueingBehind(SMALL), queueingBehind(LARGE));
    }

    private static long queueingBehind(int size) {
        OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);
        Operation one = operation(UpdateModel.DIFF, 0);
        for (int i = 0; i < size; i++) {
            queue.add(one);
        }
        return allocated(() -> queue.add(one));
    }

    private static long queueing(UpdateModel model, int size) {
        OperationQueue queue = queue(model, size);
        int[] next = {size};
        List<Operation> fresh = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            fresh.add(operation(model, size + i));
        }
        return allocated(() -> queue.add(fresh.get(next[0]++ - size)));
    }

    @Test
    void a_further_change_of_a_queued_pool_costs_the_same_whatever_the_queue_holds() {
        assertSame(changing(SMALL), changing(LARGE));
    }

    private static long changing(int size) {
        OperationQueue queue = queue(UpdateModel.DESIRED_STATE, size);
        Operation operation = operation(UpdateModel.DESIRED_STATE, size / 2);
        long cost = allocated(() -> queue.add(operation));
        assertThatSize(queue, size);
        return cost;
    }

    @ParameterizedTest
    @EnumSource
    void removing_a_service_touches_only_its_own_operations(UpdateModel model) {
        assertSame(removing(model, SMALL), removing(model, LARGE));
    }

    private static long removing(UpdateModel model, int size) {
        OperationQueue queue = queue(model, size);
        Operation operation = operation(model, size / 2);
        return allocated(() -> {
            queue.remove(operation.service(), operation.pool());
            assertThatSize(queue, size - 1);
            queue.add(operation);
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_slice_event_costs_the_same_whatever_the_cluster_holds(UpdateModel model) {
        assertSame(sliceEvents(model, 300), sliceEvents(model, 15_000));
    }

    /** Flapping of one Service among this number of Services with three slices each. */
    private static long sliceEvents(UpdateModel model, int services) {
        LoadShape shape = new LoadShape(100, 1, services, 3, 5, 10);
        OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);
        EndpointIndex index = new EndpointIndex(() -> Instant.EPOCH);
        index.listen(new Queuing(model, queue));
        List<LoadEvent> flapping = new ArrayList<>();
        boolean[] started = {false};
        LoadGenerator load = new LoadGenerator(shape, event -> {
            if (started[0]) {
                flapping.add(event);
            } else {
                event.report(index);
            }
        });
        index.locate(shape.pools());
        load.start();
        assertThat(drain(queue)).hasSize(services);
        started[0] = true;
        load.flap(services / 2, 1, Duration.ofSeconds(1));
        return allocated(() -> {
            flapping.forEach(event -> event.report(index));
            if (drain(queue).size() != 1) {
                throw new AssertionError("expected one group");
            }
        });
    }

    @Test
    void a_slice_event_costs_the_same_however_many_endpoints_a_node_has() {
        assertSame(sliceEvent(10), sliceEvent(10_000));
    }

    /** A small slice changes beside another one that has this many endpoints on ten nodes. */
    private static long sliceEvent(int endpoints) {
        EndpointIndex index = new EndpointIndex(() -> Instant.EPOCH);
        index.locate(List.of(pool(0)));
        for (int i = 0; i < 10; i++) {
            index.nodeChanged(new NodeState("node-" + i, Map.of(), List.of("10.0.0." + i)));
        }
        index.serviceChanged(new ServiceState(service(0), "LoadBalancer", "Local", List.of("IPv4")));
        index.sliceChanged(slice("large", endpoints));
        EndpointSliceState[] small = {slice("small", 1), slice("small", 2)};
        int[] next = {0};
        return allocated(() -> index.sliceChanged(small[next[0]++ % 2]));
    }

    private static EndpointSliceState slice(String name, int endpoints) {
        List<String> nodes =
                IntStream.range(0, endpoints).mapToObj(i -> "node-" + i % 10).toList();
        return new EndpointSliceState("ns", name, service(0), "IPv4", nodes);
    }

    private static List<OperationGroup> drain(OperationQueue queue) {
        return Drain.due(queue, null, Instant.MAX);
    }

    /** Queues the operations of a model for changes, like a leading engine. */
    private record Queuing(UpdateModel model, OperationQueue queue) implements ClusterChanges {
        @Override
        public void wants(@Nullable Want before, Want now) {
            model.wants(queue, before, now);
        }

        @Override
        public void touched(ServiceName service, PoolKey pool) {}

        @Override
        public void left(ServiceName service, PoolKey pool) {
            queue.remove(service, pool);
        }
    }

    /** With guards too, although the safety brake judges together what waits in all pools. */
    @ParameterizedTest
    @CsvSource({"DIFF, false", "DIFF, true", "DESIRED_STATE, false", "DESIRED_STATE, true"})
    void a_tick_costs_the_same_however_many_pools_are_parked(UpdateModel model, boolean isGuarded) {
        EngineSettings settings = EngineSettings.REFERENCE.withModel(model);
        EngineSettings guarded = isGuarded ? settings.withGuards(GuardSettings.DEFAULT) : settings;
        assertSame(ticking(guarded, SMALL), ticking(guarded, LARGE));
    }

    private static long ticking(EngineSettings settings, int size) {
        FakeTime time = new FakeTime();
        FakeCloud cloud = new FakeCloud(time);
        TestClusterView view = new TestClusterView();
        for (int i = 0; i < size; i++) {
            cloud.putPool(pool(i), AddressSet.of("10.0.0.9"));
        }
        cloud.faults().add(FaultRule.always(429).retryAfter(Duration.ofHours(1)));
        Engine engine = Engine.builder(view, cloud, cloud, time)
                .hasSynced(() -> true)
                .settings(settings)
                .build();
        engine.startLeading(Term.untilEnded());
        engine.step(); // lists
        for (int i = 0; i < size; i++) {
            view.want(service(i), pool(i), ADDRESSES);
        }
        Instant next = engine.step();
        while (!next.isAfter(time.instant())) { // one update each
            next = engine.step();
        }
        long cost = allocated(() -> {
            time.advance(Pace.TICK.interval());
            engine.step();
        });
        assertThat(engine.status().work().parkedPools()).isEqualTo(size);
        assertThat(cloud.calls()).hasSize(size);
        return cost;
    }
}

package dev.poolkeeper.core.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.core.queue.Drain;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lincheck explores interleavings of watch threads in the index with a tick in the queue. */
class EndpointIndexLincheckTest {

    @Test
    @Rule(
            id = "X2",
            says = "Concurrent watch events leave the same wanted addresses and queued operations as sequential ones.",
            source = "design document, Locking And Queue Safety",
            differs = "Go reads the nodes' addresses without their lock, which crashes the process.")
    void concurrent_events_end_as_sequential_ones_do() {
        Schedules.options().check(Events.class);
    }

    @Test
    void a_listener_called_outside_the_lock_is_detected() {
        assertThatThrownBy(() -> Schedules.oneCallEach().iterations(60).check(QueuedOutside.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** A Service with a slice on one of two nodes whose addresses change. */
    @Param(name = "node", gen = IntGen.class, conf = "1:2")
    @Param(name = "address", gen = IntGen.class, conf = "1:3")
    public static class Events {

        static final ServiceName WEB = new ServiceName("shop", "web");
        static final PoolKey POOL = PoolKey.of("lb", "shop-web");

        final OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);
        final EndpointIndex index = new EndpointIndex(() -> Instant.EPOCH);

        public Events() {
            index.listen(listener());
            index.locate(List.of(POOL));
            index.serviceChanged(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4")));
            node(1, 1);
            node(2, 2);
            slice(1);
            queue.remove(WEB, POOL);
        }

        ClusterChanges listener() {
            return new Queueing(queue);
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public final void node(@Param(name = "node") int node, @Param(name = "address") int address) {
            index.nodeChanged(new NodeState("n" + node, Map.of(), List.of("10.0.0." + address)));
            afterwards();
        }

        /** Runs after an event, without a lock. */
        void afterwards() {}

        @org.jetbrains.lincheck.datastructures.Operation
        public final void slice(@Param(name = "node") int node) {
            index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n" + node)));
            afterwards();
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public final void serviceDeleted() {
            index.serviceDeleted(WEB);
            afterwards();
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public String wanted() {
            return index.wants().toString();
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public String drain() {
            return Drain.due(queue, null, Instant.MAX).toString();
        }

        /** Uses diff, so that queued operations have addresses: applying them must yield the wanted addresses. */
        @Validate
        public void the_last_queued_set_is_the_wanted_set() {
            AddressSet wanted = PoolWants.of(index, POOL).wanted(WEB);
            for (OperationGroup group : queue.due(null, Instant.MAX)) {
                Operation last =
                        group.operations().get(group.operations().size() - 1).operation();
                boolean agrees = switch (last) {
                    case Operation.Add(ServiceName s, PoolKey p, AddressSet added) ->
                        added.minus(wanted).isEmpty();
                    case Operation.Remove(ServiceName s, PoolKey p, AddressSet removed) ->
                        removed.intersect(wanted).isEmpty();
                    case Operation.Replace(ServiceName s, PoolKey p, AddressSet all) -> all.equals(wanted);
                    case Operation.Sync sync -> true;
                };
                if (!agrees) {
                    throw new AssertionError(last + " was queued last, wanted is " + wanted);
                }
            }
        }
    }

    /** As the engine queues changes. */
    private static class Queueing implements ClusterChanges {

        private final OperationQueue queue;

        Queueing(OperationQueue queue) {
            this.queue = queue;
        }

        @Override
        public void wants(@Nullable Want before, Want now) {
            UpdateModel.DIFF.wants(queue, before, now);
        }

        @Override
        public void touched(ServiceName service, PoolKey pool) {}

        @Override
        public void left(ServiceName service, PoolKey pool) {
            queue.remove(service, pool);
        }
    }

    /** The planted fault: a result computed under the lock is queued after its release. */
    public static final class QueuedOutside extends Events {

        @Override
        ClusterChanges listener() {
            return new Queueing(new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO));
        }

        @Override
        void afterwards() {
            queue.add(new Operation.Replace(WEB, POOL, PoolWants.of(index, POOL).wanted(WEB)));
        }
    }
}

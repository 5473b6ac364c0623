package dev.poolkeeper.core.endpoints;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.operation.Operation.Replace;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Map;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck tries the interleavings of watch threads at the index, and of a tick at the queue behind it. */
class EndpointIndexLincheckTest {

    @Test
    @Rule(
            id = "X2",
            says = "Watch events that arrive at the same moment leave the wanted addresses, and what is queued, as if"
                    + " they had come one after another.",
            source = "DESIGN section 3",
            differs = "Go reads the nodes' addresses without their lock, and the process dies of it.")
    void events_at_the_same_moment_end_as_events_one_after_another() {
        Schedules.options().check(Events.class);
    }

    @Test
    void a_listener_that_is_told_outside_the_lock_is_found() {
        assertThatThrownBy(() -> Schedules.options().check(ToldOutside.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** A Service of two slices on two nodes whose addresses change. */
    @Param(name = "node", gen = IntGen.class, conf = "1:2")
    @Param(name = "address", gen = IntGen.class, conf = "1:3")
    public static class Events {

        static final ServiceName WEB = new ServiceName("shop", "web");
        private static final PoolKey POOL = PoolKey.of("lb", "shop-web");

        final OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        final EndpointIndex index = new EndpointIndex(listener());

        public Events() {
            index.locationsChanged(PoolLocations.of(List.of(POOL)));
            index.serviceChanged(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4")));
            node(1, 1);
            node(2, 2);
            slice(1);
            queue.drain();
        }

        WantedChanges listener() {
            return new ChangeQueuer(queue);
        }

        @Operation
        public final void node(@Param(name = "node") int node, @Param(name = "address") int address) {
            index.nodeChanged(new NodeState("n" + node, Map.of(), List.of("10.0.0." + address)));
            afterwards();
        }

        /** Runs after an event without any lock. */
        void afterwards() {}

        @Operation
        public final void slice(@Param(name = "node") int node) {
            index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n" + node)));
        }

        @Operation
        public void serviceDeleted() {
            index.serviceDeleted(WEB);
        }

        @Operation
        public String wanted() {
            return index.wantedPools().toString();
        }

        @Operation
        public String drain() {
            return queue.drain().toString();
        }

        @Validate
        public void what_is_queued_is_what_is_wanted() {
            List<AddressSet> wanted =
                    index.wantedPools().stream().map(WantedPool::wanted).toList();
            for (OperationGroup group : queue.drain()) {
                for (PendingOperation pending : group.operations()) {
                    if (!wanted.contains(pending.operation().addresses())) {
                        throw new AssertionError(pending + " is queued, wanted is " + wanted);
                    }
                }
            }
        }
    }

    /** The planted fault: what was found under the lock is queued after it was let go. */
    public static final class ToldOutside extends Events {

        @Override
        WantedChanges listener() {
            return new NobodyListens();
        }

        @Override
        void afterwards() {
            for (WantedPool pool : index.wantedPools()) {
                queue.add(new Replace(WEB, pool.pool(), pool.wanted()));
            }
        }
    }

    private static final class NobodyListens implements WantedChanges {
        @Override
        public void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {}

        @Override
        public void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {}

        @Override
        public void retriggered(ServiceName service, PoolKey pool, AddressSet wanted) {}

        @Override
        public void left(ServiceName service, PoolKey pool) {}
    }
}

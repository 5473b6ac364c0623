package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Lincheck explores the interleavings of watch threads and a tick on one queue: each must be equivalent to some
 * sequential order of the calls.
 */
class OperationQueueLincheckTest {

    @Test
    @Rule(
            id = "X1",
            says = "Concurrent calls leave the queue as if they had been made one after another, in both models.",
            source = "design document, Locking And Queue Safety")
    void concurrent_calls_end_as_sequential_ones_do() {
        Schedules.options().check(DesiredState.class);
        Schedules.options().check(Diff.class);
    }

    @Test
    void an_add_that_takes_the_lock_twice_is_detected() {
        assertThatThrownBy(() -> Schedules.options().iterations(20).check(TornAdd.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** The calls of watch threads and of a tick. */
    @Param(name = "service", gen = IntGen.class, conf = "1:2")
    @Param(name = "address", gen = IntGen.class, conf = "1:3")
    public abstract static class Calls {

        static final PoolKey POOL = PoolKey.of("lb", "shared");

        final OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);
        private List<OperationGroup> taken = List.of();

        Calls() {
            queue.add(new Operation.Replace(service(3), POOL, AddressSet.of("10.0.0.9")));
        }

        static ServiceName service(int number) {
            return new ServiceName("shop", "web-" + number);
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public void add(@Param(name = "service") int service, @Param(name = "address") int address) {
            add(operation(service(service), address));
        }

        abstract Operation operation(ServiceName service, int address);

        void add(Operation operation) {
            queue.add(operation);
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public void remove(@Param(name = "service") int service) {
            queue.remove(service(service), POOL);
        }

        @org.jetbrains.lincheck.datastructures.Operation
        public int size() {
            return queue.size();
        }

        @org.jetbrains.lincheck.datastructures.Operation(nonParallelGroup = "tick")
        public String drain() {
            taken = Drain.due(queue, null, Instant.MAX);
            return taken.toString();
        }

        @org.jetbrains.lincheck.datastructures.Operation(nonParallelGroup = "tick")
        public void requeue() {
            taken.forEach(group -> OperationQueueTest.requeue(queue, group.pool(), group.operations()));
            taken = List.of();
        }
    }

    public static class DesiredState extends Calls {
        @Override
        Operation operation(ServiceName service, int address) {
            return new Operation.Sync(service, POOL);
        }
    }

    public static final class Diff extends Calls {
        @Override
        Operation operation(ServiceName service, int address) {
            return new Operation.Replace(service, POOL, AddressSet.of("10.0.0." + address));
        }
    }

    /** The planted fault: other threads see the queue after an operation was taken out and before it is put back. */
    public static final class TornAdd extends DesiredState {
        @Override
        void add(Operation operation) {
            List<OperationGroup> all = Drain.due(queue, null, Instant.MAX);
            queue.add(operation);
            all.forEach(group -> OperationQueueTest.requeue(queue, group.pool(), group.operations()));
        }
    }
}

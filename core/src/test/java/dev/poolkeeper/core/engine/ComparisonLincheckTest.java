package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck explores the interleavings of a listing that drops what is up to date with a change on a watch thread. */
class ComparisonLincheckTest {

    @Test
    void a_change_while_what_is_up_to_date_is_dropped_is_not_lost() {
        Schedules.options().check(AtOnce.class);
    }

    @Test
    void a_look_and_a_drop_apart_are_detected() {
        assertThatThrownBy(() -> Schedules.options().iterations(20).check(Apart.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** A pool that holds what its Service wants, in which the Service has a waiting operation. */
    public abstract static class Calls {

        static final ServiceName WEB = new ServiceName("shop", "web");
        static final PoolKey POOL = PoolKey.of("lb", "shop-web");
        static final Want WANTED = new Want(WEB, POOL, AddressSet.of("10.0.0.1"), true, true, true, false);
        static final Want CHANGED = new Want(WEB, POOL, AddressSet.of("10.0.0.2"), true, true, true, false);

        final Pools pools = TestPools.none();
        final OperationQueue queue = new OperationQueue(pools, () -> Instant.EPOCH, Duration.ZERO);
        private boolean changed;

        Calls() {
            pools.listed(List.of(new BackendPool(POOL, WANTED.wanted(), "etag", null)), Instant.EPOCH);
            pools.wants(WANTED);
            UpdateModel.DESIRED_STATE.wants(queue, null, WANTED);
        }

        @Operation(runOnce = true, nonParallelGroup = "watch")
        public void change() {
            pools.wants(CHANGED);
            UpdateModel.DESIRED_STATE.wants(queue, WANTED, CHANGED);
            changed = true;
        }

        @Operation(nonParallelGroup = "listing")
        public abstract void drop();

        @Validate
        public void what_differs_waits() {
            if (changed && queue.isEmpty()) {
                throw new IllegalStateException("the change is lost");
            }
        }
    }

    public static final class AtOnce extends Calls {

        @Override
        @Operation(nonParallelGroup = "listing")
        public void drop() {
            new Comparison(pools, UpdateModel.DESIRED_STATE, queue).dropUpToDate(0);
        }
    }

    public static final class Apart extends Calls {

        @Override
        @Operation(nonParallelGroup = "listing")
        public void drop() {
            if (pools.get(POOL).wants().agrees(WANTED.wanted())) {
                queue.change(POOL, pool -> pool.withBacklog(it -> it.without(pending -> true)));
            }
        }
    }
}

package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParkedOperationsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-api");
    private static final Instant NOW = Instant.ofEpochSecond(50);
    private static final Instant LATER = Instant.ofEpochSecond(100);

    private final OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);

    private void park(ServiceName service, PoolKey pool, Instant until) {
        PendingOperation operation = PendingOperation.fresh(new Operation.Sync(service, pool), 7, Instant.EPOCH);
        OperationQueueTest.requeue(queue, pool, List.of(operation.parked(until)));
    }

    private List<PoolKey> due(Instant now) {
        return Drain.due(queue, null, now).stream().map(OperationGroup::pool).toList();
    }

    @Test
    void only_eligible_groups_are_drained() {
        park(WEB, POOL, LATER);
        queue.add(new Operation.Sync(API, OTHER));

        assertThat(queue.parked(NOW)).extracting(OperationGroup::pool).containsExactly(POOL);
        assertThat(due(NOW)).containsExactly(OTHER);
        assertThat(due(NOW)).isEmpty();
        assertThat(queue.hasDue(null, NOW)).isFalse();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.nextEligibleAt()).contains(LATER);

        assertThat(queue.parked(LATER)).isEmpty();
        assertThat(queue.hasDue(null, LATER)).isTrue();
        assertThat(due(LATER)).containsExactly(POOL);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.nextEligibleAt()).isEmpty();
    }

    @Test
    void a_group_waits_until_the_latest_of_its_instants() {
        park(WEB, POOL, LATER);
        park(API, POOL, LATER.plusSeconds(1));
        assertThat(due(LATER)).isEmpty();
        assertThat(due(LATER.plusSeconds(1))).containsExactly(POOL);
    }

    @Test
    void a_fresh_operation_waits_with_the_parked_ones_of_its_pool() {
        park(WEB, POOL, LATER);
        queue.add(new Operation.Sync(API, POOL));

        assertThat(due(NOW)).isEmpty();
        assertThat(Drain.due(queue, null, LATER))
                .singleElement()
                .satisfies(group -> assertThat(group.operations()).hasSize(2));
    }

    @Test
    void groups_of_other_load_balancers_stay() {
        queue.add(new Operation.Sync(WEB, POOL));
        queue.add(new Operation.Sync(API, OTHER));

        assertThat(Drain.due(queue, OTHER.loadBalancer(), NOW))
                .singleElement()
                .satisfies(group -> assertThat(group.pool()).isEqualTo(OTHER));

        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.hasDue(OTHER.loadBalancer(), NOW)).isFalse();
        assertThat(queue.hasDue(POOL.loadBalancer(), NOW)).isTrue();
    }

    @Test
    void removing_the_parked_operation_makes_the_rest_of_its_group_due() {
        park(WEB, POOL, LATER);
        queue.add(new Operation.Sync(API, POOL));

        queue.remove(WEB, POOL);

        assertThat(due(NOW)).containsExactly(POOL);
    }

    @Test
    void a_parked_operation_that_is_removed_leaves_nothing() {
        park(WEB, POOL, LATER);
        queue.remove(WEB, POOL);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.nextEligibleAt()).isEmpty();
        assertThat(queue.parked(NOW)).isEmpty();
    }
}

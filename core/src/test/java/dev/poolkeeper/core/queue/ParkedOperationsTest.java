package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParkedOperationsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-api");
    private static final Instant NOW = Instant.ofEpochSecond(50);
    private static final Instant LATER = Instant.ofEpochSecond(100);

    private final Set<ServiceName> local = new HashSet<>(Set.of(WEB, API));
    private long revision = 1;
    private int asked;

    private final LocalServices services = new LocalServices() {
        @Override
        public boolean isLocal(ServiceName service, PoolKey pool) {
            asked++;
            return local.contains(service);
        }

        @Override
        public long revision() {
            return revision;
        }
    };

    private static void park(OperationQueue queue, ServiceName service, PoolKey pool, Instant until) {
        Operation operation = new Operation.Replace(service, pool, AddressSet.of("10.0.0.1"));
        queue.requeue(pool, List.of(PendingOperation.fresh(operation, 7).parked(until)));
    }

    private static List<PoolKey> due(OperationQueue queue, Instant now) {
        return queue.drainDue(null, now).stream().map(OperationGroup::pool).toList();
    }

    @ParameterizedTest
    @EnumSource
    void only_groups_that_may_go_are_taken_out(UpdateModel model) {
        OperationQueue queue = new OperationQueue(model);
        park(queue, WEB, POOL, LATER);
        queue.add(new Operation.Add(API, OTHER, AddressSet.of("10.0.0.2")));

        assertThat(due(queue, NOW)).containsExactly(OTHER);
        assertThat(due(queue, NOW)).isEmpty();
        assertThat(queue.hasDue(null, NOW)).isFalse();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.nextEligibleAt()).contains(LATER);

        assertThat(queue.hasDue(null, LATER)).isTrue();
        assertThat(due(queue, LATER)).containsExactly(POOL);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.nextEligibleAt()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_fresh_operation_waits_with_the_parked_ones_of_its_pool(UpdateModel model) {
        OperationQueue queue = new OperationQueue(model);
        park(queue, WEB, POOL, LATER);
        queue.add(new Operation.Add(API, POOL, AddressSet.of("10.0.0.2")));

        assertThat(due(queue, NOW)).isEmpty();
        assertThat(queue.drainDue(null, LATER))
                .singleElement()
                .satisfies(group -> assertThat(group.operations()).hasSize(2));
    }

    @Test
    void groups_of_other_load_balancers_stay() {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        queue.add(new Operation.Add(WEB, POOL, AddressSet.of("10.0.0.1")));
        queue.add(new Operation.Add(API, OTHER, AddressSet.of("10.0.0.2")));

        assertThat(queue.drainDue(OTHER.loadBalancer(), NOW))
                .singleElement()
                .satisfies(group -> assertThat(group.pool()).isEqualTo(OTHER));

        assertThat(queue.size()).isEqualTo(1);
        queue.remove(API);
        assertThat(queue.size()).isEqualTo(1);
        queue.remove(WEB);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void removing_the_parked_operation_lets_the_rest_of_its_group_go() {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        park(queue, WEB, POOL, LATER);
        queue.add(new Operation.Add(API, POOL, AddressSet.of("10.0.0.2")));

        queue.remove(WEB, POOL);

        assertThat(due(queue, NOW)).containsExactly(POOL);
    }

    @Test
    void stale_parked_operations_are_dropped_and_hold_nobody_up() {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        park(queue, WEB, POOL, LATER);
        queue.add(new Operation.Add(API, POOL, AddressSet.of("10.0.0.2")));
        local.remove(WEB);

        new ParkedOperations(queue, services, null).dropStale(NOW);

        assertThat(queue.size()).isEqualTo(1);
        assertThat(due(queue, NOW)).containsExactly(POOL);
    }

    @Test
    void nobody_is_asked_while_no_service_came_or_went() {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        park(queue, WEB, POOL, LATER);
        park(queue, API, OTHER, LATER);
        ParkedOperations parked = new ParkedOperations(queue, services, null);

        parked.dropStale(NOW);
        parked.dropStale(NOW);
        assertThat(asked).isEqualTo(2);

        revision++;
        local.remove(API);
        parked.dropStale(NOW);
        assertThat(asked).isEqualTo(4);
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void where_nobody_counts_revisions_everybody_is_asked_each_time() {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        park(queue, WEB, POOL, LATER);
        revision = LocalServices.UNKNOWN_REVISION;
        ParkedOperations parked = new ParkedOperations(queue, services, null);

        parked.dropStale(NOW);
        parked.dropStale(NOW);

        assertThat(asked).isEqualTo(2);
    }

    @Test
    void an_operation_that_superseded_a_stale_one_meanwhile_stays() {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        park(queue, WEB, POOL, LATER);
        List<PendingOperation> seen = queue.parked(null, NOW);
        queue.add(new Operation.Replace(WEB, POOL, AddressSet.of("10.0.0.9")));

        seen.forEach(queue::remove);
        assertThat(queue.size()).isEqualTo(1);

        queue.remove(WEB);
        assertThat(queue.isEmpty()).isTrue();
    }
}

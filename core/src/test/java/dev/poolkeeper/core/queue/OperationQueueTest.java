package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationQueueTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-api");
    private static final Instant LATER = Instant.ofEpochSecond(100);

    private final Pools pools = TestPools.none();
    private final OperationQueue queue = new OperationQueue(pools, () -> Instant.EPOCH, Duration.ZERO);

    private static Operation.Sync sync(ServiceName service, PoolKey pool) {
        return new Operation.Sync(service, pool);
    }

    private static Operation add(ServiceName service, PoolKey pool, String... addresses) {
        return new Operation.Add(service, pool, AddressSet.of(addresses));
    }

    private List<OperationGroup> drained() {
        return Drain.due(queue, null, Instant.MAX);
    }

    private List<PendingOperation> operations() {
        return drained().stream().flatMap(group -> group.operations().stream()).toList();
    }

    private List<Operation> taken() {
        return operations().stream().map(PendingOperation::operation).toList();
    }

    /** Puts operations back, as at the end of an attempt. */
    static void requeue(OperationQueue queue, PoolKey key, List<PendingOperation> operations) {
        queue.change(key, pool -> pool.withBacklog(it -> it.returned(operations)));
    }

    @Test
    void a_queue_is_empty_before_an_add_and_after_a_drain() {
        assertThat(queue.isEmpty()).isTrue();
        queue.add(sync(WEB, POOL));
        assertThat(queue.isEmpty()).isFalse();
        assertThat(pools.get(POOL).backlog().waiting()).hasSize(1);
        assertThat(pools.get(OTHER).backlog().waiting()).isEmpty();
        assertThat(queue.loadBalancers()).containsExactly(POOL.loadBalancer());
        assertThat(queue.hasDue(null, Instant.EPOCH)).isTrue();
        drained();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(pools.get(POOL).backlog().waiting()).isEmpty();
        assertThat(queue.loadBalancers()).isEmpty();
        assertThat(queue.hasDue(null, Instant.EPOCH)).isFalse();
    }

    @Test
    @Rule(
            id = "R06.1",
            says = "In desired-state a change of the wanted set keeps the position of a waiting operation and"
                    + " resets its retryCount; nextEligibleAt stays.",
            source = "contract, Replay rule 6")
    void a_further_change_keeps_position_and_parking() {
        // given
        queue.add(sync(WEB, POOL));
        PendingOperation tried = operations().get(0).retried(LATER);
        requeue(queue, POOL, List.of(tried));
        queue.add(sync(API, OTHER));
        // when
        queue.add(sync(WEB, POOL));
        // then
        assertThat(queue.size()).isEqualTo(2);
        assertThat(operations().get(0)).isEqualTo(tried.changed(Instant.EPOCH));
        assertThat(tried.changed(Instant.EPOCH).retryCount()).isZero();
        assertThat(tried.changed(Instant.EPOCH).nextEligibleAt()).isEqualTo(LATER);
    }

    @Test
    void a_parked_operation_that_was_removed_holds_back_no_other_pool_of_its_load_balancer() {
        // given
        PoolKey neighbour = PoolKey.of("lb-1", "shop-api");
        PendingOperation parked =
                PendingOperation.fresh(sync(WEB, POOL), 1, Instant.EPOCH).retried(LATER);
        requeue(queue, POOL, List.of(parked));
        queue.add(sync(API, neighbour));
        // when
        queue.remove(WEB, POOL);
        // then
        assertThat(queue.hasDue(POOL.loadBalancer(), Instant.EPOCH)).isTrue();
        assertThat(queue.parked(Instant.EPOCH)).isEmpty();
    }

    @Test
    void a_pools_batch_starts_at_its_earliest_change_in_any_order() {
        // given
        Instant now = Instant.ofEpochSecond(1000);
        OperationQueue gathering = new OperationQueue(TestPools.none(), () -> now, Duration.ofSeconds(10));
        requeue(
                gathering,
                POOL,
                List.of(
                        PendingOperation.fresh(sync(WEB, POOL), 1, now.minusSeconds(2)),
                        PendingOperation.fresh(sync(API, POOL), 2, now.minusSeconds(7))));
        // when, then
        assertThat(gathering.isDue(POOL, now.plusMillis(2999))).isFalse();
        assertThat(gathering.isDue(POOL, now.plusSeconds(3))).isTrue();
    }

    @Test
    void ensuring_an_operation_leaves_a_queued_one_unchanged() {
        PendingOperation tried =
                PendingOperation.fresh(sync(WEB, POOL), 3, Instant.EPOCH).retried(LATER);
        requeue(queue, POOL, List.of(tried));
        queue.ensure(sync(WEB, POOL));
        assertThat(pools.get(POOL).backlog().waiting()).containsExactly(tried);
        queue.ensure(sync(API, POOL));
        queue.ensure(sync(WEB, OTHER));
        assertThat(queue.size()).isEqualTo(3);
    }

    @Test
    void in_diff_nothing_replaces_anything_and_order_is_kept() {
        Operation removal = new Operation.Remove(WEB, POOL, AddressSet.of("10.0.0.1"));
        Operation addition = add(WEB, POOL, "10.0.0.2");
        queue.add(removal);
        queue.add(addition);
        queue.add(addition);

        assertThat(queue.size()).isEqualTo(3);
        assertThat(taken()).containsExactly(removal, addition, addition);
    }

    @Test
    @Rule(
            id = "Q1",
            says = "Adding or removing no address is not queued; replacing with an empty set is, and empties the pool.",
            source = "contract, Replay rule 5")
    void empty_operations_are_not_queued() {
        queue.add(new Operation.Add(WEB, POOL, AddressSet.empty()));
        queue.add(new Operation.Remove(WEB, POOL, AddressSet.empty()));
        assertThat(queue.isEmpty()).isTrue();

        queue.add(new Operation.Replace(WEB, POOL, AddressSet.empty()));
        assertThat(queue.size()).isEqualTo(1);
        queue.add(sync(WEB, POOL));
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void names_in_another_case_are_the_same_group() {
        queue.add(add(WEB, PoolKey.of("LB-1", "Shop-Web"), "10.0.0.1"));
        queue.add(add(API, POOL, "10.0.0.2"));

        assertThat(drained()).singleElement().satisfies(group -> {
            assertThat(group.operations()).hasSize(2);
            assertThat(group.pool()).hasToString("LB-1/Shop-Web");
        });
    }

    @Test
    @Rule(
            id = "R09.1",
            says = "Requeued operations, parked or retried, go before fresh ones, in their original order,"
                    + " across groups.",
            source = "contract, Replay rule 9",
            differs = "In Go requeued groups come in random order.")
    void requeued_operations_precede_fresh_ones_in_their_order() {
        // given
        queue.add(add(WEB, POOL, "10.0.0.1"));
        queue.add(add(API, OTHER, "10.0.0.2"));
        queue.add(add(WEB, POOL, "10.0.0.3"));
        List<OperationGroup> groups = drained();
        // when: fresh ones arrive, and the groups come back in the other order
        queue.add(add(API, OTHER, "10.0.0.4"));
        queue.add(add(WEB, POOL, "10.0.0.5"));
        requeue(queue, OTHER, groups.get(1).operations());
        requeue(queue, POOL, groups.get(0).operations());
        // then
        assertThat(taken())
                .containsExactly(
                        add(WEB, POOL, "10.0.0.1"),
                        add(WEB, POOL, "10.0.0.3"),
                        add(WEB, POOL, "10.0.0.5"),
                        add(API, OTHER, "10.0.0.2"),
                        add(API, OTHER, "10.0.0.4"));
    }

    @Test
    @Rule(
            id = "R06.3",
            says = "A requeued operation is merged with a newer one for the same Service and pool: the newer"
                    + " count, the older position, the later parking.",
            source = "contract, Replay rule 6")
    void a_requeued_operation_is_merged_with_a_newer_one() {
        // given
        queue.add(sync(WEB, POOL));
        queue.add(sync(API, OTHER));
        List<OperationGroup> groups = drained();
        queue.add(sync(WEB, POOL));
        // when
        requeue(queue, OTHER, groups.get(1).operations());
        PendingOperation tried = groups.get(0).operations().get(0).retried(LATER);
        requeue(queue, POOL, List.of(tried));
        // then
        assertThat(queue.size()).isEqualTo(2);
        List<PendingOperation> all = operations();
        assertThat(all).hasSize(2);
        assertThat(all.get(0)).isEqualTo(tried.changed(Instant.EPOCH));
    }

    @Test
    void removing_a_service_from_a_pool_leaves_other_services_and_other_pools() {
        queue.add(add(WEB, POOL, "10.0.0.1"));
        queue.add(sync(WEB, OTHER));
        queue.add(sync(API, POOL));

        queue.remove(WEB, POOL);
        queue.remove(new ServiceName("no", "such"), POOL);
        queue.remove(WEB, PoolKey.of("lb-9", "shop-web"));
        assertThat(queue.size()).isEqualTo(2);

        queue.remove(WEB, OTHER);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(taken()).containsExactly(sync(API, POOL));
    }

    @Test
    void what_is_taken_is_known_until_its_update_ends() {
        queue.add(sync(WEB, POOL));
        OperationGroup group = queue.take(POOL).orElseThrow();
        queue.add(sync(API, POOL));
        assertThat(pools.get(POOL).backlog().inHand()).isEqualTo(group);
        assertThat(pools.get(OTHER).backlog().inHand()).isNull();
        assertThat(queue.isAnyTaken()).isTrue();
        assertThat(pools.get(POOL).group()).contains(group);
        assertThat(pools.get(POOL).backlog().pending())
                .extracting(PendingOperation::operation)
                .containsExactly(sync(WEB, POOL), sync(API, POOL));
        assertThat(pools.get(POOL).groups()).hasSize(2);
        queue.change(
                POOL,
                pool -> pool.withBacklog(it -> it.returned(group.operations())).taken());
        assertThat(pools.get(POOL).group().orElseThrow().operations()).hasSize(2);
        assertThat(pools.get(POOL).groups()).hasSize(1);

        queue.finish(POOL);
        assertThat(pools.get(POOL).backlog().inHand()).isNull();
        assertThat(queue.isAnyTaken()).isFalse();
        assertThat(pools.get(POOL).group()).isEmpty();
        assertThat(queue.isEmpty()).isTrue();
        queue.finish(POOL);
        assertThat(queue.isAnyTaken()).isFalse();
    }

    @Test
    void a_rest_delays_what_arrives_later_and_a_hold_only_what_waits() {
        Instant later = Instant.EPOCH.plusSeconds(30);
        queue.add(sync(API, POOL));
        queue.change(POOL, pool -> pool.withBacklog(it -> it.resting(later)));
        queue.add(sync(WEB, POOL));
        assertThat(queue.isDue(POOL, Instant.EPOCH)).isFalse();
        assertThat(queue.isDue(POOL, later)).isTrue();

        queue.add(sync(WEB, OTHER));
        queue.change(OTHER, pool -> pool.withBacklog(it -> it.holding(Instant.MAX, true)));
        assertThat(queue.isDue(OTHER, later)).isFalse();
        assertThat(queue.isAnyHeldByGuard()).isTrue();
        assertThat(queue.heldByGuards()).containsExactly(OTHER);
        queue.remove(WEB, OTHER);
        queue.add(sync(API, OTHER));
        assertThat(queue.isDue(OTHER, Instant.EPOCH)).isTrue();
        queue.change(OTHER, pool -> pool.withBacklog(it -> it.holding(Instant.MAX, false)));
        queue.change(OTHER, pool -> pool.withBacklog(it -> it.released(Instant.EPOCH)));
        assertThat(queue.isDue(OTHER, Instant.EPOCH)).isTrue();
        assertThat(queue.heldByGuards()).isEmpty();
        assertThat(queue.isAnyHeldByGuard()).isFalse();
    }

    @Test
    void a_hold_of_operations_that_are_all_dropped_holds_none_that_arrive_later() {
        queue.add(sync(WEB, POOL));
        queue.take(POOL);
        queue.change(POOL, pool -> pool.withBacklog(it -> it.holding(Instant.MAX, true)));
        queue.finish(POOL);
        queue.add(sync(WEB, POOL));
        assertThat(queue.isDue(POOL, Instant.EPOCH)).isTrue();
    }

    @Test
    void rests_and_holds_end_with_the_term() {
        queue.add(sync(WEB, POOL));
        queue.change(POOL, pool -> pool.withBacklog(it -> it.resting(LATER).withKept(true)));
        queue.remove(WEB, POOL);
        queue.end();
        queue.add(sync(WEB, POOL));
        assertThat(queue.isEmpty()).isTrue();
        assertThat(pools.all()).isEmpty();
    }

    @Test
    void nothing_is_remembered_of_a_pool_for_which_nothing_waits() {
        queue.add(sync(WEB, POOL));
        queue.change(POOL, pool -> pool.withBacklog(it -> it.withKept(true)));
        queue.change(POOL, pool -> pool.withBacklog(it -> it.holding(Instant.MAX, true)));
        assertThat(pools.get(POOL).backlog().isKept()).as("something waits").isTrue();

        queue.remove(WEB, POOL);
        assertThat(queue.isAnyHeldByGuard()).isFalse();
        assertThat(pools.get(POOL).backlog().isKept()).isFalse();
    }

    @Test
    void a_mark_separates_operations_queued_later() {
        queue.add(add(WEB, POOL, "10.0.0.1"));
        long mark = queue.mark();
        assertThat(queue.queuedSince(mark)).isEmpty();
        queue.add(add(WEB, POOL, "10.0.0.2"));
        queue.add(sync(API, OTHER));
        assertThat(queue.queuedSince(mark)).containsExactlyInAnyOrder(POOL, OTHER);

        queue.change(POOL, pool -> pool.withBacklog(backlog -> backlog.without(it -> it.sequence() >= mark)));
        queue.change(OTHER, pool -> pool.withBacklog(backlog -> backlog.without(it -> it.sequence() >= mark)));
        assertThat(taken()).containsExactly(add(WEB, POOL, "10.0.0.1"));
        assertThat(queue.queuedSince(mark)).isEmpty();
    }

    @Test
    void a_snapshot_leaves_the_queue_unchanged() {
        queue.add(sync(WEB, POOL));
        queue.add(sync(API, OTHER));
        assertThat(queue.due(null, LATER)).extracting(OperationGroup::pool).containsExactly(POOL, OTHER);
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void the_next_eligible_instant_is_that_of_the_earliest_group() {
        assertThat(queue.nextEligibleAt()).isEmpty();

        queue.add(sync(WEB, POOL));
        PendingOperation parked = operations().get(0).parked(LATER);
        requeue(queue, POOL, List.of(parked));
        assertThat(queue.nextEligibleAt()).contains(LATER);

        queue.add(sync(API, POOL));
        assertThat(queue.nextEligibleAt()).contains(LATER);

        queue.add(sync(API, OTHER));
        assertThat(queue.nextEligibleAt()).contains(Instant.MIN);
    }

    @Test
    void a_group_has_the_spelling_in_which_its_service_is_local() {
        PoolKey now = PoolKey.of("LB-1", "Shop-Web");
        pools.wants(TestPools.want(WEB, POOL));
        pools.wants(TestPools.want(WEB, now));
        queue.add(sync(WEB, now));
        assertThat(queue.due(null, Instant.EPOCH).get(0).pool()).hasToString("LB-1/Shop-Web");
    }
}

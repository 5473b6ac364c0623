package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OperationQueueTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-api");
    private static final Instant LATER = Instant.ofEpochSecond(100);

    private final OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
    private final OperationQueue diff = new OperationQueue(UpdateModel.DIFF);

    private static Operation replace(ServiceName service, PoolKey pool, String... addresses) {
        return new Operation.Replace(service, pool, AddressSet.of(addresses));
    }

    private static List<PendingOperation> drained(OperationQueue queue) {
        return queue.drain().stream()
                .flatMap(group -> group.operations().stream())
                .toList();
    }

    private static List<String> addresses(OperationQueue queue) {
        return drained(queue).stream()
                .map(operation -> operation.operation().addresses().toString())
                .toList();
    }

    @Test
    void a_queue_is_empty_until_something_waits_and_again_when_it_was_taken_out() {
        assertThat(queue.isEmpty()).isTrue();
        queue.add(replace(WEB, POOL, "10.0.0.1"));
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.waitingFor(POOL)).hasSize(1);
        assertThat(queue.waitingFor(OTHER)).isEmpty();
        assertThat(queue.due(Instant.EPOCH)).hasSize(1);
        drained(queue);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.waitingFor(POOL)).isEmpty();
        assertThat(queue.due(Instant.EPOCH)).isEmpty();
    }

    @Test
    @Rule(
            id = "R06.1",
            says = "In desired-state a pending operation keeps its place; a different set replaces its addresses and"
                    + " resets retryCount; nextEligibleAt stays.",
            source = "contract, Replay rule 6")
    void a_newer_wanted_set_takes_the_place_and_the_parking_of_the_older_one() {
        // given
        queue.add(replace(WEB, POOL, "10.0.0.1"));
        PendingOperation tried = drained(queue).get(0).retried(LATER);
        queue.requeue(POOL, List.of(tried));
        queue.add(replace(API, OTHER, "10.0.0.9"));
        // when
        queue.add(replace(WEB, POOL, "10.0.0.2"));
        // then
        assertThat(queue.size()).isEqualTo(2);
        PendingOperation first = drained(queue).get(0);
        assertThat(first.operation().addresses()).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(first.retryCount()).isZero();
        assertThat(first.nextEligibleAt()).isEqualTo(LATER);
        assertThat(first.retryReported()).isTrue();
    }

    @Test
    @Rule(id = "R06.2", says = "In desired-state the same set changes nothing.", source = "contract, Replay rule 6")
    void the_same_wanted_set_changes_nothing() {
        queue.add(replace(WEB, POOL, "10.0.0.1", "fd12::1"));
        PendingOperation tried = drained(queue).get(0).retried(LATER);
        queue.requeue(POOL, List.of(tried));

        queue.add(replace(WEB, POOL, "FD12:0::1", "10.0.0.1", "10.0.0.1"));

        assertThat(drained(queue)).containsExactly(tried);
    }

    @Test
    void in_diff_nothing_supersedes_and_order_is_kept() {
        diff.add(new Operation.Remove(WEB, POOL, AddressSet.of("10.0.0.1")));
        diff.add(new Operation.Add(WEB, POOL, AddressSet.of("10.0.0.2")));
        diff.add(new Operation.Add(WEB, POOL, AddressSet.of("10.0.0.2")));

        assertThat(diff.size()).isEqualTo(3);
        assertThat(addresses(diff)).containsExactly("[10.0.0.1]", "[10.0.0.2]", "[10.0.0.2]");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "Q1",
            says = "Adding or removing no address is not queued; replacing by nothing is, and empties the pool.",
            source = "contract, Replay rule 5")
    void operations_that_are_nothing_are_not_queued(UpdateModel model) {
        OperationQueue any = new OperationQueue(model);

        any.add(new Operation.Add(WEB, POOL, AddressSet.empty()));
        any.add(new Operation.Remove(WEB, POOL, AddressSet.empty()));
        assertThat(any.isEmpty()).isTrue();

        any.add(new Operation.Replace(WEB, POOL, AddressSet.empty()));
        assertThat(any.size()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void names_in_another_case_are_the_same_group(UpdateModel model) {
        OperationQueue any = new OperationQueue(model);
        any.add(new Operation.Add(WEB, PoolKey.of("LB-1", "Shop-Web"), AddressSet.of("10.0.0.1")));
        any.add(new Operation.Add(API, POOL, AddressSet.of("10.0.0.2")));

        assertThat(any.drain()).singleElement().satisfies(group -> {
            assertThat(group.operations()).hasSize(2);
            assertThat(group.pool()).hasToString("LB-1/Shop-Web");
        });
    }

    @Test
    @Rule(
            id = "R09.1",
            says = "Requeued operations, parked or retried, stand before fresh ones, in the order they had, across"
                    + " groups.",
            source = "contract, Replay rule 9",
            differs = "In Go requeued groups come in random order.")
    void requeued_operations_stand_before_fresh_ones_in_their_order() {
        // given
        diff.add(new Operation.Add(WEB, POOL, AddressSet.of("10.0.0.1")));
        diff.add(new Operation.Add(API, OTHER, AddressSet.of("10.0.0.2")));
        diff.add(new Operation.Add(WEB, POOL, AddressSet.of("10.0.0.3")));
        List<OperationGroup> groups = diff.drain();
        // when: fresh ones arrive, and the groups come back in the other order
        diff.add(new Operation.Add(API, OTHER, AddressSet.of("10.0.0.4")));
        diff.add(new Operation.Add(WEB, POOL, AddressSet.of("10.0.0.5")));
        diff.requeue(OTHER, groups.get(1).operations());
        diff.requeue(POOL, groups.get(0).operations());
        // then
        assertThat(addresses(diff))
                .containsExactly("[10.0.0.1]", "[10.0.0.3]", "[10.0.0.5]", "[10.0.0.2]", "[10.0.0.4]");
    }

    @Test
    @Rule(
            id = "R06.3",
            says = "A requeued operation that meets a newer one of its Service and pool gives way to it: the newer"
                    + " set, the older place, the later parking.",
            source = "contract, Replay rule 6; DESIGN section 2")
    void a_requeued_operation_gives_way_to_a_newer_one() {
        // given
        queue.add(replace(WEB, POOL, "10.0.0.1"));
        queue.add(replace(API, OTHER, "10.0.0.9"));
        List<OperationGroup> groups = queue.drain();
        queue.add(replace(WEB, POOL, "10.0.0.2"));
        // when
        queue.requeue(OTHER, groups.get(1).operations());
        queue.requeue(POOL, List.of(groups.get(0).operations().get(0).retried(LATER)));
        // then
        List<PendingOperation> all = drained(queue);
        assertThat(all).hasSize(2);
        assertThat(all.get(0).operation().addresses()).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(all.get(0).retryCount()).isZero();
        assertThat(all.get(0).nextEligibleAt()).isEqualTo(LATER);
        assertThat(all.get(0).retryReported()).isTrue();
    }

    @Test
    @Rule(
            id = "Q2",
            says = "Queueing the very set that is being tried does not start its count anew.",
            source = "contract, Replay rule 6",
            differs = "In Go it does, so that the operation can be retried for ever.")
    void a_requeued_operation_that_meets_its_like_keeps_its_count() {
        queue.add(replace(WEB, POOL, "10.0.0.1"));
        PendingOperation tried = drained(queue).get(0);
        queue.add(replace(WEB, POOL, "10.0.0.1"));

        queue.requeue(POOL, List.of(tried.retried(null)));

        assertThat(drained(queue))
                .singleElement()
                .satisfies(operation -> assertThat(operation.retryCount()).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource
    void removing_a_service_leaves_the_others(UpdateModel model) {
        OperationQueue any = new OperationQueue(model);
        any.add(replace(WEB, POOL, "10.0.0.1"));
        any.add(replace(WEB, OTHER, "10.0.0.2"));
        any.add(replace(API, POOL, "10.0.0.3"));

        any.remove(WEB);
        any.remove(new ServiceName("no", "such"));

        assertThat(any.size()).isEqualTo(1);
        assertThat(addresses(any)).containsExactly("[10.0.0.3]");
    }

    @ParameterizedTest
    @EnumSource
    void removing_a_service_from_one_pool_leaves_its_other_pool(UpdateModel model) {
        OperationQueue any = new OperationQueue(model);
        any.add(replace(WEB, POOL, "10.0.0.1"));
        any.add(replace(WEB, OTHER, "10.0.0.2"));

        any.remove(WEB, POOL);
        assertThat(any.size()).isEqualTo(1);

        any.remove(WEB);
        assertThat(any.isEmpty()).isTrue();
        assertThat(any.drain()).isEmpty();
    }

    @Test
    void the_next_eligible_instant_is_that_of_the_group_that_may_go_first() {
        assertThat(queue.nextEligibleAt()).isEmpty();

        queue.add(replace(WEB, POOL, "10.0.0.1"));
        PendingOperation parked = drained(queue).get(0).parked(LATER);
        queue.requeue(POOL, List.of(parked));
        assertThat(queue.nextEligibleAt()).contains(LATER);

        queue.add(replace(API, POOL, "10.0.0.2"));
        assertThat(queue.nextEligibleAt()).contains(LATER);

        queue.add(replace(API, OTHER, "10.0.0.2"));
        assertThat(queue.nextEligibleAt()).contains(Instant.MIN);
    }
}

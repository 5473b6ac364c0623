package dev.poolkeeper.core.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateModelTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet ONE = AddressSet.of("10.0.0.1");
    private static final AddressSet TWO = AddressSet.of("10.0.0.2");

    private final Pools pools = TestPools.none();
    private final OperationQueue queue = new OperationQueue(pools, () -> Instant.EPOCH, Duration.ZERO);

    private List<Operation> queued() {
        return pools.get(POOL).backlog().waiting().stream()
                .map(PendingOperation::operation)
                .toList();
    }

    @Test
    void diff_queues_the_removal_of_a_change_before_its_addition() {
        UpdateModel.DIFF.adopted(queue, WEB, POOL, ONE);
        UpdateModel.DIFF.changed(queue, WEB, POOL, ONE, TWO);
        assertThat(queued())
                .containsExactly(
                        new Operation.Replace(WEB, POOL, ONE),
                        new Operation.Remove(WEB, POOL, ONE),
                        new Operation.Add(WEB, POOL, TWO));
    }

    @Test
    void diff_queues_neither_an_empty_removal_nor_an_empty_addition() {
        UpdateModel.DIFF.changed(queue, WEB, POOL, ONE, ONE.union(TWO));
        UpdateModel.DIFF.changed(queue, WEB, POOL, ONE.union(TWO), ONE);
        assertThat(queued()).containsExactly(new Operation.Add(WEB, POOL, TWO), new Operation.Remove(WEB, POOL, TWO));
    }

    @Test
    void desired_state_queues_one_operation_without_addresses() {
        UpdateModel.DESIRED_STATE.adopted(queue, WEB, POOL, ONE);
        UpdateModel.DESIRED_STATE.changed(queue, WEB, POOL, ONE, TWO);
        assertThat(queued()).containsExactly(new Operation.Sync(WEB, POOL));
    }

    @Test
    void after_a_failure_a_slice_event_queues_in_desired_state_only() {
        UpdateModel.DIFF.touchedAfterFailure(queue, WEB, POOL);
        assertThat(queued()).isEmpty();
        UpdateModel.DESIRED_STATE.touchedAfterFailure(queue, WEB, POOL);
        assertThat(queued()).containsExactly(new Operation.Sync(WEB, POOL));
    }

    @Test
    void after_a_failure_a_slice_event_leaves_a_queued_operation_unchanged() {
        PendingOperation retried = PendingOperation.fresh(new Operation.Sync(WEB, POOL), 0, Instant.EPOCH)
                .retried(null);
        queue.change(POOL, pool -> pool.withBacklog(it -> it.returned(List.of(retried))));
        UpdateModel.DESIRED_STATE.touchedAfterFailure(queue, WEB, POOL);
        assertThat(pools.get(POOL).backlog().waiting()).containsExactly(retried);
    }

    @Test
    void only_diff_reports_unchanged_pools_and_counts_unsent_requests() {
        assertThat(UpdateModel.DESIRED_STATE)
                .returns(false, UpdateModel::reportsUnchanged)
                .returns(false, UpdateModel::countsUnsentAttempts);
        assertThat(UpdateModel.DIFF)
                .returns(true, UpdateModel::reportsUnchanged)
                .returns(true, UpdateModel::countsUnsentAttempts);
    }

    /** A pool that holds 1 and 9, of which another Service wants 9; what this one says of 1, adopted or not. */
    @ParameterizedTest
    @CsvSource({
        "remove, true, 10.0.0.9",
        "remove, false, 10.0.0.1 10.0.0.9",
        "replace, true, 10.0.0.2 10.0.0.9",
        "replace, false, 10.0.0.1 10.0.0.2 10.0.0.9",
        "add, true, 10.0.0.1 10.0.0.2 10.0.0.9",
        "add, false, 10.0.0.1 10.0.0.2 10.0.0.9"
    })
    void in_diff_a_service_that_was_not_adopted_since_removes_nothing(String what, boolean adopted, String planned) {
        Operation operation = switch (what) {
            case "remove" -> new Operation.Remove(WEB, POOL, ONE);
            case "replace" -> new Operation.Replace(WEB, POOL, TWO);
            default -> new Operation.Add(WEB, POOL, TWO);
        };
        AddressSet nine = AddressSet.of("10.0.0.9");
        Wants wants = Wants.NONE
                .with(new Want(WEB, POOL, TWO, true, adopted, adopted, false))
                .with(new Want(new ServiceName("shop", "api"), POOL, nine, true, true, true, false));
        assertThat(UpdateModel.DIFF.plan(
                        ONE.union(nine), List.of(PendingOperation.fresh(operation, 0, Instant.EPOCH)), wants))
                .isEqualTo(AddressSet.of(planned.split(" ")));
    }
}

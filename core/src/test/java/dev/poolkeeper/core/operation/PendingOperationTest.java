package dev.poolkeeper.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PendingOperationTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Instant SOON = Instant.ofEpochSecond(10);
    private static final Instant LATER = Instant.ofEpochSecond(20);

    private static Operation replace(String... addresses) {
        return new Operation.Replace(WEB, POOL, AddressSet.of(addresses));
    }

    private static Instant instant(String name) {
        return switch (name) {
            case "soon" -> SOON;
            case "later" -> LATER;
            default -> null;
        };
    }

    @ParameterizedTest
    @CsvSource({
        "soon, later, later",
        "later, soon, later",
        "soon, at once, soon",
        "at once, soon, soon",
        "at once, at once, at once"
    })
    void the_longer_parking_stays(String older, String newer, String expected) {
        PendingOperation returned =
                PendingOperation.fresh(replace("10.0.0.1"), 1).parked(instant(older));
        PendingOperation queued = PendingOperation.fresh(replace("10.0.0.2"), 2).parked(instant(newer));

        assertThat(returned.yieldTo(queued).nextEligibleAt()).isEqualTo(instant(expected));
    }

    @Test
    void failures_count_on_for_the_same_wish_and_anew_for_another() {
        PendingOperation returned =
                PendingOperation.fresh(replace("10.0.0.1"), 7).retried(null).retried(null);

        PendingOperation same = returned.yieldTo(PendingOperation.fresh(replace("10.0.0.1"), 9));
        assertThat(same).isEqualTo(new PendingOperation(replace("10.0.0.1"), 7, 2, null, true));
        PendingOperation other = returned.yieldTo(PendingOperation.fresh(replace("10.0.0.2"), 9));
        assertThat(other).isEqualTo(new PendingOperation(replace("10.0.0.2"), 7, 0, null, true));
    }

    @Test
    void a_promise_to_tell_is_kept_whoever_made_it() {
        PendingOperation silent = PendingOperation.fresh(replace("10.0.0.1"), 1);
        PendingOperation promised =
                PendingOperation.fresh(replace("10.0.0.1"), 2).retried(null);

        assertThat(silent.yieldTo(promised).retryReported()).isTrue();
        assertThat(silent.yieldTo(silent).retryReported()).isFalse();
    }

    @Test
    void the_same_operation_about_other_addresses_stays_what_it_is() {
        AddressSet other = AddressSet.of("10.0.0.9");
        for (Operation operation : List.of(
                new Operation.Add(WEB, POOL, AddressSet.empty()),
                new Operation.Remove(WEB, POOL, AddressSet.empty()),
                replace())) {
            assertThat(operation.withAddresses(other)).isInstanceOf(operation.getClass());
            assertThat(operation.withAddresses(other).addresses()).isEqualTo(other);
        }
    }

    @Test
    void a_group_is_what_its_operations_are() {
        PendingOperation fresh = PendingOperation.fresh(replace("10.0.0.1"), 1);
        PendingOperation parked = fresh.parked(LATER);
        PendingOperation retried = fresh.retried(null);

        OperationGroup quiet = new OperationGroup(POOL, List.of(fresh));
        assertThat(quiet.isParked(SOON)).isFalse();
        assertThat(quiet.isRetry()).isFalse();
        assertThat(quiet.isRetryReported()).isFalse();
        OperationGroup busy = new OperationGroup(POOL, List.of(fresh, parked, retried));
        assertThat(busy.isParked(SOON)).isTrue();
        assertThat(busy.isParked(LATER)).isFalse();
        assertThat(busy.isRetry()).isTrue();
        assertThat(busy.isRetryReported()).isTrue();
        assertThat(busy.filter(operation -> operation.retryCount() > 0)).containsExactly(retried);
    }

    @Test
    void the_models_differ_in_these_four_ways() {
        assertThat(UpdateModel.DESIRED_STATE)
                .returns(true, UpdateModel::supersedes)
                .returns(true, UpdateModel::isSilentWhenUnchanged)
                .returns(false, UpdateModel::countsUnsentAttempts)
                .returns(true, UpdateModel::isRetriggeredByEndpointEvents);
        assertThat(UpdateModel.DIFF)
                .returns(false, UpdateModel::supersedes)
                .returns(false, UpdateModel::isSilentWhenUnchanged)
                .returns(true, UpdateModel::countsUnsentAttempts)
                .returns(false, UpdateModel::isRetriggeredByEndpointEvents);
    }
}

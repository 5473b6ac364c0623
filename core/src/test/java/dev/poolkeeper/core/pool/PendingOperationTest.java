package dev.poolkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Instant SOON = Instant.ofEpochSecond(10);
    private static final Instant LATER = Instant.ofEpochSecond(20);

    private static PendingOperation sync(long sequence) {
        return PendingOperation.fresh(new Operation.Sync(WEB, POOL), sequence, Instant.EPOCH);
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
    void the_longer_parking_wins(String older, String newer, String expected) {
        PendingOperation returned = sync(1).parked(instant(older));
        PendingOperation queued = sync(2).parked(instant(newer));

        assertThat(returned.yieldTo(queued).nextEligibleAt()).isEqualTo(instant(expected));
    }

    @Test
    void retries_are_those_of_the_newer_operation_and_the_position_that_of_the_older() {
        PendingOperation returned = sync(7).retried(null).retried(null);

        assertThat(returned.yieldTo(sync(9)))
                .isEqualTo(new PendingOperation(
                        new Operation.Sync(WEB, POOL), 7, Instant.EPOCH, Instant.EPOCH, 0, null, true));
        assertThat(sync(9).yieldTo(returned))
                .isEqualTo(new PendingOperation(
                        new Operation.Sync(WEB, POOL), 7, Instant.EPOCH, Instant.EPOCH, 2, null, true));
    }

    @Test
    void a_merged_operation_waits_since_the_earlier_of_the_two() {
        PendingOperation older = PendingOperation.fresh(new Operation.Sync(WEB, POOL), 1, SOON);
        PendingOperation newer = PendingOperation.fresh(new Operation.Sync(WEB, POOL), 2, LATER);

        assertThat(older.yieldTo(newer).since()).isEqualTo(SOON);
        assertThat(newer.yieldTo(older).since()).isEqualTo(SOON);
    }

    @Test
    void what_a_guard_holds_does_not_gather_with_later_changes() {
        PendingOperation held = sync(1).leftOut();
        assertThat(held.changed(SOON).changed(LATER).notTakenUp()).isEqualTo(SOON);
        assertThat(held.yieldTo(PendingOperation.fresh(held.operation(), 2, LATER))
                        .notTakenUp())
                .isEqualTo(LATER);
        assertThat(held.changed(LATER).since()).isEqualTo(Instant.EPOCH);
        assertThat(new OperationGroup(POOL, List.of(held, sync(2).leftOut().changed(SOON))).waitsSince())
                .isEqualTo(SOON);
        assertThat(new OperationGroup(POOL, List.of(held)).waitsSince()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void a_pending_report_survives_a_merge() {
        PendingOperation silent = sync(1);
        PendingOperation reported = sync(2).retried(null);

        assertThat(silent.yieldTo(reported).retryReported()).isTrue();
        assertThat(reported.yieldTo(silent).retryReported()).isTrue();
        assertThat(silent.yieldTo(silent).retryReported()).isFalse();
    }

    @Test
    void a_changed_wanted_set_resets_only_the_retry_count() {
        assertThat(sync(7).retried(LATER).changed(SOON))
                .isEqualTo(new PendingOperation(
                        new Operation.Sync(WEB, POOL), 7, Instant.EPOCH, Instant.EPOCH, 0, LATER, true));
    }

    @Test
    void an_unsent_attempt_changes_only_the_parking() {
        assertThat(sync(7).retried(null).parked(SOON))
                .isEqualTo(new PendingOperation(
                        new Operation.Sync(WEB, POOL), 7, Instant.EPOCH, Instant.EPOCH, 1, SOON, true));
    }

    @Test
    void the_properties_of_a_group_come_from_its_operations() {
        PendingOperation fresh =
                PendingOperation.fresh(new Operation.Add(API, POOL, AddressSet.of("10.0.0.1")), 3, Instant.EPOCH);
        PendingOperation retried = sync(8).retried(null);

        OperationGroup quiet = new OperationGroup(POOL, List.of(fresh));
        assertThat(quiet.isRetry()).isFalse();
        assertThat(quiet.isRetryReported()).isFalse();
        assertThat(quiet.services()).containsExactly(API);
        OperationGroup busy = new OperationGroup(POOL, List.of(fresh, retried, fresh));
        assertThat(busy.isRetry()).isTrue();
        assertThat(busy.isRetryReported()).isTrue();
        assertThat(busy.sequence()).isEqualTo(3);
        assertThat(busy.services()).containsExactly(API, WEB);
    }
}

package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Backlog;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.HoldCauses;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What happens at the same time as a comparison, a hold or an internal error is not lost. */
class MeanwhileTest {

    private static final AddressSet OLD = AddressSet.of("10.0.0.1");
    private static final AddressSet NEW = AddressSet.of("10.0.0.1", "10.0.0.2");
    private static final Want WANTED = new Want(WEB, POOL, OLD, true, true, true, false);
    private static final Want CHANGED = new Want(WEB, POOL, NEW, true, true, true, false);

    private static List<BackendPool> listing(AddressSet addresses) {
        FakeCloud cloud = new FakeCloud(new FakeTime());
        cloud.putPool(POOL, addresses);
        return ((Reply.Ok<List<BackendPool>>) cloud.list()).value();
    }

    @Test
    void a_change_during_a_comparison_is_not_undone_in_diff() {
        Pools pools = TestPools.none();
        OperationQueue queue = new OperationQueue(pools, () -> Instant.EPOCH, Duration.ZERO);
        pools.wants(WANTED);
        pools.listed(listing(AddressSet.empty()), Instant.EPOCH);
        new Comparison(pools, UpdateModel.DIFF, queue).queueDifferences(pools.usedByService(), pool -> {
            pools.wants(CHANGED); // a watch thread, meanwhile
            UpdateModel.DIFF.wants(queue, WANTED, CHANGED);
            return true;
        });
        assertThat(UpdateModel.DIFF.plan(
                        AddressSet.empty(),
                        pools.get(POOL).backlog().waiting(),
                        pools.get(POOL).wants()))
                .isEqualTo(NEW);
    }

    @Test
    void a_hold_about_services_that_left_says_and_leaves_nothing() {
        Pools pools = TestPools.none();
        OperationGroup group = new OperationGroup(
                POOL, List.of(PendingOperation.fresh(new Operation.Sync(WEB, POOL), 0, Instant.EPOCH)));
        HoldCause brake = HoldCauses.of(HoldCause.By.SAFETY_BRAKE);
        Decision[] decision = new Decision[1];
        pools.change(POOL, pool -> {
            decision[0] = Decisions.held(pool, group, brake, new Moment(Instant.EPOCH, Optional.of(Instant.EPOCH)));
            return decision[0].pool().withBacklog(Backlog::finished);
        });
        assertThat(pools.all()).isEmpty();
        assertThat(decision[0].facts()).isEmpty();
    }

    @Test
    void what_was_taken_up_during_the_read_survives_an_internal_error() {
        UpdateFixture f = new UpdateFixture(EngineSettings.REFERENCE.withPace(Pace.Eager.DEFAULT));
        f.want(WEB, POOL, "10.0.0.1");
        f.want(API, POOL, "10.0.0.1");
        pass(f, Duration.ofSeconds(5));
        f.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        boolean[] once = {false, false};
        f.duringRead(() -> {
            if (!once[0]) {
                once[0] = true;
                f.want(API, POOL, "10.0.0.1", "10.0.0.3");
            }
        });
        f.duringWrite(() -> {
            if (!once[1]) {
                once[1] = true;
                throw new InternalError("planted");
            }
        });
        pass(f, Duration.ofMinutes(5));
        assertThat(once[1]).isTrue();
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3"));
    }

    private static void pass(UpdateFixture f, Duration duration) {
        Instant end = f.time.instant().plus(duration);
        while (f.time.instant().isBefore(end)) {
            f.time.advance(Duration.ofMillis(100));
            try {
                Ticks.of(f.engine).join();
            } catch (RuntimeException e) {
                assertThat(e).hasRootCauseInstanceOf(InternalError.class);
            }
        }
    }
}

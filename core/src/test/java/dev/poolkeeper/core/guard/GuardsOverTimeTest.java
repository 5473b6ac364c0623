package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guards alone, on a clock that is moved by hand. */
class GuardsOverTimeTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey NEIGHBOUR = PoolKey.of("lb-1", "shop-api");
    private static final PoolKey ELSEWHERE = PoolKey.of("lb-2", "shop-web");
    private static final AddressSet OURS = AddressSet.of("10.0.0.1");
    private static final AddressSet THEIRS = AddressSet.of("10.0.0.9");
    private static final Failure FORBIDDEN = Failure.ofStatus(403, null, ArmError.ofStatus(403));

    private final FakeTime clock = new FakeTime();
    private final FakeServiceEvents events = new FakeServiceEvents(clock);
    private final HoldNotices notices = new HoldNotices(events);
    private final KnownPools known = new KnownPools();

    private static OperationGroup group(PoolKey pool) {
        return new OperationGroup(pool, List.of(PendingOperation.fresh(new Operation.Replace(WEB, pool, OURS), 1)));
    }

    private static BackendPool pool(PoolKey key, AddressSet addresses) {
        FakeCloud cloud = new FakeCloud(new FakeTime());
        cloud.putPool(key, addresses);
        return switch (cloud.read(key)) {
            case Reply.Ok<BackendPool>(BackendPool read) -> read;
            case Reply.Failed<BackendPool>(Failure failure) -> throw new AssertionError(failure);
        };
    }

    @Test
    void a_load_balancer_that_refused_a_write_is_free_after_a_write_and_not_after_a_read() {
        ForbiddenLoadBalancers guard = forbidden();
        guard.failed(POOL, true, FORBIDDEN);
        assertThat(guard.admits(group(NEIGHBOUR))).isFalse();
        assertThat(guard.admits(group(ELSEWHERE))).isTrue();

        guard.answered(POOL, false);
        assertThat(guard.admits(group(POOL))).isFalse();
        assertThat(guard.leftAlone()).hasSize(1);

        guard.answered(POOL, true);
        assertThat(guard.admits(group(POOL))).isTrue();
        assertThat(guard.leftAlone()).isEmpty();
    }

    @Test
    void a_load_balancer_that_refused_a_read_is_free_after_a_read() {
        ForbiddenLoadBalancers guard = forbidden();
        guard.failed(POOL, false, FORBIDDEN);
        guard.answered(POOL, false);
        assertThat(guard.admits(group(POOL))).isTrue();
    }

    @Test
    void who_is_let_in_again_is_told_again_of_the_next_refusal_and_others_are_not() {
        ForbiddenLoadBalancers guard = forbidden();
        guard.failed(POOL, true, FORBIDDEN);
        guard.failed(ELSEWHERE, true, FORBIDDEN);
        guard.admits(group(POOL));
        guard.admits(group(ELSEWHERE));
        guard.admits(group(POOL));
        assertThat(events.events()).hasSize(2);

        guard.answered(POOL, true);
        guard.failed(POOL, true, FORBIDDEN);
        guard.admits(group(POOL));
        guard.admits(group(ELSEWHERE));
        assertThat(events.events()).hasSize(3);
        assertThat(events.events().get(2).pool()).isEqualTo(POOL);
    }

    @Test
    void refusals_in_a_row_wait_twice_as_long_each_and_are_shown_while_they_do() {
        ForbiddenLoadBalancers guard = forbidden();
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            guard.failed(POOL, true, FORBIDDEN);
            ForbiddenLoadBalancers.LeftAlone alone = guard.leftAlone().get(0);
            assertThat(alone.loadBalancer()).isEqualTo(POOL.loadBalancer());
            assertThat(alone.reason()).contains("403");
            waits.add(Duration.between(clock.instant(), alone.until()));
            clock.advanceTo(alone.until());
            assertThat(guard.leftAlone()).isEmpty();
            assertThat(guard.admits(group(POOL))).isTrue();
        }
        assertThat(waits).extracting(Duration::toMinutes).containsExactly(1L, 2L, 4L, 4L);
    }

    @Test
    void what_is_no_403_is_nothing_to_this_guard() {
        ForbiddenLoadBalancers guard = forbidden();
        guard.failed(POOL, true, Failure.ofStatus(404, null, ArmError.ofStatus(404)));
        assertThat(guard.admits(group(POOL))).isTrue();
    }

    private ForbiddenLoadBalancers forbidden() {
        return new ForbiddenLoadBalancers(
                Backoff.doubling(Duration.ofMinutes(1), Duration.ofMinutes(4)), notices, clock);
    }

    private DriftFights fights() {
        known.answered(pool(POOL, OURS), true, clock.instant());
        return new DriftFights(
                new DriftSettings(
                        2, Backoff.doubling(Duration.ofMinutes(10), Duration.ofMinutes(40)), Duration.ofHours(3)),
                known,
                notices,
                clock);
    }

    private void changedBack(DriftFights fights) {
        fights.restrain(group(POOL), pool(POOL, THEIRS), OURS);
    }

    @Test
    void a_pool_that_is_changed_back_again_and_again_is_left_alone_for_longer_each_time() {
        DriftFights fights = fights();
        changedBack(fights);
        assertThat(fights.fights()).isEmpty();
        assertThat(fights.admits(group(POOL))).isTrue();
        List<Long> minutes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            changedBack(fights);
            Instant until = fights.fights().get(POOL);
            minutes.add(Duration.between(clock.instant(), until).toMinutes());
            assertThat(fights.admits(group(POOL))).isFalse();
            clock.advanceTo(until);
            assertThat(fights.admits(group(POOL))).isTrue();
        }
        assertThat(minutes).containsExactly(10L, 20L, 40L, 40L);
        assertThat(events.events()).hasSize(1);
    }

    @Test
    void what_we_want_otherwise_or_find_as_we_left_it_is_no_fight() {
        DriftFights fights = fights();
        for (int i = 0; i < 3; i++) {
            fights.restrain(group(POOL), pool(POOL, OURS), OURS);
            fights.restrain(group(POOL), pool(POOL, THEIRS), AddressSet.of("10.0.0.2"));
            fights.restrain(group(NEIGHBOUR), pool(NEIGHBOUR, THEIRS), OURS);
        }
        assertThat(fights.fights()).isEmpty();
        assertThat(events.events()).isEmpty();
    }

    @Test
    void a_fight_is_over_when_it_was_calm_for_long_enough_and_the_next_is_told_of() {
        DriftFights fights = fights();
        changedBack(fights);
        changedBack(fights);
        clock.advance(Duration.ofHours(3));
        fights.settle();
        assertThat(fights.fights()).hasSize(1);

        clock.advance(Duration.ofSeconds(1));
        fights.settle();
        assertThat(fights.fights()).isEmpty();
        changedBack(fights);
        assertThat(fights.admits(group(POOL))).isTrue();
        changedBack(fights);
        assertThat(events.events()).hasSize(2);
    }

    @Test
    void a_fight_that_nobody_settled_begins_anew_all_the_same() {
        DriftFights fights = fights();
        changedBack(fights);
        clock.advance(Duration.ofHours(3).plusSeconds(1));
        changedBack(fights);
        assertThat(fights.fights()).isEmpty();
    }

    @Test
    void a_pool_is_emptied_only_where_nobody_else_wants_anything_in_it_and_that_is_known() {
        Others others = new Others();
        EmptyPools guard = new EmptyPools(others);
        BackendPool held = pool(POOL, OURS);
        assertThat(guard.restrain(group(POOL), held, AddressSet.empty())).isEqualTo(AddressSet.empty());
        others.wanted = THEIRS;
        assertThat(guard.restrain(group(POOL), held, AddressSet.empty())).isEqualTo(THEIRS);
        others.undecided = true;
        assertThat(guard.restrain(group(POOL), held, AddressSet.empty())).isEqualTo(OURS);
        assertThat(guard.restrain(group(POOL), held, THEIRS)).isEqualTo(THEIRS);
    }

    private static final class Others implements LocalServices {
        AddressSet wanted = AddressSet.empty();
        boolean undecided;

        @Override
        public boolean isLocal(ServiceName service, PoolKey pool) {
            return true;
        }

        @Override
        public AddressSet wantedByOthers(ServiceName service, PoolKey pool) {
            return wanted;
        }

        @Override
        public boolean isUndecidedForOthers(ServiceName service, PoolKey pool) {
            return undecided;
        }
    }

    @Test
    void a_dry_run_reads_and_tells_what_it_would_write() {
        FakeCloud cloud = new FakeCloud(clock);
        cloud.putPool(POOL, AddressSet.of("10.0.0.1", "10.0.0.2"));
        List<DryRunPools.WouldWrite> told = new ArrayList<>();
        DryRunPools pools = new DryRunPools(cloud, told::add);

        Reply<BackendPool> read = pools.read(POOL);
        assertThat(read).isInstanceOf(Reply.Ok.class);
        BackendPool held = ((Reply.Ok<BackendPool>) read).value();
        Reply<BackendPool> written = pools.write(held, AddressSet.of("10.0.0.2", "10.0.0.3"));

        assertThat(written).isEqualTo(read);
        assertThat(told)
                .containsExactly(
                        new DryRunPools.WouldWrite(POOL, AddressSet.of("10.0.0.3"), AddressSet.of("10.0.0.1")));
        assertThat(cloud.calls()).extracting(call -> call.method()).containsExactly("GET");
    }
}

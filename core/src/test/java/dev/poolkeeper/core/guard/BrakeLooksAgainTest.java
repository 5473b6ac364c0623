package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The brake looks at pools that did not change if another guard may decide otherwise about them. */
class BrakeLooksAgainTest {

    private static final ServiceName SERVICE = new ServiceName("shop", "web");
    private static final PoolKey SHRINKS = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-web");

    private static final Plan PLAN = new Plan(SHRINKS, List.of(SERVICE), addresses(40), addresses(16));

    private final FakeTime time = new FakeTime();
    private final Pools pools = TestPools.none();
    private boolean paused;
    private boolean dropped;
    private final Guards pause = new Guards(List.of(new Pauses(() -> paused, pool -> Wants.NONE)));
    private final SafetyBrake brake =
            new SafetyBrake(BrakeSettings.DEFAULT, Duration.ZERO, pools, this::plans, pause, time);

    private static AddressSet addresses(int count) {
        return AddressSet.of(
                IntStream.rangeClosed(1, count).mapToObj(i -> "10.0.0." + i).toArray(String[]::new));
    }

    /** One pool loses 24 of 40 addresses. */
    private List<Plan> plans(Pool pool) {
        return pool.key().equals(SHRINKS) && !dropped ? List.of(PLAN) : List.of();
    }

    private void pause(boolean now) {
        paused = now;
        brake.lookAgain();
    }

    private void local(PoolKey pool) {
        local(pool, 16);
    }

    private void local(PoolKey pool, int wanted) {
        pools.wants(new Want(SERVICE, pool, addresses(wanted), true, true, true, false));
        pools.read(holding(pool), time.instant());
    }

    private static BackendPool holding(PoolKey pool) {
        return new BackendPool(pool, addresses(40), "etag", null);
    }

    /** Such as after an answer 403, when its wait is over. */
    @Test
    void what_another_guard_holds_no_longer_is_judged_when_the_next_tick_begins() {
        // given
        local(SHRINKS);
        paused = true;
        brake.tickBegins();
        assertThat(brake.braked()).isEmpty();
        // when
        paused = false;
        brake.tickBegins();
        // then
        assertThat(brake.braked()).hasSize(1);
    }

    @Test
    void a_pause_of_all_holds_a_removal_before_the_brake_does() {
        // given: removals of 24 of 80 addresses, which may go
        local(SHRINKS);
        local(OTHER);
        brake.tickBegins();
        assertThat(brake.braked()).isEmpty();
        // when: they are 24 of 40, during a pause
        pause(true);
        pools.left(SERVICE, OTHER);
        brake.tickBegins();
        // then
        assertThat(brake.braked()).isEmpty();
        // when: it ends
        time.advance(Duration.ofMinutes(5));
        pause(false);
        brake.tickBegins();
        // then: the hold begins
        assertThat(brake.braked())
                .singleElement()
                .returns(time.instant(), SafetyBrake.BrakedRemoval::since)
                .returns(24L, SafetyBrake.BrakedRemoval::removed)
                .returns(40L, SafetyBrake.BrakedRemoval::all);
    }

    @Test
    void a_new_term_judges_pools_that_did_not_change_since_the_last_one() {
        // given
        local(SHRINKS);
        brake.tickBegins();
        assertThat(brake.braked()).hasSize(1);
        // when
        brake.standBy();
        assertThat(brake.braked()).isEmpty();
        brake.tickBegins();
        // then
        assertThat(brake.braked()).hasSize(1);
    }

    @Test
    void what_was_only_judged_is_forgotten_when_the_next_tick_finds_nothing_to_do() {
        // given
        dropped = true;
        local(SHRINKS, 40);
        brake.tickBegins();
        brake.judge(PLAN);
        assertThat(brake.braked()).hasSize(1);
        // when, then
        brake.tickBegins();
        assertThat(brake.braked()).isEmpty();
    }

    @Test
    void a_pool_that_is_gone_counts_no_longer() {
        // given
        local(SHRINKS);
        local(OTHER);
        brake.tickBegins();
        assertThat(brake.braked()).isEmpty();
        // when
        brake.lookAgain();
        pools.left(SERVICE, OTHER);
        pools.listed(List.of(holding(SHRINKS)), time.instant());
        brake.tickBegins();
        // then
        assertThat(brake.braked()).singleElement().returns(40L, SafetyBrake.BrakedRemoval::all);
    }
}

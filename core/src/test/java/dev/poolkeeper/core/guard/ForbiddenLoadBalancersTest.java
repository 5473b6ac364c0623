package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.Forbidden;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForbiddenLoadBalancersTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey NEIGHBOUR = PoolKey.of("LB-1", "shop-api");
    private static final PoolKey ELSEWHERE = PoolKey.of("lb-2", "shop-web");
    private static final Failure FORBIDDEN =
            Failure.ofStatus(403, null, new ArmError(403, "AuthorizationFailed", null, "c-1"));

    private final FakeTime time = new FakeTime();
    private final Pools pools = TestPools.shared(POOL, WEB);
    private final ForbiddenLoadBalancers guard =
            new ForbiddenLoadBalancers(new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(4)), pools, time);

    ForbiddenLoadBalancersTest() {
        pools.wants(TestPools.want(WEB, NEIGHBOUR));
        pools.wants(TestPools.want(WEB, ELSEWHERE));
    }

    @Test
    void a_pool_that_no_service_wants_and_no_listing_shows_is_forgotten() {
        guard.failed(POOL, true, FORBIDDEN);
        pools.left(WEB, POOL);
        assertThat(guard.forbidden()).isEmpty();
        assertThat(judge(POOL)).isEqualTo(Verdict.GO);
        guard.failed(POOL, true, FORBIDDEN); // a call that ends later
        assertThat(guard.forbidden()).isEmpty();
    }

    private Verdict judge(PoolKey pool) {
        return guard.judge(new Plan(pool, List.of(WEB), AddressSet.empty(), AddressSet.of("10.0.0.1")));
    }

    private HoldCause held(PoolKey pool) {
        Verdict verdict = judge(pool);
        assertThat(verdict).isInstanceOf(Verdict.Hold.class);
        return ((Verdict.Hold) verdict).because();
    }

    @Test
    void a_refused_write_is_cleared_by_a_write_and_not_by_a_read() {
        guard.failed(POOL, true, FORBIDDEN);
        assertThat(held(POOL).until()).contains(time.instant().plus(Duration.ofMinutes(1)));

        guard.succeeded(POOL, false);
        assertThat(held(POOL).by()).isEqualTo(HoldCause.By.FORBIDDEN);
        assertThat(guard.forbidden()).hasSize(1);

        guard.succeeded(POOL, true);
        assertThat(judge(POOL)).isEqualTo(Verdict.GO);
        assertThat(guard.forbidden()).isEmpty();
    }

    @Test
    void a_refused_pool_holds_no_other_pool_of_its_load_balancer() {
        guard.failed(POOL, true, FORBIDDEN);
        assertThat(judge(NEIGHBOUR)).isEqualTo(Verdict.GO);
        assertThat(judge(ELSEWHERE)).isEqualTo(Verdict.GO);

        guard.succeeded(NEIGHBOUR, true);
        assertThat(held(POOL).by()).isEqualTo(HoldCause.By.FORBIDDEN);

        time.advance(Duration.ofSeconds(10));
        guard.failed(NEIGHBOUR, true, FORBIDDEN);
        assertThat(guard.forbidden()).singleElement().returns(time.instant().plusSeconds(50), Forbidden::until);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void each_load_balancer_is_shown_once_with_the_pool_that_is_tried_first(boolean isNeighbourFirst) {
        Failure later = Failure.ofStatus(403, null, new ArmError(403, "LinkedAuthorizationFailed", null, "c-2"));
        guard.failed(isNeighbourFirst ? NEIGHBOUR : POOL, true, FORBIDDEN);
        Instant first = time.instant().plus(Duration.ofMinutes(1));
        time.advance(Duration.ofSeconds(10));
        guard.failed(isNeighbourFirst ? POOL : NEIGHBOUR, true, later);
        guard.failed(ELSEWHERE, true, later);

        assertThat(guard.forbidden())
                .containsExactly(
                        new Forbidden(POOL.loadBalancer(), first, FORBIDDEN.note()),
                        new Forbidden(ELSEWHERE.loadBalancer(), first.plusSeconds(10), later.note()));
    }

    @Test
    void a_refused_read_is_cleared_by_a_read() {
        guard.failed(POOL, false, FORBIDDEN);
        guard.succeeded(POOL, false);
        assertThat(judge(POOL)).isEqualTo(Verdict.GO);
    }

    @Test
    void the_cause_has_the_response() {
        guard.failed(POOL, true, FORBIDDEN);
        assertThat(held(POOL))
                .isInstanceOfSatisfying(
                        HoldCause.Forbidden.class,
                        cause -> assertThat(cause)
                                .returns(POOL, HoldCause.Forbidden::pool)
                                .returns(FORBIDDEN, HoldCause.Forbidden::answer));
    }

    @Test
    void after_restored_access_the_next_refusal_is_reported_again() {
        guard.failed(POOL, true, FORBIDDEN);
        guard.failed(ELSEWHERE, true, FORBIDDEN);
        Pool.Report report = new Pool.Report(WEB, HoldCause.By.FORBIDDEN);
        for (PoolKey pool : List.of(POOL, ELSEWHERE)) {
            pools.change(pool, it -> it.withReported(report));
        }

        Pool.Report other = new Pool.Report(WEB, HoldCause.By.SAFETY_BRAKE);
        pools.change(POOL, it -> it.withReported(other));

        guard.succeeded(POOL, true);
        assertThat(pools.get(POOL).reported()).containsExactly(other);
        assertThat(pools.get(ELSEWHERE).reported()).containsExactly(report);
    }

    @Test
    void consecutive_refusals_double_the_wait_and_are_shown_during_it() {
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            guard.failed(POOL, true, FORBIDDEN);
            Forbidden forbidden = guard.forbidden().get(0);
            assertThat(forbidden.loadBalancer()).isEqualTo(POOL.loadBalancer());
            assertThat(forbidden.answer()).contains("403");
            Instant until = forbidden.until();
            assertThat(held(POOL).until()).isEqualTo(Optional.of(until));
            waits.add(Duration.between(time.instant(), until));
            time.advanceTo(until);
            assertThat(guard.forbidden()).isEmpty();
            assertThat(judge(POOL)).isEqualTo(Verdict.GO);
        }
        assertThat(waits).extracting(Duration::toMinutes).containsExactly(1L, 2L, 4L, 4L);
    }

    @Test
    void this_guard_ignores_other_failures() {
        IntStream.range(400, 600)
                .filter(status -> status != 403)
                .forEach(status -> guard.failed(POOL, true, Failure.ofStatus(status, null, ArmError.ofStatus(status))));
        guard.failed(POOL, true, Failure.Other.terminal("no answer"));
        assertThat(judge(POOL)).isEqualTo(Verdict.GO);
    }
}

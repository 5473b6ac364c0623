package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.facts.ServiceReports;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.HoldCauses;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HoldsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-web");

    private final FakeTime time = new FakeTime();
    private final FakeServiceEvents events = new FakeServiceEvents(time);
    private final Instant start = time.instant();
    private final List<String> told = new ArrayList<>();
    private final Pools pools = TestPools.shared(POOL, WEB);
    private final Facts facts = new Facts(List.of(new ServiceReports(events, Instant::toString), this::tell));

    private void hold(HoldCause.By by) {
        hold(POOL, List.of(WEB), by);
    }

    private void hold(PoolKey key, List<ServiceName> services, HoldCause.By by) {
        pools.change(
                key,
                pool -> Holds.hold(pool, services, HoldCauses.of(by), time.instant())
                        .told(facts));
        facts.deliver();
    }

    private void release(PoolKey key) {
        pools.change(key, pool -> Holds.release(pool).told(facts));
    }

    private void tell(Fact fact) {
        switch (fact) {
            case Fact.HoldBegan begun -> told.add("begins " + begun.because().by());
            case Fact.HoldEnded ended ->
                told.add("ends " + ended.because().by() + " after " + Duration.between(start, ended.since()));
            default -> {}
        }
    }

    private Instant since() {
        return pools.get(POOL).hold().orElseThrow().since();
    }

    @Test
    void a_pool_is_held_since_its_cause_began() {
        // given
        Instant begun = time.instant();
        hold(HoldCause.By.DRIFT);
        time.advance(Duration.ofSeconds(5));
        // when, then
        hold(HoldCause.By.DRIFT);
        assertThat(since()).isEqualTo(begun);
        hold(HoldCause.By.FORBIDDEN);
        assertThat(since()).isEqualTo(begun.plusSeconds(5));
    }

    @Test
    void each_cause_that_follows_another_is_told_and_the_end_of_the_last_one() {
        for (HoldCause.By by : HoldCause.By.values()) {
            hold(by);
            hold(by);
            time.advance(Duration.ofSeconds(1));
        }
        release(POOL);
        release(POOL);
        facts.deliver();
        assertThat(told)
                .containsExactly(
                        "begins PAUSE",
                        "begins SERVICE_PAUSE",
                        "begins FORBIDDEN",
                        "begins DRIFT",
                        "begins SHARED_POOL",
                        "begins SAFETY_BRAKE",
                        "begins REMOVAL_WAVE",
                        "begins RETRY_BUDGET",
                        "begins AMBIGUOUS",
                        "ends AMBIGUOUS after PT8S");
    }

    @ParameterizedTest
    @EnumSource(names = {"SAFETY_BRAKE", "FORBIDDEN", "DRIFT"})
    void a_cause_that_ended_and_began_again_before_the_next_attempt_is_another_hold(HoldCause.By by) {
        // given
        Instant begun = time.instant();
        hold(by);
        time.advance(Duration.ofSeconds(5));
        // when
        pools.clearReported(by, POOL::equals, service -> true);
        hold(by);
        // then
        assertThat(since()).isEqualTo(begun.plusSeconds(5));
        assertThat(reported()).containsExactly(WEB, WEB);
    }

    @Test
    void a_continuing_cause_is_reported_once_and_a_refused_retry_again_after_its_end() {
        hold(HoldCause.By.DRIFT);
        hold(HoldCause.By.DRIFT);
        release(POOL);
        hold(HoldCause.By.DRIFT); // the guard decides when a fight is over
        assertThat(events.events()).hasSize(1);

        hold(HoldCause.By.RETRY_BUDGET);
        release(POOL);
        hold(HoldCause.By.RETRY_BUDGET);
        assertThat(events.events()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"SERVICE_PAUSE, DRIFT", "SERVICE_PAUSE, FORBIDDEN", "RETRY_BUDGET, SAFETY_BRAKE"})
    void a_cause_that_another_one_followed_has_ended_with_the_hold_too(HoldCause.By first, HoldCause.By second) {
        pools.wants(TestPools.want(API, POOL));
        hold(first);
        hold(second);
        release(POOL);
        events.clear();
        hold(first);
        assertThat(reported()).containsExactly(API, WEB);
    }

    /** Each cause: the Services on which it is reported, of those held and those that share the pool, and again. */
    @ParameterizedTest
    @CsvSource({
        "PAUSE, none, none, none",
        "SERVICE_PAUSE, none, both, both",
        "FORBIDDEN, held, both, none",
        "DRIFT, held, both, none",
        "SHARED_POOL, none, none, none",
        "SAFETY_BRAKE, held, both, none",
        "REMOVAL_WAVE, none, none, none",
        "RETRY_BUDGET, held, both, both",
        "AMBIGUOUS, none, none, none"
    })
    void each_cause_is_reported_on_its_services(HoldCause.By by, String alone, String shared, String again) {
        // when: the only Service of a pool is held
        hold(by);
        // then
        assertThat(reported()).isEqualTo(alone.equals("held") ? List.of(WEB) : List.of());
        // when: one of two is
        for (PoolKey pool : List.of(POOL, OTHER)) {
            pools.wants(TestPools.want(API, pool));
            pools.wants(TestPools.want(WEB, pool));
        }
        hold(OTHER, List.of(WEB), by);
        hold(OTHER, List.of(WEB), by);
        // then
        assertThat(reported()).isEqualTo(services(shared));
        // when: once more after its end
        release(OTHER);
        hold(OTHER, List.of(WEB), by);
        // then
        assertThat(reported()).isEqualTo(services(again));
        // when: of several
        hold(POOL, List.of(API, WEB), by);
        assertThat(reported())
                .isEqualTo(
                        alone.equals("held")
                                ? List.of(API)
                                : by == HoldCause.By.SERVICE_PAUSE ? List.of(API, WEB) : List.of());
    }

    private static List<ServiceName> services(String which) {
        return switch (which) {
            case "both" -> List.of(API, WEB);
            case "held" -> List.of(WEB);
            default -> List.of();
        };
    }

    /** On which Services Events were emitted since the last question. */
    private List<ServiceName> reported() {
        List<ServiceName> services =
                events.events().stream().map(ServiceEvent::service).toList();
        events.clear();
        return services;
    }

    @Test
    void only_a_service_that_left_the_pool_and_returned_gets_its_event_again() {
        // given
        pools.wants(TestPools.want(API, POOL));
        pools.wants(TestPools.want(WEB, OTHER));
        hold(POOL, List.of(WEB, API), HoldCause.By.DRIFT);
        hold(OTHER, List.of(WEB), HoldCause.By.DRIFT);
        events.clear();
        // when
        pools.left(WEB, POOL);
        pools.wants(TestPools.want(WEB, POOL));
        hold(POOL, List.of(WEB, API), HoldCause.By.DRIFT);
        hold(OTHER, List.of(WEB), HoldCause.By.DRIFT);
        // then
        assertThat(events.events()).singleElement().satisfies(event -> {
            assertThat(event.service()).isEqualTo(WEB);
            assertThat(event.pool()).isEqualTo(POOL);
        });
    }
}

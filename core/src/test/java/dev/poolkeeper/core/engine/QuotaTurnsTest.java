package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Urgency;
import dev.poolkeeper.ports.WriteQuota.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates at the eager pace while the quota is nearly exhausted. Two pools are initially in step. */
class QuotaTurnsTest {

    private static final Pace.Eager PACE =
            new Pace.Eager(Duration.ofSeconds(1), Duration.ofSeconds(120), Duration.ofSeconds(30));

    private Level level = Level.AMPLE;
    private final UpdateFixture the = new UpdateFixture(
            EngineSettings.REFERENCE.withPace(PACE), builder -> builder.quota(() -> level), UnaryOperator.identity());
    private Instant start;

    @BeforeEach
    void fill() {
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        the.want(API, OTHER_POOL, "10.0.0.1", "10.0.0.2");
        run(Duration.ofSeconds(5));
        start = the.time.instant();
    }

    /** The embedder's loop, which ticks only at the times that the engine requests. */
    private void run(Duration duration) {
        Instant end = the.time.instant().plus(duration);
        for (int i = 0; i < 1_000; i++) {
            Instant next = the.engine.nextStart().orElse(end.plusNanos(1));
            if (next.isAfter(end)) {
                the.time.advanceTo(end);
                return;
            }
            the.time.advanceTo(next);
            Ticks.of(the.engine).join();
        }
        throw new AssertionError("an engine that asks to be called for ever");
    }

    private List<String> writes() {
        return the.cloud.calls().stream()
                .filter(call -> call.method().equals("PUT") && !call.at().isBefore(start))
                .map(call -> call.pool().pool() + " at " + Duration.between(start, call.at()))
                .toList();
    }

    private void webLacksOne() {
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2", "10.0.0.3");
    }

    private void apiLacksOne() {
        the.want(API, OTHER_POOL, "10.0.0.1", "10.0.0.2", "10.0.0.3");
    }

    private void apiLacksAll() {
        the.want(API, OTHER_POOL, "10.0.0.9");
    }

    @Test
    void with_ample_quota_all_pools_are_written_at_once() {
        webLacksOne();
        apiLacksOne();
        run(Duration.ofSeconds(5));

        assertThat(writes()).containsExactly("shop-api at PT1S", "shop-web at PT1S");
    }

    @Test
    @Rule(
            id = "J23",
            says = "At the eager pace, while the quota is low, outages and overdue pools are written"
                    + " immediately and the rest one at a time, the most urgent of all load balancers first.",
            source = "ours")
    void with_a_scarce_quota_pools_without_an_outage_are_written_one_at_a_time() {
        level = Level.SCARCE;
        webLacksOne();
        apiLacksAll();
        run(Duration.ofSeconds(5));

        assertThat(writes()).containsExactly("shop-api at PT1S", "shop-web at PT2S");
    }

    @Test
    void with_a_scarce_quota_all_outages_are_written_at_once() {
        level = Level.SCARCE;
        the.want(WEB, POOL, "10.0.0.8");
        apiLacksAll();
        run(Duration.ofSeconds(5));

        assertThat(writes()).containsExactly("shop-api at PT1S", "shop-web at PT1S");
    }

    @Test
    @Rule(
            id = "J24",
            says = "At the eager pace the last part of the quota is reserved for outages and overdue pools, one"
                    + " at a time, and nothing is written once it is exhausted.",
            source = "ours")
    void the_last_part_of_the_quota_is_for_outages() {
        level = Level.LAST;
        webLacksOne();
        apiLacksAll();
        run(Duration.ofSeconds(20));
        assertThat(writes()).containsExactly("shop-api at PT1S");

        level = Level.SCARCE;
        run(Duration.ofSeconds(5));
        assertThat(writes()).hasSize(2);
    }

    @Test
    void the_turn_is_shared_by_the_whole_cluster() {
        // given
        QuotaTurns turns = new QuotaTurns(() -> level, this);
        Urgency outage = new Urgency(POOL, start, true, 2, 2);
        Urgency second = new Urgency(OTHER_POOL, start.plusMillis(1), true, 2, 2);
        // when, then: the last part goes to one outage at a time, and only while nothing is in progress
        level = Level.LAST;
        turns.choose(() -> List.of(outage, second), Instant.MIN, true, start);
        assertThat(turns.mayStart(POOL)).isFalse();
        turns.choose(() -> List.of(outage, second), Instant.MIN, false, start.plusSeconds(1));
        assertThat(turns.mayStart(POOL)).isTrue();
        assertThat(turns.mayStart(OTHER_POOL)).isFalse();
        // and the previously chosen pool loses its turn
        turns.choose(() -> List.of(second), Instant.MIN, false, start.plusSeconds(2));
        assertThat(turns.mayStart(POOL)).isFalse();
        assertThat(turns.mayStart(OTHER_POOL)).isTrue();
        // with more left, every outage
        level = Level.SCARCE;
        turns.choose(() -> List.of(outage, second), Instant.MIN, true, start.plusSeconds(3));
        assertThat(turns.mayStart(POOL)).isTrue();
        assertThat(turns.mayStart(OTHER_POOL)).isTrue();
        // and none of those chosen once less is left
        level = Level.LAST;
        assertThat(turns.mayStart(POOL)).isFalse();
        assertThat(turns.mayStart(OTHER_POOL)).isFalse();
    }

    @Test
    void a_choice_is_forgotten_once_the_quota_is_ample_again() {
        // given
        QuotaTurns turns = new QuotaTurns(() -> level, this);
        level = Level.SCARCE;
        turns.choose(() -> List.of(new Urgency(POOL, start, true, 2, 2)), Instant.MIN, false, start);
        // when
        level = Level.AMPLE;
        turns.choose(List::of, Instant.MIN, false, start.plusSeconds(1));
        // then
        level = Level.SCARCE;
        assertThat(turns.mayStart(POOL)).isFalse();
    }

    @Test
    void without_quota_nothing_is_sent() {
        level = Level.NONE;
        int before = the.cloud.calls().size();
        apiLacksAll();
        run(Duration.ofSeconds(20));

        assertThat(the.cloud.calls()).hasSize(before);
        assertThat(the.engine.status().pools().stream()
                        .flatMap(pool -> pool.difference().stream())
                        .map(Difference::why))
                .containsExactly(Why.Plain.SHORT_OF_QUOTA);
    }

    @Test
    void with_little_quota_left_a_lock_that_was_refused_before_is_no_reason() {
        // given
        the.resourceLock.takeAway();
        webLacksOne();
        run(Duration.ofSeconds(2));
        assertThat(reasons()).containsExactly(Difference.Reason.LOCK_HELD);
        // when
        level = Level.NONE;
        run(Duration.ofSeconds(20));
        // then
        assertThat(reasons()).containsExactly(Difference.Reason.QUEUED);
    }

    private List<Difference.Reason> reasons() {
        return the.engine.status().pools().stream()
                .flatMap(pool -> pool.difference().stream())
                .map(Difference::reason)
                .toList();
    }

    @Test
    @Rule(
            id = "J25",
            says = "No pool waits forever because of the quota: an overdue pool is written like an outage.",
            source = "ours")
    void an_overdue_pool_gets_its_turn() {
        level = Level.LAST;
        webLacksOne();
        run(Duration.ofSeconds(130));

        assertThat(writes()).hasSize(1);
        assertThat(writes().getFirst()).startsWith("shop-web at PT2M");
    }

    @Test
    void a_level_that_rises_over_time_is_noticed() {
        level = Level.NONE;
        webLacksOne();
        run(Duration.ofSeconds(10));
        level = Level.AMPLE;
        run(Duration.ofSeconds(1));

        assertThat(writes()).hasSize(1);
    }
}

package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.engine.Difference.Reason;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The instants until which a pool waits with the eager pace, of which no event and no answer tells. */
class UntilTest {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT
            .withPace(new Pace.Eager(Duration.ofSeconds(1), Duration.ofMinutes(2), INTERVAL))
            .withGuards(GuardSettings.DEFAULT.withBrake(
                    new BrakeSettings(50, 0, Duration.ofMinutes(10), Duration.ofSeconds(20))));

    private final UpdateFixture the = new UpdateFixture(
            SETTINGS, builder -> builder.budgetAcrossTicks(RetryBudget.NONE), UnaryOperator.identity());
    private final Instant start = the.time.instant();

    private void tickAfter(int seconds) {
        the.time.advanceTo(start.plusSeconds(seconds));
        Ticks.of(the.engine).join();
    }

    private void assertWaits(Reason reason, Instant until) {
        assertThat(the.status(POOL).difference().orElseThrow())
                .returns(reason, Difference::reason)
                .satisfies(difference -> assertThat(difference.until()).contains(until));
    }

    private void assertWaitsItsTurn() {
        assertThat(the.status(POOL).difference().orElseThrow())
                .returns(Reason.QUEUED, Difference::reason)
                .satisfies(difference -> assertThat(difference.until()).isEmpty());
    }

    @Test
    void changes_are_gathered_until_a_second_after_the_first() {
        the.want(WEB, POOL, "10.0.0.1");
        assertWaits(Reason.QUEUED, start.plusSeconds(1));
        the.time.advance(Duration.ofSeconds(1));
        assertWaitsItsTurn();
    }

    @Test
    void after_a_failure_a_pool_rests_until_the_next_multiple_of_the_interval() {
        the.fault(FaultRule.always(409));
        the.want(WEB, POOL, "10.0.0.1");
        tickAfter(1);
        assertWaits(Reason.RETRYING, start.plus(INTERVAL));
    }

    @Test
    void the_retry_budget_is_asked_again_at_the_next_multiple_of_the_interval() {
        the.fault(FaultRule.always(409));
        the.want(WEB, POOL, "10.0.0.1");
        tickAfter(1);
        tickAfter(30);
        assertWaits(Reason.HELD, start.plus(INTERVAL).plus(INTERVAL));
    }

    /** The next step tries it, whenever the hold would have ended. */
    @Test
    void what_an_operator_has_released_waits_its_turn() {
        the.cloud.putPool(POOL, AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3"));
        the.engine.askForListing();
        the.engine.listIfDue();
        the.want(WEB, POOL, "10.0.0.1");
        tickAfter(1);
        tickAfter(5);
        assertWaits(Reason.HELD, the.engine.status().holds().braked().get(0).until());
        the.engine.agreeToRemovals(
                Set.of(the.engine.status().holds().braked().get(0).id()));
        assertWaitsItsTurn();
    }
}

package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.Difference.Reason;
import dev.poolkeeper.fake.cloud.FaultRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For each pool that is not as wanted the engine says what it waits for. */
class DifferenceTest {

    private static final Duration PARKING = Duration.ofMinutes(7);

    private final EngineFixture the = new EngineFixture();
    private final List<Difference> duringRead = new ArrayList<>();

    /** What leads to each reason, for a pool that holds n1 while something else is wanted. */
    private final Map<Reason, Runnable> ways = new EnumMap<>(Map.ofEntries(
            Map.entry(Reason.INCOMPLETE, () -> {
                the.service("web", 999);
                the.lead();
                the.tick();
            }),
            Map.entry(Reason.NOT_LEADING, () -> {
                the.service("web", 2);
                the.tick();
            }),
            Map.entry(Reason.NOT_LISTED, () -> {
                the.service("web", 2);
                the.tick();
                the.lead();
            }),
            Map.entry(Reason.HELD, () -> {
                inStep();
                the.put("web", true, 1);
                the.endpoints("web", 2);
                the.tick();
            }),
            Map.entry(Reason.IN_PROGRESS, () -> {
                inStep();
                the.onRead = () -> duringRead.add(difference());
                the.endpoints("web", 2);
                the.tick();
            }),
            Map.entry(Reason.LOCK_HELD, () -> {
                inStep();
                the.resourceLock.takeAway();
                the.endpoints("web", 2);
                the.tick();
            }),
            Map.entry(Reason.PARKED, () -> {
                inStep();
                the.fault(FaultRule.always(429).retryAfter(PARKING));
                the.endpoints("web", 2);
                the.tick();
            }),
            Map.entry(Reason.RETRYING, () -> {
                inStep();
                the.fault(FaultRule.always(409));
                the.endpoints("web", 2);
                the.tick();
            }),
            Map.entry(Reason.QUEUED, () -> {
                inStep();
                the.endpoints("web", 2);
            }),
            Map.entry(Reason.FAILED, () -> {
                inStep();
                the.fault(FaultRule.always(400));
                the.endpoints("web", 2);
                the.tick();
            }),
            Map.entry(Reason.NOT_COMPARED, () -> {
                inStep();
                the.pool("web", 9);
                the.run(Duration.ofMinutes(6)); // the listing shows it
            })));

    DifferenceTest() {
        the.pool("web", 1);
    }

    private void inStep() {
        the.service("web", 1);
        the.lead();
        the.tick();
        assertThat(the.status("web").difference()).isEmpty();
    }

    private Difference difference() {
        return the.status("web").difference().orElseThrow();
    }

    private Difference after(Reason reason) {
        ways.get(reason).run();
        return duringRead.isEmpty() ? difference() : duringRead.get(0);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C36",
            says = "For each pool that does not hold what is wanted, the status says what it waits for, and what ends"
                    + " that, in one sentence each.",
            source = "ours")
    void every_difference_has_a_reason(Reason reason) {
        Difference difference = after(reason);
        assertThat(difference.reason()).isEqualTo(reason);
        assertThat(difference.text()).matches("[A-Z].*\\.");
        assertThat(difference.remedy()).matches("[A-Z].*\\.");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "INCOMPLETE")
    void a_difference_says_since_when_the_pool_waits(Reason reason) {
        Instant before = the.time.instant();
        Difference difference = after(reason);
        if (reason == Reason.NOT_LEADING) { // it never did
            assertThat(difference.since()).isEmpty();
        } else {
            assertThat(difference.since())
                    .hasValueSatisfying(since -> assertThat(since).isBetween(before, the.time.instant()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED", "NOT_COMPARED"})
    void what_only_a_comparison_ends_waits_until_the_next_one(Reason reason) {
        assertThat(after(reason).until())
                .isPresent()
                .isEqualTo(the.engine.status().listing().nextResync());
    }

    @Test
    void what_is_parked_waits_until_azure_said() {
        Instant tick = the.time.instant().plus(EngineFixture.TICK).plus(EngineFixture.TICK);
        assertThat(after(Reason.PARKED).until()).contains(tick.plus(PARKING));
    }

    @Test
    void a_pool_that_was_not_found_was_not_changed_by_another_writer() {
        // given
        inStep();
        the.fault(FaultRule.always(404).times(1));
        // when
        the.endpoints("web", 2);
        the.tick();
        // then
        assertThat(difference().reason()).isEqualTo(Reason.NOT_COMPARED);
        assertThat(difference().text()).contains("HTTP 404").doesNotContain("another writer");
    }

    @Test
    void a_failed_attempt_is_quoted() {
        assertThat(after(Reason.RETRYING).text()).contains("HTTP 409");
    }

    @Test
    void while_all_writes_are_paused_everything_that_waits_is_held() {
        inStep();
        the.endpoints("web", 2);
        the.engine.pause(true);
        assertThat(difference().reason()).isEqualTo(Reason.HELD);
        assertThat(difference().text()).contains("paused by the configuration");
        the.tick();
        assertThat(difference().reason()).isEqualTo(Reason.HELD);

        the.engine.pause(false);
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
        the.tick();
        assertThat(the.status("web").difference()).isEmpty();
    }

    @Test
    void a_pause_that_is_over_is_no_reason_any_more() {
        // given
        inStep();
        the.endpoints("web", 2);
        the.onRead = () -> the.engine.pause(true);
        the.tick();
        assertThat(difference().text()).contains("paused by the configuration");
        // when
        the.engine.pause(false);
        // then
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
    }

    @Test
    void what_the_brake_holds_waits_until_its_hold_is_over() {
        int[] thirty = EngineFixture.range(1, 30);
        the.pool("web", thirty);
        the.service("web", thirty);
        the.lead();
        the.tick();
        the.endpoints("web", 1);
        the.tick();
        assertThat(difference().reason()).isEqualTo(Reason.HELD);
        assertThat(difference().until())
                .isEqualTo(Optional.of(the.braked().get(0).until()));
    }

    @Test
    void a_pool_whose_wanted_set_is_not_complete_is_not_in_step_though_nothing_is_missing() {
        the.pool("web");
        the.service("web", 999);
        the.lead();
        the.tick();
        assertThat(the.status("web").differs()).isFalse();
        assertThat(the.status("web").isInStep()).isFalse();
    }

    @Test
    void an_outage_is_a_pool_that_holds_none_of_what_is_wanted() {
        inStep();
        assertThat(the.status("web").isInStep()).isTrue();
        assertThat(the.status("web").isOutage()).isFalse();
        the.endpoints("web", 1, 2);
        assertThat(the.status("web").differs()).isTrue();
        assertThat(the.status("web").isOutage()).isFalse();
        the.endpoints("web", 2);
        assertThat(the.status("web").isOutage()).isTrue();
        the.endpoints("web");
        assertThat(the.status("web").isOutage()).isFalse();
    }
}

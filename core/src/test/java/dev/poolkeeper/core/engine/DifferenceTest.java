package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.Difference.Reason;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For each pool that differs from the wanted addresses the engine reports why it waits. */
class DifferenceTest {

    private static final Duration PARKING = Duration.ofMinutes(7);

    private final EngineFixture the = new EngineFixture();
    private final List<Difference> duringRead = new ArrayList<>();

    /** The setup for each reason, for a pool that holds n1 while another address is wanted. */
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
                the.pool("web", 1, 9);
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

    private HoldCause.By heldBy() {
        return ((Why.OnHold) difference().why()).held().by();
    }

    private void assertNotFound() {
        assertThat(difference().why()).isInstanceOfSatisfying(Why.NotCompared.class, why -> {
            assertThat(why.last()).containsInstanceOf(Failure.NotFound.class);
            assertThat(why.isChangedByAnother()).isFalse();
        });
    }

    private Difference after(Reason reason) {
        ways.get(reason).run();
        return duringRead.isEmpty() ? difference() : duringRead.get(0);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C36",
            says = "For each pool that differs from the wanted addresses, the status states what it waits for"
                    + " and what ends the wait, in one sentence each.",
            source = "ours")
    void every_difference_has_a_reason(Reason reason) {
        Difference difference = after(reason);
        assertThat(difference.reason()).isEqualTo(reason);
        assertThat(difference.text()).matches("[A-Z].*\\.");
        assertThat(difference.remedy()).matches("[A-Z].*\\.");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "INCOMPLETE")
    void a_difference_has_the_instant_since_which_the_pool_waits(Reason reason) {
        Instant before = the.time.instant();
        Difference difference = after(reason);
        if (reason == Reason.NOT_LEADING) { // this process never led
            assertThat(difference.since()).isEmpty();
        } else {
            assertThat(difference.since())
                    .hasValueSatisfying(since -> assertThat(since).isBetween(before, the.time.instant()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED", "NOT_COMPARED"})
    void a_difference_that_only_a_comparison_repairs_waits_until_the_next_one(Reason reason) {
        assertThat(after(reason).until())
                .isPresent()
                .isEqualTo(the.engine.status().listing().nextResync());
    }

    @Test
    void a_parked_pool_waits_until_the_instant_given_by_azure() {
        Instant tick = the.time.instant().plus(EngineFixture.TICK).plus(EngineFixture.TICK);
        assertThat(after(Reason.PARKED).until()).contains(tick.plus(PARKING));
    }

    /** A 429 may be about the quota, or about another operation on the load balancer. */
    @Test
    void the_advice_for_a_parked_pool_names_both_causes_of_a_429() {
        assertThat(after(Reason.PARKED))
                .returns("The last attempt failed: HTTP 429; Azure asked to wait.", Difference::text)
                .returns(
                        "It is retried when the wait ends; if this persists, find out what else writes to the load"
                                + " balancer or uses the subscription's quota.",
                        Difference::remedy);
    }

    @Test
    void a_pool_that_is_parked_and_paused_is_held() {
        after(Reason.PARKED);
        the.put("web", true, 1);
        assertThat(difference().reason()).isEqualTo(Reason.HELD);
    }

    @Test
    void a_missing_pool_is_not_attributed_to_another_writer() {
        // given
        inStep();
        the.fault(FaultRule.always(404).times(1));
        // when
        the.endpoints("web", 2);
        the.tick();
        // then
        assertNotFound();
    }

    @ParameterizedTest
    @EnumSource
    void one_pool_is_asked_alone(Reason reason) {
        after(reason);
        assertThat(the.engine.pool(EngineFixture.key("web"))).contains(the.status("web"));
        assertThat(the.engine.pool(EngineFixture.key("nobodys"))).isEmpty();
    }

    @Test
    void a_listed_pool_without_a_service_waits_for_nothing() {
        the.lead();
        the.tick();
        assertThat(the.engine.pool(EngineFixture.key("web")).orElseThrow())
                .returns(List.of(), PoolStatus::services)
                .returns(EngineFixture.addresses(1), PoolStatus::surplus)
                .returns(Optional.empty(), PoolStatus::difference);
        assertThat(the.engine.status().pools()).isEmpty();
    }

    @Test
    void a_pool_whose_service_left_during_its_update_is_being_updated() {
        inStep();
        the.onRead = () -> {
            the.cluster.deleteService(new ServiceName("shop", "web"));
            duringRead.add(the.engine
                    .pool(EngineFixture.key("web"))
                    .flatMap(PoolStatus::difference)
                    .orElseThrow());
        };
        the.endpoints("web", 2);
        the.tick();
        assertThat(duringRead).extracting(Difference::reason).containsExactly(Reason.IN_PROGRESS);
    }

    @Test
    void of_several_failures_for_good_the_last_one_is_given() {
        after(Reason.FAILED);
        the.cloud.faults().clear();
        the.fault(FaultRule.always(404));
        the.run(Duration.ofMinutes(11)); // a comparison queues it again
        assertThat(difference().why())
                .isInstanceOfSatisfying(
                        Why.GaveUp.class, why -> assertThat(why.last()).isInstanceOf(Failure.NotFound.class));
    }

    @Test
    void a_failed_attempt_is_kept() {
        assertThat(after(Reason.RETRYING).why())
                .isInstanceOfSatisfying(
                        Why.Retrying.class, why -> assertThat(why.last()).isInstanceOf(Failure.Conflict.class));
    }

    @Test
    void while_all_writes_are_paused_every_waiting_pool_is_held() {
        inStep();
        the.endpoints("web", 2);
        the.engine.pause(true);
        assertThat(heldBy()).isEqualTo(HoldCause.By.PAUSE);
        the.tick();
        assertThat(difference().reason()).isEqualTo(Reason.HELD);

        the.engine.pause(false);
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
        the.tick();
        assertThat(the.status("web").difference()).isEmpty();
    }

    @Test
    void an_ended_pause_is_no_longer_a_reason() {
        // given
        inStep();
        the.endpoints("web", 2);
        the.onRead = () -> the.engine.pause(true);
        the.tick();
        assertThat(heldBy()).isEqualTo(HoldCause.By.PAUSE);
        // when
        the.engine.pause(false);
        // then
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
    }

    @Test
    void a_refusal_by_our_own_gate_is_not_attributed_to_azure() {
        // given
        inStep();
        the.onWritten = reply ->
                Reply.failed(Failure.Throttled.atGate(the.time.instant().plus(PARKING)));
        // when
        the.endpoints("web", 2);
        the.tick();
        // then
        assertThat(difference().why())
                .isInstanceOfSatisfying(
                        Why.Parked.class, why -> assertThat(why.isUnsent()).isTrue());
    }

    @Test
    void a_resumed_service_is_no_longer_a_reason() {
        // given
        after(Reason.HELD);
        assertThat(heldBy()).isEqualTo(HoldCause.By.SERVICE_PAUSE);
        // when
        the.put("web", false, 2);
        // then
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
    }

    @Test
    void a_removal_whose_hold_has_ended_is_no_longer_held() {
        // given
        brakeHolds();
        Instant until = difference().until().orElseThrow();
        // when
        the.time.advanceTo(until);
        // then
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
    }

    @Test
    void an_approved_removal_is_no_longer_held() {
        // given
        brakeHolds();
        // when
        the.engine.agreeToRemovals(Set.of(the.braked().get(0).id()));
        // then
        assertThat(difference().reason()).isEqualTo(Reason.QUEUED);
    }

    @Test
    void querying_what_holds_a_pool_releases_nothing() {
        // given
        brakeHolds();
        the.time.advanceTo(difference().until().orElseThrow());
        // when
        difference();
        // then
        assertThat(the.braked()).hasSize(1);
    }

    @Test
    void a_partly_applied_write_is_not_a_failed_attempt() {
        // given
        int[] thirty = EngineFixture.range(1, 30);
        the.pool("web", thirty);
        the.service("web", thirty);
        the.lead();
        the.tick();
        the.fault(FaultRule.always(409).times(1));
        the.endpoints("web", 1, 31);
        the.tick();
        assertThat(difference().reason()).isEqualTo(Reason.RETRYING);
        // when
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(1, 31)));
        the.engine.agreeToRemovals(Set.of(the.braked().get(0).id()));
        // then
        assertThat(difference().why()).isEqualTo(Why.Plain.QUEUED);
    }

    @Test
    void a_read_that_succeeded_after_a_failed_attempt_is_not_a_failed_attempt() {
        // given
        after(Reason.RETRYING);
        the.cloud.faults().clear();
        the.onRead = () -> the.engine.pause(true); // which holds the write
        the.tick();
        // when
        the.engine.pause(false);
        // then
        assertThat(difference().why()).isEqualTo(Why.Plain.QUEUED);
    }

    @Test
    void a_write_that_was_not_applied_is_retried() {
        // given
        inStep();
        the.onWritten = reply -> {
            the.pool("web", 1);
            return the.cloud.read(EngineFixture.key("web"), CallContext.unbound());
        };
        // when
        the.endpoints("web", 2);
        the.tick();
        // then
        assertThat(difference().reason()).isEqualTo(Reason.RETRYING);
    }

    @Test
    void a_pool_whose_last_write_has_an_unknown_outcome_is_not_in_step() {
        // given
        inStep();
        the.onWritten = reply -> Reply.failed(Failure.Other.retriable("no response"));
        the.endpoints("web", 2);
        the.tick();
        the.cloud.deletePool(EngineFixture.key("web"));
        // when
        the.endpoints("web", 1); // what it held before the write
        the.tick();
        // then
        assertNotFound();
    }

    @Test
    void a_change_after_an_applied_write_is_attributed_to_another_writer() {
        // given
        inStep();
        the.endpoints("web", 2);
        the.tick();
        // when
        the.pool("web", 2, 9);
        the.run(Duration.ofMinutes(6)); // the listing shows it
        // then
        assertThat(difference().why())
                .isInstanceOfSatisfying(
                        Why.NotCompared.class,
                        why -> assertThat(why.isChangedByAnother()).isTrue());
    }

    @Test
    void a_service_leaving_a_shared_pool_is_not_attributed_to_another_writer() {
        // given
        ServiceName other = new ServiceName("shop-x", "y");
        the.pool("x-y", 1);
        the.service("x-y", 1);
        the.cluster.put(new ServiceState(other, "LoadBalancer", "Local", List.of("IPv4")));
        the.cluster.put(new EndpointSliceState("shop-x", "y-1", other, "IPv4", List.of("n2")));
        the.lead();
        the.tick();
        assertThat(the.held("x-y")).isEqualTo(EngineFixture.addresses(1, 2));
        // when
        the.cluster.deleteService(other);
        // then
        assertThat(the.status("x-y").difference().orElseThrow().reason())
                .as("what only that Service wanted is removed")
                .isEqualTo(Reason.QUEUED);
        the.tick();
        assertThat(the.held("x-y")).isEqualTo(EngineFixture.addresses(1));
    }

    private void brakeHolds() {
        int[] thirty = EngineFixture.range(1, 30);
        the.pool("web", thirty);
        the.service("web", thirty);
        the.lead();
        the.tick();
        the.endpoints("web", 1);
        the.tick();
        assertThat(difference().reason()).isEqualTo(Reason.HELD);
    }

    @Test
    void a_removal_held_by_the_brake_waits_until_its_hold_ends() {
        brakeHolds();
        assertThat(difference().until())
                .isEqualTo(Optional.of(the.braked().get(0).until()));
    }

    @Test
    void a_pool_with_an_incomplete_wanted_set_is_not_in_step_although_nothing_is_missing() {
        the.pool("web");
        the.service("web", 999);
        the.lead();
        the.tick();
        assertThat(the.status("web").differs()).isFalse();
        assertThat(the.status("web").isInStep()).isFalse();
    }

    @Test
    void a_replica_that_does_not_lead_or_has_not_listed_counts_no_outage() {
        inStep();
        the.engine.stopLeading();
        the.endpoints("web", 2);
        assertThat(the.status("web").isOutage()).isFalse();
        assertThat(the.status("web").differs()).isFalse();
        the.lead();
        assertThat(the.status("web").isOutage()).isFalse();
        the.engine.listIfDue();
        assertThat(the.status("web").isOutage()).isTrue();
        assertThat(the.status("web").differs()).isTrue();
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

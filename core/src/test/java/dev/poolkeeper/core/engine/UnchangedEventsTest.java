package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The effect of events and comparisons without changes on an update that waits, is in progress, or has failed. */
class UnchangedEventsTest {

    private EngineFixture the = new EngineFixture();

    private void failing(int status) {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        the.fault(FaultRule.always(status).forMethod("PUT"));
        the.endpoints("web", 2);
        the.tick();
    }

    /** The same slice again, spelled differently. */
    private void sliceEvent(int node) {
        the.endpoints("web", node, node);
        the.endpoints("web", node);
    }

    @Test
    @Rule(
            id = "R06.2",
            says = "In desired-state an event that does not change the wanted set does not change a waiting operation.",
            source = "contract, Replay rule 6")
    void the_same_wanted_set_changes_nothing() {
        failing(409);
        PoolStatus before = the.status("web");
        assertThat(before.attempts()).isEqualTo(1);
        sliceEvent(2);
        the.node(2);
        assertThat(the.status("web")).isEqualTo(before);
        assertThat(the.waiting()).isEqualTo(1);
    }

    @Test
    @Rule(
            id = "Q2",
            says = "Requesting an update that is already in progress, by an event or a comparison, does not"
                    + " reset its retry count.",
            source = "contract, Replay rule 6",
            differs = "In Go it does, so that the operation can be retried forever.")
    void a_comparison_during_an_attempt_does_not_reset_its_retry_count() {
        failing(409);
        the.onWrite = () -> {
            sliceEvent(2);
            the.put("web", false, the.time.instant().getEpochSecond());
            the.time.advance(Duration.ofSeconds(1));
            the.engine.listIfDue();
        };
        the.run(Duration.ofMinutes(2));
        assertThat(the.reasons())
                .containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web RETRYING", "shop/web FAILED");
    }

    @Test
    @Rule(
            id = "R12.1",
            says = "In desired-state, after a Failed event the Service's next slice event queues its pool again"
                    + " once, even if it changes nothing.",
            source = "contract, Replay rule 12")
    void after_a_failure_the_next_slice_event_queues_the_pool_once() {
        failing(400);
        assertThat(the.reasons()).containsExactly("shop/web FAILED");
        the.node(2);
        the.tick();
        assertThat(the.waiting()).as("a node event is no slice event").isZero();
        assertThat(the.writes()).isEqualTo(1);

        the.cloud.faults().clear();
        the.fault(FaultRule.always(404).forMethod("GET").times(1)); // ends silently, without a report
        sliceEvent(2);
        assertThat(the.waiting()).isEqualTo(1);
        the.tick();
        sliceEvent(2);
        assertThat(the.waiting()).isZero();
    }

    @Test
    void in_diff_a_slice_event_after_a_failure_queues_nothing() {
        the = new EngineFixture(EngineSettings.DEFAULT.withModel(UpdateModel.DIFF));
        failing(400);
        sliceEvent(2);
        assertThat(the.waiting()).isZero();
    }

    @Test
    void a_change_after_a_failure_is_queued_once() {
        failing(400);
        the.endpoints("web", 3);
        the.cloud.faults().clear();
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(3));
        sliceEvent(3);
        assertThat(the.waiting()).isZero();
    }

    @Test
    @Rule(
            id = "R12.2",
            says = "A success in between, with or without a write, or the end of the Service being local clears"
                    + " this effect of a Failed event.",
            source = "contract, Replay rule 12")
    void a_success_or_leaving_ends_the_wait_for_a_slice_event() {
        failing(400);
        the.cloud.faults().clear();
        the.put("web", false, 1); // compares
        the.run(Duration.ofSeconds(31));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
        sliceEvent(2);
        assertThat(the.waiting()).isZero();

        the.fault(FaultRule.always(400).forMethod("PUT").times(1));
        the.endpoints("web", 3);
        the.tick();
        assertThat(the.reasons()).containsExactly("shop/web FAILED", "shop/web UPDATED", "shop/web FAILED");
        the.cluster.deleteService(new ServiceName("shop", "web"));
        the.put("web", false, 2);
        the.tick();
        int before = the.calls().size();
        sliceEvent(3);
        assertThat(the.waiting()).isZero();
        assertThat(the.calls()).hasSize(before);
    }

    @Test
    void a_standby_also_records_a_slice_event_after_a_failure() {
        failing(400);
        the.engine.stopLeading();
        sliceEvent(2);
        the.cloud.faults().clear();
        the.lead();
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
        Instant now = the.time.instant();
        sliceEvent(2);
        assertThat(the.waiting()).isZero();
        assertThat(now).isEqualTo(the.time.instant());
    }
}

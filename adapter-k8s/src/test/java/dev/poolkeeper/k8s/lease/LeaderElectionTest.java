package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.k8s.lease.TwoReplicas.Replica;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderElectionTest {

    private final TwoReplicas two = new TwoReplicas("a", "b");
    private final MemoryLease memory = two.memory;
    private final Replica a = two.a;
    private final Replica b = two.b;

    private void aLeadsAndBStandsBy() {
        a.election.start();
        two.pass(Duration.ofSeconds(1));
        b.election.start();
        two.pass(Duration.ofSeconds(60));
        assertThat(a.election.isLeader()).isTrue();
        assertThat(b.election.isLeader()).isFalse();
    }

    @Test
    void the_first_one_leads_and_the_second_stands_by() {
        aLeadsAndBStandsBy();

        assertThat(a.heard).containsExactly("started");
        assertThat(b.heard).isEmpty();
        assertThat(b.election.leader()).contains("a");
    }

    @Test
    void a_standby_takes_over_within_the_lease_and_one_period_after_the_leader_died() {
        aLeadsAndBStandsBy();

        a.election.abandon();
        two.pass(Duration.ofSeconds(15 + 3));

        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void a_partitioned_leader_stops_before_another_one_starts() {
        aLeadsAndBStandsBy();

        a.link.cut = true;
        two.pass(Duration.ofSeconds(10));

        assertThat(a.election.isLeader()).isFalse();
        assertThat(a.heard).containsExactly("started", "lost");
        assertThat(b.election.isLeader()).isFalse();
        two.pass(Duration.ofSeconds(8));
        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void a_paused_leader_no_longer_leads_when_it_resumes_although_none_of_its_tasks_ran() {
        aLeadsAndBStandsBy();

        a.time.pause();
        two.pass(Duration.ofSeconds(20));

        assertThat(a.election.isLeader()).isFalse();
        assertThat(b.election.isLeader()).isTrue();
        a.time.resume();
        two.pass(Duration.ofSeconds(20));
        assertThat(a.election.isLeader()).isFalse();
        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void wall_clock_jumps_have_no_effect() {
        aLeadsAndBStandsBy();

        a.time.jump(Duration.ofDays(-3));
        b.time.jump(Duration.ofDays(3));
        two.pass(Duration.ofSeconds(60));

        assertThat(a.election.isLeader()).isTrue();
        assertThat(b.heard).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-24, -1, 1, 24})
    void a_wall_clock_jump_neither_speeds_up_nor_delays_a_takeover(long hours) {
        aLeadsAndBStandsBy();
        a.link.cut = true;
        two.pass(Duration.ofSeconds(5));

        a.time.jump(Duration.ofHours(-hours));
        b.time.jump(Duration.ofHours(hours));
        assertThat(a.election.isLeader()).isTrue(); // until 10 s after its last renewal
        assertThat(b.election.isLeader()).isFalse();
        two.pass(Duration.ofSeconds(5));
        assertThat(a.election.isLeader()).isFalse();
        assertThat(b.election.isLeader()).isFalse();
        two.pass(Duration.ofSeconds(8));

        assertThat(b.election.isLeader()).isTrue();
        assertThat(a.heard).containsExactly("started", "lost");
    }

    @Test
    void a_renewal_counts_from_when_it_was_sent_not_from_when_it_was_answered() {
        a.link.onWayBack = () -> a.time.advance(Duration.ofSeconds(9));

        a.election.start();
        a.time.runDue();

        assertThat(a.election.isLeader()).isTrue();
        a.link.cut = true;
        a.time.advance(Duration.ofSeconds(1));
        assertThat(a.election.isLeader()).isFalse();
    }

    @Test
    void a_later_renewal_too_counts_from_when_it_was_sent() {
        a.election.start();
        a.time.runDue();
        a.time.advance(Duration.ofMillis(2_100));
        a.link.onWayBack = () -> { // of the renewal at 2.2 s
            a.time.advance(Duration.ofSeconds(7));
            a.link.cut = true;
        };

        a.time.advance(Duration.ofMillis(100));
        assertThat(a.election.isLeader()).isTrue();
        a.time.advance(Duration.ofMillis(2_999));

        assertThat(a.election.isLeader()).isTrue();
        assertThat(a.heard).containsExactly("started");
        a.time.advance(Duration.ofMillis(1));
        assertThat(a.election.isLeader()).isFalse();
        assertThat(a.heard).containsExactly("started", "lost");
    }

    @Test
    void leadership_does_not_start_if_the_response_is_too_late() {
        a.link.onWayBack = () -> a.time.advance(Duration.ofSeconds(10));

        a.election.start();
        a.time.runDue();

        assertThat(a.election.isLeader()).isFalse();
        assertThat(a.heard).isEmpty();
        a.link.onWayBack = () -> {};
        a.time.advance(Duration.ofSeconds(3));
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    void an_ended_term_stays_ended_when_the_same_replica_leads_again() {
        aLeadsAndBStandsBy();
        b.election.abandon();

        a.link.cut = true;
        two.pass(Duration.ofSeconds(10));
        a.link.cut = false;
        two.pass(Duration.ofSeconds(3));

        assertThat(a.election.isLeader()).isTrue();
        assertThat(a.terms).hasSize(2);
        assertThat(a.terms.getFirst().getAsBoolean()).isFalse();
        assertThat(a.terms.getLast().getAsBoolean()).isTrue();
    }

    @Test
    void a_replica_that_stops_leading_has_no_current_term() {
        aLeadsAndBStandsBy();

        a.election.stopLeading();

        assertThat(a.terms.getFirst().getAsBoolean()).isFalse();
    }

    @Test
    void a_leader_whose_responses_are_lost_stops_although_its_renewals_arrive() {
        aLeadsAndBStandsBy();

        a.link.answersLost = true;
        two.pass(Duration.ofSeconds(10));

        assertThat(a.election.isLeader()).isFalse();
        a.link.answersLost = false;
        two.pass(Duration.ofSeconds(5));
        assertThat(a.election.isLeader()).isTrue();
        assertThat(a.heard).containsExactly("started", "lost", "started");
    }

    @Test
    void a_replica_that_stops_leading_keeps_the_lease_until_its_work_has_ended() {
        aLeadsAndBStandsBy();

        a.election.stopLeading();
        two.pass(Duration.ofSeconds(60));

        assertThat(a.election.isLeader()).isFalse();
        assertThat(b.election.isLeader()).isFalse();
        a.election.release();
        assertThat(memory.holder()).isNull();
        two.pass(Duration.ofSeconds(3));
        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void a_stopping_standby_acquires_nothing() {
        aLeadsAndBStandsBy();

        b.election.stopLeading();
        a.election.stopLeading();
        a.election.release();
        two.pass(Duration.ofSeconds(60));

        assertThat(b.election.isLeader()).isFalse();
    }

    @Test
    void a_standby_releases_nothing() {
        aLeadsAndBStandsBy();

        b.election.release();

        assertThat(memory.holder()).isEqualTo("a");
        assertThat(a.election.isLeader()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        PT10S     | PT10S   | PT2S | leaseDuration must be greater than renewDeadline, got leaseDuration=PT10S, renewDeadline=PT10S
        PT15S     | PT2.4S  | PT2S | renewDeadline must be greater than 1.2 times retryPeriod, got renewDeadline=PT2.4S, retryPeriod=PT2S
        PT15S     | PT10S   | PT0S | retryPeriod must be greater than 0, got PT0S
        PT15S     | PT10S   | PT-1S | retryPeriod must be greater than 0, got PT-1S
        PT15.001S | PT10S   | PT2S | leaseDuration must be whole seconds, got PT15.001S
        """)
    void durations_in_the_wrong_order_are_refused_with_their_values(
            Duration lease, Duration deadline, Duration retry, String message) {
        assertThatThrownBy(() -> new ElectionSettings(lease, deadline, retry)).hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloud-controller-manager", "", " ", "\t\n"})
    void an_identity_that_others_may_have_is_refused(String identity) {
        assertThatThrownBy(() -> new LeaderElection(a.link, identity, ElectionSettings.DEFAULT, a.time, a))
                .hasMessageContaining("must be unique")
                .hasMessageEndingWith("got \"" + identity + "\"");
    }

    @Test
    void the_leader_is_known_until_it_releases_the_lease() {
        assertThat(a.election.leader()).isEmpty();
        aLeadsAndBStandsBy();
        a.election.stopLeading();
        assertThat(a.election.leader()).contains("a");
        assertThat(b.election.leader()).contains("a");

        a.election.release();

        assertThat(a.election.leader()).isEmpty();
        two.pass(Duration.ofSeconds(3));
        assertThat(b.election.leader()).contains("b");
    }

    @Test
    void no_leader_is_known_once_the_lease_is_deleted() {
        aLeadsAndBStandsBy();
        a.election.stopLeading();
        memory.delete();

        a.time.advance(Duration.ofSeconds(3));

        assertThat(a.election.leader()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 15", "14, 15", "15, 15", "16, 16", "100, 100"})
    void another_leader_has_the_longer_of_its_own_duration_and_ours(int theirs, int seconds) {
        memory.write(new LeaseBuilder()
                .withNewSpec()
                .withHolderIdentity("another")
                .withLeaseDurationSeconds(theirs)
                .endSpec()
                .build());
        a.election.start();

        a.time.advance(Duration.ofSeconds(seconds).minusMillis(1));

        assertThat(a.election.isLeader()).isFalse();
        a.time.advance(Duration.ofMillis(2_401));
        assertThat(a.election.isLeader()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 2000", "0.5, 2200", "0.75, 2300"})
    void a_renewal_comes_after_the_period_and_up_to_a_fifth_of_it(double draw, long millis) {
        a.time.willDraw(draw);
        a.election.start();
        a.time.runDue();
        int asked = a.link.requests;

        a.time.advance(Duration.ofMillis(millis - 1));

        assertThat(a.link.requests).isEqualTo(asked);
        a.time.advance(Duration.ofMillis(1));
        assertThat(a.link.requests).isEqualTo(asked + 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void two_replicas_never_lead_at_once(long seed) {
        Random random = new Random(seed);
        int changes = two.standThroughFaults(random, random.nextBoolean() ? a : b);
        assertThat(changes).as("changes of leader, or this proved nothing").isGreaterThan(1);
    }
}

package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.lease.TwoReplicas.Replica;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that share an identity, at the same time or one after another, which is a configuration error. */
class SameIdentityTest {

    private static final String NAME = "poolkeeper_twice";

    private final TwoReplicas two = new TwoReplicas(NAME, NAME);
    private final MemoryLease memory = two.memory;
    private final Replica a = two.a;
    private final Replica b = two.b;

    /** No two wall clocks are equal to the microsecond. */
    @BeforeEach
    void clocks() {
        b.time.jump(Duration.ofMillis(3));
    }

    private void aLeads() {
        a.election.start();
        two.pass(Duration.ofSeconds(30));
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    @Rule(
            id = "L5",
            says = "Of processes with the same identity one leads, as of any others: a process recognises its Lease by"
                    + " having written it, not by the name in it.",
            source = "ours",
            differs = "client-go takes a Lease with its own identity immediately, so that both lead.")
    void two_processes_of_one_identity_never_lead_at_once() {
        // given
        aLeads();
        // when
        b.election.start();
        two.pass(Duration.ofSeconds(60));
        // then
        assertThat(b.heard).isEmpty();
        a.election.abandon();
        two.pass(Duration.ofSeconds(15 + 3));
        assertThat(b.election.isLeader()).isTrue();
        assertThat(a.election.isLeader()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void two_replicas_never_lead_at_once(long seed) {
        int changes = two.standThroughFaults(new Random(seed), a);
        assertThat(changes).as("changes of leader, or this proved nothing").isGreaterThan(2);
    }

    @Test
    @Rule(
            id = "L6",
            says = "A process recognises its own write to a Lease even if the response was lost, and continues"
                    + " immediately.",
            source = "ours")
    void an_own_write_whose_response_was_lost_is_recognised() {
        // given
        a.link.answersLost = true;
        a.election.start();
        a.time.runDue();
        assertThat(memory.holder()).isEqualTo(NAME);
        assertThat(a.election.isLeader()).isFalse();
        // when
        a.link.answersLost = false;
        two.pass(Duration.ofSeconds(3));
        // then
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    void a_renewal_whose_response_was_lost_is_recognised_although_a_later_one_was_refused() {
        // given
        aLeads();
        a.link.answersLost = true;
        two.pass(Duration.ofMillis(2_300));
        a.link.answersLost = false;
        // when
        two.pass(Duration.ofSeconds(60));
        // then
        assertThat(a.heard).containsExactly("started");
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    @Rule(
            id = "L7",
            says = "A process that starts with the identity of an earlier one waits until the earlier one's Leases"
                    + " expire.",
            source = "ours",
            differs = "client-go continues immediately.")
    void a_restart_with_the_same_identity_waits_until_the_lease_expires() {
        // given
        aLeads();
        a.election.abandon();
        // when
        b.election.start();
        two.pass(Duration.ofMillis(14_900));
        // then
        assertThat(b.election.isLeader()).isFalse();
        two.pass(Duration.ofSeconds(3));
        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void annotation_changes_by_others_do_not_affect_a_leader() {
        // given
        aLeads();
        // when
        memory.write(LeaseEdits.annotated(memory.get().orElseThrow(), "touched", "yes"));
        two.pass(Duration.ofSeconds(30));
        // then
        assertThat(a.election.isLeader()).isTrue();
        assertThat(a.heard).containsExactly("started");
    }

    @Test
    @Rule(
            id = "L8",
            says = "A process recognises its resource lock by having written it: another one with the same identity"
                    + " neither acquires it while it is held, nor renews or releases it.",
            source = "ours")
    void two_processes_of_one_identity_never_hold_the_resource_lock_at_once() {
        // given
        ResourceLock.Hold hold = a.lock.tryAcquire().orElseThrow();
        assertThat(b.lock.tryAcquire()).isEmpty();
        a.link.cut = true;
        // when
        two.pass(Duration.ofSeconds(900));
        ResourceLock.Hold later = b.lock.tryAcquire().orElseThrow();
        // then
        assertThat(hold.isHeld()).isFalse();
        a.link.cut = false;
        two.pass(Duration.ofSeconds(30));
        hold.close();
        assertThat(later.isHeld()).isTrue();
        assertThat(memory.holder()).isEqualTo(NAME);
        later.close();
        assertThat(memory.holder()).isNull();
    }

    @Test
    void a_hold_taken_over_by_the_same_identity_is_not_released() {
        // given
        ResourceLock.Hold hold = a.lock.tryAcquire().orElseThrow();
        b.time.advance(Duration.ofSeconds(1));
        assertThat(b.lock.tryAcquire()).isEmpty();
        b.time.advance(Duration.ofSeconds(900)); // no task of a ran in the meantime
        ResourceLock.Hold later = b.lock.tryAcquire().orElseThrow();
        // when
        hold.close();
        // then
        assertThat(memory.holder()).isEqualTo(NAME);
        assertThat(later.isHeld()).isTrue();
    }

    @Test
    void a_resource_lock_whose_response_was_lost_is_acquired_again_at_once() {
        // given
        a.link.answersLost = true;
        assertThat(a.lock.tryAcquire()).isEmpty();
        assertThat(memory.holder()).isEqualTo(NAME);
        // when
        a.link.answersLost = false;
        // then
        assertThat(b.lock.tryAcquire()).isEmpty();
        assertThat(a.lock.tryAcquire()).isPresent();
    }
}

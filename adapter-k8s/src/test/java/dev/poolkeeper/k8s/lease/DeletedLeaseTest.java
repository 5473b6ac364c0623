package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.lease.TwoReplicas.Replica;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A held Lease is deleted by another client. */
class DeletedLeaseTest {

    private final TwoReplicas two = new TwoReplicas("a", "b");
    private final Replica a = two.a;
    private final Replica b = two.b;

    private void aLeadsAndBStandsBy() {
        a.election.start();
        two.pass(Duration.ofSeconds(1));
        b.election.start();
        two.pass(Duration.ofSeconds(60));
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    @Rule(
            id = "L9",
            says = "A leader whose Lease was deleted ends its term at its next renewal, at most 2.4 s later; a standby"
                    + " that knows the old Lease waits for it to expire, so that two never lead.",
            source = "ours",
            differs = "client-go's standby creates a missing Lease immediately.")
    void a_leader_whose_lease_was_deleted_ends_its_term_at_its_next_renewal() {
        // given
        aLeadsAndBStandsBy();
        // when
        two.memory.delete();
        two.pass(Duration.ofMillis(2_400)); // fails if both lead
        // then
        assertThat(a.heard).startsWith("started", "lost");
        assertThat(a.terms.getFirst().getAsBoolean()).isFalse();
        assertThat(b.heard).isEmpty();
    }

    @Test
    void a_standby_takes_over_when_lease_and_leader_are_gone() {
        aLeadsAndBStandsBy();

        a.election.abandon();
        two.memory.delete();
        two.pass(Duration.ofSeconds(12));
        assertThat(b.election.isLeader()).isFalse();
        two.pass(Duration.ofSeconds(6));

        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void a_replica_that_never_saw_the_lease_creates_it_at_once() {
        b.election.start();
        b.time.runDue();

        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    @Rule(
            id = "L10",
            says = "A holder of the resource lock whose Lease was deleted stops at its next renewal, at most 10 s"
                    + " later; to others a missing Lease is a free lock.",
            source = "ours")
    void a_holder_whose_lease_was_deleted_stops_at_its_next_renewal() {
        // given
        ResourceLock.Hold hold = a.lock.tryAcquire().orElseThrow();
        a.time.advance(Duration.ofSeconds(1));
        // when
        two.memory.delete();
        a.time.advance(Duration.ofSeconds(9));
        // then
        assertThat(hold.isHeld()).isFalse();
        hold.close();
        assertThat(two.memory.get()).isEmpty();
        assertThat(b.lock.tryAcquire()).isPresent();
    }
}

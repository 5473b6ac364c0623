package dev.poolkeeper.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that go by one identity, at once or one after another, which they should not. */
class SameIdentityTest {

    private static final String NAME = "poolkeeper_twice";

    private final MemoryLease memory = new MemoryLease();
    private final Process a = new Process(0);
    private final Process b = new Process(3);

    private final class Process implements LeadershipListener {
        final ManualTime time = new ManualTime();
        final MemoryLease.Link link = memory.new Link();
        final List<String> heard = new ArrayList<>();
        final LeaderElection election = new LeaderElection(link, NAME, ElectionSettings.DEFAULT, time, this);
        final LeaseResourceLock lock = new LeaseResourceLock(link, NAME, ResourceLockSettings.DEFAULT, time);

        /** @param aheadMillis how far its wall clock is ahead: no two are equal to the microsecond */
        Process(long aheadMillis) {
            time.jumpWallClock(Duration.ofMillis(aheadMillis));
        }

        @Override
        public void started() {
            heard.add("started");
        }

        @Override
        public void lost() {
            heard.add("lost");
        }
    }

    private void pass(Duration duration) {
        for (long step = 0; step < duration.toMillis(); step += 100) {
            a.time.advance(Duration.ofMillis(100));
            b.time.advance(Duration.ofMillis(100));
            assertThat(a.election.isLeader() && b.election.isLeader())
                    .as("two leaders")
                    .isFalse();
        }
    }

    private void aLeads() {
        a.election.start();
        pass(Duration.ofSeconds(30));
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    @Rule(
            id = "L5",
            says = "Of processes that go by one identity at the same time one leads, as of any others: a Lease is a"
                    + " process's own as that process wrote it, not by the name in it.",
            source = "facts, *reliability*: leases",
            differs = "client-go takes a Lease that names it at once, so that both lead.")
    void two_processes_of_one_identity_never_lead_at_once() {
        // given
        aLeads();
        // when
        b.election.start();
        pass(Duration.ofSeconds(60));
        // then
        assertThat(b.heard).isEmpty();
        a.election.abandon();
        pass(Duration.ofSeconds(15 + 3));
        assertThat(b.election.isLeader()).isTrue();
        assertThat(a.election.isLeader()).isFalse();
    }

    /** As the test of the same name for two identities: pauses, cuts, lost answers, clocks that jump and differ. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatever_happens_two_never_lead_at_once(long seed) {
        // given
        Random random = new Random(seed);
        a.election.start();
        b.election.start();
        int changes = 0;
        Process last = null;
        // when
        for (int step = 0; step < 20_000; step++) {
            for (Process one : List.of(a, b)) {
                if (random.nextInt(200) == 0) {
                    switch (random.nextInt(4)) {
                        case 0 -> one.link.cut = random.nextInt(3) == 0;
                        case 1 -> one.time.pause(random.nextInt(3) == 0);
                        case 2 -> one.time.jumpWallClock(Duration.ofSeconds(random.nextInt(4000) - 2000));
                        default -> one.link.answersLost = random.nextInt(3) == 0;
                    }
                }
                one.time.advance(Duration.ofMillis(one == a ? 133 : 100));
                // then
                assertThat(a.election.isLeader() && b.election.isLeader())
                        .as("two leaders at step %d", step)
                        .isFalse();
            }
            Process now = a.election.isLeader() ? a : b.election.isLeader() ? b : last;
            changes += now != last ? 1 : 0;
            last = now;
        }
        assertThat(changes).as("changes of leader, or this proved nothing").isGreaterThan(2);
    }

    @Test
    @Rule(
            id = "L6",
            says = "A process recognises its own write to a Lease also when the answer was lost, and goes on at once.",
            source = "facts, *reliability*: leases")
    void an_own_write_whose_answer_was_lost_is_recognised() {
        // given
        a.link.answersLost = true;
        a.election.start();
        a.time.runDue();
        assertThat(memory.holder()).isEqualTo(NAME);
        assertThat(a.election.isLeader()).isFalse();
        // when
        a.link.answersLost = false;
        pass(Duration.ofSeconds(3));
        // then
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    void a_renewal_whose_answer_was_lost_is_recognised_though_another_one_was_refused_since() {
        // given
        aLeads();
        a.link.answersLost = true;
        pass(Duration.ofMillis(2_300));
        a.link.answersLost = false;
        // when
        pass(Duration.ofSeconds(60));
        // then
        assertThat(a.heard).containsExactly("started");
        assertThat(a.election.isLeader()).isTrue();
    }

    @Test
    @Rule(
            id = "L7",
            says = "Who starts with the identity of a process that ran before waits until its Leases expire.",
            source = "facts, *reliability*: leases",
            differs = "client-go goes on at once.")
    void a_restart_with_the_same_identity_waits_until_the_lease_expires() {
        // given
        aLeads();
        a.election.abandon();
        // when
        b.election.start();
        pass(Duration.ofMillis(14_900));
        // then
        assertThat(b.election.isLeader()).isFalse();
        pass(Duration.ofSeconds(3));
        assertThat(b.election.isLeader()).isTrue();
    }

    @Test
    void annotations_that_others_change_cost_a_leader_nothing() {
        // given
        aLeads();
        // when
        memory.write(LeaseEdits.annotated(memory.get().orElseThrow(), "touched", "yes"));
        pass(Duration.ofSeconds(30));
        // then
        assertThat(a.election.isLeader()).isTrue();
        assertThat(a.heard).containsExactly("started");
    }

    @Test
    @Rule(
            id = "L8",
            says = "A resource lock is a process's own as that process wrote it: another one with the same identity"
                    + " neither gets it while it is held, nor renews or gives back what the other holds.",
            source = "facts, *reliability*: leases")
    void two_processes_of_one_identity_never_hold_the_resource_lock_at_once() {
        // given
        ResourceLock.Hold hold = a.lock.tryAcquire().orElseThrow();
        assertThat(b.lock.tryAcquire()).isEmpty();
        a.link.cut = true;
        // when
        pass(Duration.ofSeconds(900));
        ResourceLock.Hold later = b.lock.tryAcquire().orElseThrow();
        // then
        assertThat(hold.isHeld()).isFalse();
        a.link.cut = false;
        pass(Duration.ofSeconds(30));
        hold.close();
        assertThat(later.isHeld()).isTrue();
        assertThat(memory.holder()).isEqualTo(NAME);
        later.close();
        assertThat(memory.holder()).isNull();
    }

    @Test
    void a_hold_that_another_of_the_same_identity_took_over_is_not_given_back() {
        // given
        ResourceLock.Hold hold = a.lock.tryAcquire().orElseThrow();
        b.time.advance(Duration.ofSeconds(1));
        assertThat(b.lock.tryAcquire()).isEmpty();
        b.time.advance(Duration.ofSeconds(900)); // nothing of a's ran meanwhile
        ResourceLock.Hold later = b.lock.tryAcquire().orElseThrow();
        // when
        hold.close();
        // then
        assertThat(memory.holder()).isEqualTo(NAME);
        assertThat(later.isHeld()).isTrue();
    }

    @Test
    void a_resource_lock_whose_answer_was_lost_is_taken_back_at_once() {
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

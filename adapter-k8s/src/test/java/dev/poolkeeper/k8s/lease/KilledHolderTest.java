package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process is killed while it leads and holds the resource lock; another one stands by. */
class KilledHolderTest {

    private static final Duration STEP = Duration.ofMillis(100);
    /** How often a leader with pending writes requests the lock. */
    private static final Duration ASKS_EVERY = Duration.ofSeconds(5);

    private final MemoryLease leader = new MemoryLease();
    private final MemoryLease locker = new MemoryLease();

    /** A process with both Leases, which writes continuously while it leads. */
    private final class Process implements LeadershipListener {
        final FakeTime time = new FakeTime();
        final LeaderElection election;
        final LeaseResourceLock lock;

        @Nullable
        Term term;

        Optional<ResourceLock.Hold> hold = Optional.empty();

        Process(String name) {
            election = new LeaderElection(leader.new Link(), name, ElectionSettings.DEFAULT, time, this);
            lock = new LeaseResourceLock(locker.new Link(), name, ResourceLockSettings.DEFAULT, time);
        }

        @Override
        public void started(Term begun) {
            term = begun;
            ask();
        }

        private void ask() {
            if (leads() && hold.isEmpty()) {
                hold = lock.tryAcquire();
                time.schedule(ASKS_EVERY, this::ask);
            }
        }

        @Override
        public void lost() {}

        private boolean leads() {
            return term != null && term.isCurrent();
        }

        boolean mayWrite() {
            return leads() && hold.filter(ResourceLock.Hold::isHeld).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 9, 10, 11, 25, 39})
    @Rule(
            id = "L14",
            says = "When the process that holds the resource lock is killed, another replica can write within 90 s.",
            source = "ours",
            differs = "A hold of the Go provider lasts 15 minutes after a crash.")
    void when_the_holder_is_killed_another_writer_may_write_within_90_seconds(int secondsHeld) {
        // given
        Process a = new Process("a");
        Process b = new Process("b");
        a.election.start();
        a.time.runDue();
        b.election.start();
        for (Duration held = Duration.ZERO; held.toSeconds() < secondsHeld; held = held.plus(STEP)) {
            a.time.advance(STEP);
            b.time.advance(STEP);
        }
        assertThat(a.mayWrite()).isTrue();
        // when
        Duration waited = Duration.ZERO; // a's tasks never run again
        while (!b.mayWrite() && waited.toSeconds() < 1_000) {
            b.time.advance(STEP);
            waited = waited.plus(STEP);
        }
        // then
        assertThat(waited).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
    }

    @Test
    void a_hold_of_an_older_version_that_lasts_15_minutes_is_waited_out() {
        Process b = new Process("b");
        locker.write(LeaseEdits.taken(null, "older", Duration.ofMinutes(15), FakeTime.START));
        b.election.start();

        b.time.advance(Duration.ofSeconds(890));
        assertThat(b.mayWrite()).isFalse();
        b.time.advance(Duration.ofSeconds(15));
        assertThat(b.mayWrite()).isTrue();
    }
}

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
    /** How long a leader with pending writes waits at most before it requests the lock again. */
    private static final Duration ASKS_EVERY = Duration.ofSeconds(5);

    private final MemoryLease leader = new MemoryLease();
    private final MemoryLease locker = new MemoryLease();

    /** A process with both Leases, which writes continuously while it leads. */
    private final class Process implements LeadershipListener {
        final FakeTime time = new FakeTime();
        final MemoryLease.Link leads = leader.new Link();
        final MemoryLease.Link link = locker.new Link();
        final LeaderElection election;
        final LeaseResourceLock lock;

        @Nullable
        Term term;

        Optional<ResourceLock.Hold> hold = Optional.empty();

        Process(String name) {
            election = new LeaderElection(leads, name, ElectionSettings.DEFAULT, time, this);
            lock = new LeaseResourceLock(link, name, ResourceLockSettings.DEFAULT, time);
        }

        void start() {
            election.start();
            lock.watchWhile(() -> !election.isLeader());
            time.runDue();
        }

        @Override
        public void started(Term begun) {
            term = begun;
            ask();
        }

        private void ask() {
            if (leads() && hold.isEmpty()) {
                hold = lock.tryAcquire();
                time.schedule(
                        lock.holder()
                                .map(holder -> Duration.between(time.instant(), holder.until()))
                                .filter(left -> left.compareTo(ASKS_EVERY) < 0)
                                .orElse(ASKS_EVERY),
                        this::ask);
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
            says = "When the process that holds the resource lock is killed, another replica can write within 65 s.",
            source = "ours",
            differs = "A hold of the Go provider lasts 15 minutes after a crash.")
    void when_the_holder_is_killed_another_writer_may_write_within_65_seconds(int secondsHeld) {
        // given
        Process a = new Process("a");
        Process b = new Process("b");
        a.start();
        b.start();
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
        assertThat(waited).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(65));
    }

    @Test
    void a_hold_of_an_older_version_that_lasts_15_minutes_is_waited_out() {
        Process b = new Process("b");
        locker.write(LeaseEdits.taken(null, "older", Duration.ofMinutes(15), FakeTime.START));
        b.start();

        b.time.advance(Duration.ofSeconds(890));
        assertThat(b.mayWrite()).isFalse();
        b.time.advance(Duration.ofSeconds(15));
        assertThat(b.mayWrite()).isTrue();
    }

    @Test
    void a_standby_that_sees_the_holder_does_not_wait_for_it() {
        Process a = new Process("a");
        Process b = new Process("b");
        a.start();
        b.start();
        b.time.advance(STEP.multipliedBy(30));

        assertThat(b.lock.status()).isEqualTo(ResourceLockStatus.NONE);
    }

    @Test
    void a_standby_that_does_not_reach_the_lease_for_a_while_looks_again() {
        // given
        Process a = new Process("a");
        Process b = new Process("b");
        a.start();
        b.link.cut = true;
        b.start();
        b.time.advance(Duration.ofSeconds(9));
        // when
        b.link.cut = false;
        b.time.advance(Duration.ofSeconds(53));
        // then
        assertThat(b.mayWrite()).isFalse();
        b.time.advance(Duration.ofSeconds(9));
        assertThat(b.mayWrite()).isTrue();
    }

    @Test
    void a_leader_looks_at_the_lease_only_to_acquire_the_lock() {
        Process a = new Process("a");
        a.start();
        a.hold.orElseThrow().close();
        a.link.requests = 0;

        a.time.advance(Duration.ofSeconds(30));

        assertThat(a.leads()).isTrue();
        assertThat(a.link.requests).isZero();
    }

    @Test
    void after_an_outage_of_the_api_server_the_next_leader_need_not_wait_for_the_deposed_one() {
        // given
        Process a = new Process("a");
        Process b = new Process("b");
        a.start();
        b.start();
        a.leads.cut = true; // for good
        a.link.cut = true;
        b.leads.cut = true;
        b.link.cut = true;
        for (Duration out = Duration.ZERO; out.toSeconds() < 60; out = out.plus(STEP)) {
            a.time.advance(STEP);
            b.time.advance(STEP);
            if (!a.leads()) {
                a.hold.ifPresent(ResourceLock.Hold::close);
            }
        }
        assertThat(locker.holder()).isEqualTo("a");
        // when
        a.link.cut = false;
        b.leads.cut = false;
        b.link.cut = false;
        Duration waited = Duration.ZERO;
        while (!b.mayWrite() && waited.toSeconds() < 1_000) {
            b.time.advance(STEP);
            a.time.advance(STEP);
            waited = waited.plus(STEP);
        }
        // then
        assertThat(waited).isLessThan(Duration.ofSeconds(10));
    }
}

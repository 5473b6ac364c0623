package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Two processes that compete for one Lease, each with its own clocks and its own connection to the API server. */
final class TwoReplicas {

    final MemoryLease memory = new MemoryLease();
    final Replica a;
    final Replica b;

    /** Their identities. */
    TwoReplicas(String a, String b) {
        this.a = new Replica(memory, a);
        this.b = new Replica(memory, b);
    }

    static final class Replica implements LeadershipListener {
        final FakeTime time = new FakeTime();
        final List<String> heard = new ArrayList<>();
        final List<BooleanSupplier> terms = new ArrayList<>();
        final MemoryLease.Link link;
        final LeaderElection election;
        final LeaseResourceLock lock;

        private Replica(MemoryLease memory, String name) {
            link = memory.new Link();
            election = new LeaderElection(link, name, ElectionSettings.DEFAULT, time, this);
            lock = new LeaseResourceLock(link, name, ResourceLockSettings.DEFAULT, time);
        }

        @Override
        public void started(Term term) {
            terms.add(term::isCurrent);
            heard.add("started");
        }

        @Override
        public void lost() {
            heard.add("lost");
        }
    }

    /** Advances time for both, and checks that never both lead. */
    void pass(Duration duration) {
        for (long step = 0; step < duration.toMillis(); step += 100) {
            a.time.advance(Duration.ofMillis(100));
            b.time.advance(Duration.ofMillis(100));
            assertThatNotBothLead(step);
        }
    }

    private void assertThatNotBothLead(long step) {
        assertThat(a.election.isLeader() && b.election.isLeader())
                .as("two leaders at step %d", step)
                .isFalse();
    }

    /**
     * Both stand for election, through pauses, cuts, lost responses and wall clock jumps. Never do both lead.
     *
     * @param faster the replica whose clocks are a third faster
     * @return the number of changes of the leader
     */
    int standThroughFaults(Random random, Replica faster) {
        a.election.start();
        b.election.start();
        int changes = 0;
        @Nullable Replica last = null;
        for (int step = 0; step < 20_000; step++) {
            for (Replica one : List.of(a, b)) {
                if (random.nextInt(200) == 0) {
                    disturb(one, random);
                }
                one.time.advance(Duration.ofMillis(one == faster ? 133 : 100));
                assertThatNotBothLead(step);
            }
            Replica now = a.election.isLeader() ? a : b.election.isLeader() ? b : last;
            changes += now == last ? 0 : 1;
            last = now;
        }
        return changes;
    }

    private static void disturb(Replica one, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> one.link.cut = random.nextInt(3) == 0;
            case 1 -> {
                if (random.nextInt(3) == 0) {
                    one.time.pause();
                } else {
                    one.time.resume();
                }
            }
            case 2 -> one.time.jump(Duration.ofSeconds(random.nextInt(4000) - 2000));
            default -> one.link.answersLost = random.nextInt(3) == 0;
        }
    }
}

package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * S19. ARM's side shows which writes landed and who changed the pool afterwards. What the process must have noticed is
 * counted from the bytes of its reads and writes, and in its favour.
 */
final class DriftBackOffIsRight extends Invariant {

    /** The first wait of simulated daemons. */
    private static final long WAIT = 20 * Timeline.SECONDS;

    /** Less than the time without a change after which the fight is over. */
    private static final long CALM = 110 * Timeline.SECONDS;

    /** More than that time, even by a slow clock and for a process that noticed the change minutes later. */
    private static final long LONG_CALM = 300 * Timeline.SECONDS;

    private static final class State {
        /** The pools that hold what this process wrote last in its term. */
        final Set<PoolKey> landed = new HashSet<>();

        /** How often another writer changed what this process had written. */
        final Map<PoolKey, Changes> changedBack = new HashMap<>();

        final Map<PoolKey, Noticed> noticed = new HashMap<>();
    }

    /** How often a pool was changed, each time soon after the previous one. */
    private record Changes(int times, long last) {

        static final Changes NONE = new Changes(0, 0);
    }

    /** What a process must know of a pool, since its term began. */
    private static final class Noticed {
        AddressSet read = AddressSet.empty();
        long readAt;
        AddressSet sent = AddressSet.empty();
        long sentAt;

        /** Whether a write that was sent in this term has not ended. */
        boolean isWriting;

        /** Whether the pool held what was sent when the last write ended. */
        boolean isAsSent;

        int changedBack;
        long last;

        /** Whether the write that answers a change may be outstanding: it does not wait. */
        boolean isOwed;

        void changedBack(long clock) {
            changedBack = changedBack > 0 && clock - last < CALM ? changedBack + 1 : 1;
            last = clock;
        }
    }

    /** Half of the shortest back-off. */
    private static final long EVERY = 10 * Timeline.SECONDS;

    private final Map<String, State> states = new HashMap<>();
    private long next = EVERY;

    DriftBackOffIsRight(Scene scene) {
        super(
                "S19 drift back-off",
                "A pool counts as changed back by another writer only as often as one did so, each time after a write"
                        + " had landed in the process's term; once it was changed back so often, it is not written"
                        + " before the wait is over, except once in answer to each change.",
                scene);
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon.name(), key -> new State());
    }

    private Noticed of(SimulatedDaemon daemon, PoolKey pool) {
        return of(daemon).noticed.computeIfAbsent(pool, key -> new Noticed());
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads(SimulatedDaemon daemon, boolean now) -> {
                of(daemon).landed.clear();
                of(daemon).noticed.clear();
            }
            case Observation.Written written -> written(written.after().key(), written.writer());
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(daemon, fact);
            case Observation.Put put -> put(put.daemon(), put.read(), put.wanted());
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, Fact fact) {
        switch (fact) {
            case Fact.HoldReported(PoolKey pool, ServiceName service, HoldCause.ChangedBack back) ->
                judge(daemon, pool, back.times());
            case Fact.ReadEnded read -> {
                Noticed noticed = of(daemon, read.pool());
                noticed.isWriting = false;
                if (read.reply() instanceof Reply.Ok<BackendPool>(BackendPool found)) {
                    noticed.read = found.addresses();
                    noticed.readAt = clock(daemon);
                }
            }
            case Fact.WriteEnded written -> writeEnds(daemon, of(daemon, written.pool()), written.reply());
            default -> {}
        }
    }

    private void written(PoolKey pool, String writer) {
        states.forEach((name, state) -> {
            if (name.equals(writer)) {
                state.landed.add(pool);
            } else if (state.landed.remove(pool)) {
                state.changedBack.put(pool, new Changes(changedBack(state, pool) + 1, now()));
            }
        });
    }

    private int changedBack(State state, PoolKey pool) {
        Changes changes = state.changedBack.getOrDefault(pool, Changes.NONE);
        return changes.last() > now() - LONG_CALM ? changes.times() : 0;
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            if (daemon.isLeader() && !daemon.process().isPaused()) {
                daemon.engine().status().holds().fights().forEach((pool, until) -> {
                    if (until.isAfter(daemon.clock().instant())) {
                        judge(daemon, pool, daemon.driftTimes());
                    }
                });
            }
        }
    }

    private void judge(SimulatedDaemon daemon, PoolKey pool, int claimed) {
        int times = changedBack(of(daemon), pool);
        if (claimed > times && !daemon.machine().wasOutOfStepSince(now() - LONG_CALM)) {
            violated("%s says that %s was changed back %d times; it was %d times", daemon, pool, claimed, times);
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        Noticed noticed = of(daemon, read.key());
        if (daemon.seen().lastMissing(read.key()) > noticed.sentAt) { // a listing without it makes the process forget
            noticed.isAsSent = false;
            noticed.changedBack = 0;
        }
        if (noticed.isAsSent && !read.addresses().equals(noticed.sent)) {
            noticed.isOwed = true;
            if (!isForOthers(daemon, read, wanted)
                    && wanted.addresses().equals(noticed.sent)
                    && wanted.addresses().equals(daemon.knowledge().wantedIn(read.key()))) {
                noticed.changedBack(noticed.readAt);
            }
        }
        boolean isHeld = noticed.changedBack >= daemon.driftTimes() && clock(daemon) < noticed.last + WAIT;
        if (isHeld && !noticed.isOwed && daemon.isLeader() && !daemon.isStopping()) {
            violated(
                    "%s writes %s again although another writer has changed it back %d times, the last time %s ago",
                    daemon, read.key(), noticed.changedBack, seconds(clock(daemon) - noticed.last));
        }
        noticed.sent = wanted.addresses();
        noticed.sentAt = now();
        noticed.isAsSent = false;
        noticed.isWriting = true;
    }

    /**
     * Whether the update may be one of a Service that wants nothing, and the write adds what others want in its shared
     * pool, which it would empty otherwise: such an update is no sign of a fight.
     */
    private static boolean isForOthers(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        return daemon.knowledge().isSharedWithIdle(read.key())
                && read.addresses().intersect(wanted.addresses()).isEmpty();
    }

    private void writeEnds(SimulatedDaemon daemon, Noticed noticed, Reply<BackendPool> reply) {
        boolean wasWriting = noticed.isWriting;
        noticed.isWriting = false;
        if (!(reply instanceof Reply.Ok<BackendPool>(BackendPool found))) {
            return;
        }
        if (!wasWriting) {
            // Sent in a term before this one: the process may count on it, and need not.
            of(daemon).landed.add(found.key());
        } else if (found.addresses().equals(noticed.sent)) {
            of(daemon).landed.add(found.key());
            noticed.isAsSent = true;
            noticed.isOwed = false;
        } else if (!found.addresses().equals(noticed.read) && daemon.isLeader()) {
            noticed.changedBack(clock(daemon));
            noticed.isOwed = false;
        }
    }
}

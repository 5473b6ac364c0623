package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * S17. The time of a change is taken from the bytes of the watches, and the missing addresses from ARM's responses.
 * Only additions are checked, because guards of removals never hold them.
 */
final class BoundedWait extends Invariant {

    private static final long EVERY = 500 * Timeline.MILLIS;

    /** The gathering time, a second by the slowest clock, plus the interval between checks. */
    private static final long LONGEST = 2 * Timeline.SECONDS;

    /** An interval by the slowest clock. */
    private static final long INTERVAL = 6 * Timeline.SECONDS;

    /** An interval by a clock at half speed: a wait that it began keeps its length when the speed changes. */
    private static final long SLOW_INTERVAL = 12 * Timeline.SECONDS;

    /** The longest wait after a 403, by the process's own clock. */
    private static final Duration REFUSED = Duration.ofSeconds(41);

    private static final class State {
        /** When something last kept the process from starting any update. */
        long blocked;

        /** The same for a load balancer, and for a pool. */
        final Map<ArmName, Long> blockedLanes = new HashMap<>();

        final Map<PoolKey, Long> blockedPools = new HashMap<>();

        /** What was last sent to each pool in a write that has not ended. */
        final Map<PoolKey, AddressSet> sent = new HashMap<>();

        /** How often in a row each pool held something else after a write. */
        final Map<PoolKey, Integer> overwritten = new HashMap<>();

        /** When the last read of a pool ended, or nothing was missing: earlier changes were taken up. */
        final Map<PoolKey, Long> takenUp = new HashMap<>();

        /** When an attempt failed that has to be retried. */
        final Map<PoolKey, Long> owed = new HashMap<>();

        /** When updates of a pool were last given up, or dropped because a call found no pool. */
        final Map<PoolKey, Long> givenUp = new HashMap<>();

        /** When a load balancer last answered 403, by the process's own clock. */
        final Map<ArmName, Instant> forbidden = new HashMap<>();

        final Map<PoolKey, Integer> changesByOthers = new HashMap<>();
        Instant throttledUntil = Instant.MIN;

        /** Until when each load balancer is busy with another operation, by the process's own clock. */
        final Map<ArmName, Instant> busyUntil = new HashMap<>();

        /** By the process's monotonic clock. */
        long quotaLowUntil = Long.MIN_VALUE;

        long leadsSince = -1;

        /** What was not free at the last look: the process, a pool. It may have become free at any time since. */
        boolean wasHeld;

        final Set<PoolKey> wereHeld = new HashSet<>();

        void shut(Instant until) {
            throttledUntil = until.isAfter(throttledUntil) ? until : throttledUntil;
        }
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    BoundedWait(Scene scene) {
        super(
                "S17 bounded wait",
                "A newly desired address waits no longer than the gathering time while its load balancer is"
                        + " idle and nothing holds its pool.",
                scene);
    }

    /** The model diff supports ticks only. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    // --- what keeps a process from starting an update ---

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads(SimulatedDaemon daemon, boolean now) -> leads(of(daemon), now);
            case Observation.Published(SimulatedDaemon daemon, Fact fact) ->
                published(daemon, of(daemon), fact.pool(), fact);
            case Observation.Put put ->
                of(put.daemon()).sent.put(put.read().key(), put.wanted().addresses());
            case Observation.Shut shut -> of(shut.daemon()).shut(shut.until());
            case Observation.Busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) ->
                of(daemon).busyUntil.merge(loadBalancer, until, (a, b) -> a.isAfter(b) ? a : b);
            case Observation.QuotaLeft quota
            when PaceIsKept.isLow(quota.left()) ->
                of(quota.daemon()).quotaLowUntil = PaceIsKept.clock(quota.daemon()) + PaceIsKept.LONGEST + INTERVAL;
            case Observation.Answered(var daemon, var purpose, var pool, int status)
            when status == 429 && pool != null -> of(daemon).blockedLanes.put(pool.loadBalancer(), now() + INTERVAL);
            case Observation.Written written -> written(written.after().key(), written.writer());
            default -> {}
        }
    }

    private void leads(State state, boolean now) {
        state.leadsSince = now ? now() : -1;
        state.blocked = Math.max(state.blocked, now());
        state.owed.clear();
    }

    private void published(SimulatedDaemon daemon, State state, PoolKey pool, Fact fact) {
        switch (fact) {
            case Fact.Began began -> state.owed.remove(pool);
            case Fact.ReadEnded read -> {
                callEnds(daemon, state, read);
                state.takenUp.put(pool, now());
            }
            case Fact.WriteEnded written -> {
                callEnds(daemon, state, written);
                if (written.reply() instanceof Reply.Ok<BackendPool>(BackendPool found)) {
                    writeEnds(state, found);
                }
            }
            case Fact.GaveUp gaveUp -> {
                state.owed.remove(pool);
                state.givenUp.put(pool, now());
                state.blockedPools.put(pool, now() + INTERVAL);
            }
            case Fact.Retrying retrying -> state.blockedPools.put(pool, now() + INTERVAL);
            case Fact.RetryRefused refused -> state.blockedPools.put(pool, now() + INTERVAL);
            default -> {}
        }
    }

    private void callEnds(SimulatedDaemon daemon, State state, Fact.CallEnded call) {
        PoolKey pool = call.pool();
        if (daemon.calls().began(pool) < state.leadsSince) {
            // a lane that asked for the lock just before the end asks again after that time
            state.blocked = Math.max(state.blocked, now() + INTERVAL);
        }
        state.blockedLanes.put(pool.loadBalancer(), now());
        if (call.reply() instanceof Reply.Failed<BackendPool>(Failure failure)) {
            state.blockedPools.put(pool, now() + INTERVAL);
            switch (failure) {
                case Failure.Throttled throttled -> state.owed.put(pool, now());
                case Failure.Conflict conflict -> state.owed.put(pool, now());
                case Failure.PreconditionFailed changed -> state.owed.put(pool, now());
                case Failure.NotFound none -> state.givenUp.put(pool, now());
                case Failure.HttpError error
                when error.status() == 403 ->
                    state.forbidden.put(pool.loadBalancer(), daemon.clock().instant());
                default -> {}
            }
        }
    }

    private void writeEnds(State state, BackendPool found) {
        AddressSet sent = state.sent.remove(found.key());
        boolean isAsSent = sent != null && found.addresses().equals(sent);
        int inARow = isAsSent ? 0 : state.overwritten.getOrDefault(found.key(), 0) + 1;
        state.overwritten.put(found.key(), inARow);
        if (inARow > 1) { // the first time it is written again at once
            state.blockedPools.put(found.key(), now() + INTERVAL);
        }
    }

    private void written(PoolKey pool, String writer) {
        states.forEach((daemon, state) -> {
            if (!daemon.name().equals(writer)) {
                state.changesByOthers.merge(pool, 1, Integer::sum);
            }
        });
    }

    private boolean isFree(SimulatedDaemon daemon, State state) {
        return state.leadsSince >= 0
                && daemon.isLeader()
                && !daemon.isStopping()
                && daemon.seen().lastListingAsked() > state.leadsSince
                && !daemon.process().isPaused()
                && !daemon.machine().wasOutOfStepSince(now() - SLOW_INTERVAL)
                && !daemon.isPausedByOperator()
                && !daemon.mayWaitForResourceLock()
                && daemon.calls().firstBegan() > state.leadsSince
                && PaceIsKept.clock(daemon) >= state.quotaLowUntil
                && !daemon.clock().instant().isBefore(state.throttledUntil);
    }

    private boolean isFree(SimulatedDaemon daemon, State state, PoolKey pool) {
        Knowledge knowledge = daemon.knowledge();
        return !knowledge.isPaused(pool)
                && !knowledge.isInDoubt(pool)
                && state.changesByOthers.getOrDefault(pool, 0) < daemon.driftTimes()
                && !daemon.clock().instant().isBefore(state.busyUntil.getOrDefault(pool.loadBalancer(), Instant.EPOCH))
                && !daemon.clock()
                        .instant()
                        .isBefore(state.forbidden
                                .getOrDefault(pool.loadBalancer(), Instant.EPOCH)
                                .plus(REFUSED));
    }

    // --- waiting pools ---

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            State state = of(daemon);
            if (!isFree(daemon, state)) {
                state.wasHeld = true;
                // a request that got no response during a pause fails now, and is repeated within an interval
                long until = daemon.process().isPaused() ? now() + INTERVAL : now();
                state.blocked = Math.max(state.blocked, until);
                for (PoolKey pool : daemon.knowledge().usedPools()) {
                    if (daemon.seen().of(pool) != null && missing(daemon, pool).isEmpty()) {
                        state.takenUp.put(pool, now());
                    }
                }
                continue;
            }
            if (state.wasHeld) {
                state.wasHeld = false;
                state.blocked = Math.max(state.blocked, now());
            }
            for (PoolKey pool : daemon.knowledge().usedPools()) {
                AddressSet missing = missing(daemon, pool);
                if (missing.isEmpty()) {
                    state.takenUp.put(pool, now());
                    state.owed.remove(pool);
                } else if (!isFree(daemon, state, pool)) {
                    state.wereHeld.add(pool);
                    state.blockedPools.merge(pool, now(), Math::max);
                } else if (state.wereHeld.remove(pool)) {
                    state.blockedPools.merge(pool, now(), Math::max);
                } else if (!daemon.calls().isAtWork(pool.loadBalancer())) {
                    look(daemon, state, pool, missing);
                }
            }
        }
    }

    private void look(SimulatedDaemon daemon, State state, PoolKey pool, AddressSet missing) {
        long from = idleSince(daemon, state, pool);
        long change = firstChange(daemon, state, pool, missing);
        long owed = state.owed.getOrDefault(pool, Long.MAX_VALUE);
        if (Math.max(from, change) < now() - LONGEST) {
            violated(
                    "%s does not update %s, which has lacked %s since %s, although its load balancer has been idle"
                            + " since %s",
                    daemon, pool, missing, seconds(change), seconds(from));
        } else if (owed > daemon.knowledge().usersSince(pool)
                && Math.max(from, owed) < now() - LONGEST
                && isAnyAddedSince(state.givenUp.getOrDefault(pool, Long.MIN_VALUE), daemon, pool, missing)) {
            violated(
                    "%s does not retry %s, which lacks %s and whose update failed at %s",
                    daemon, pool, missing, seconds(owed));
        }
    }

    /** Until the next comparison, the update of one Service adds nothing for another one whose update was given up. */
    private static boolean isAnyAddedSince(long when, SimulatedDaemon daemon, PoolKey pool, AddressSet missing) {
        return missing.stream().anyMatch(address -> daemon.knowledge().activelyAdded(pool, address) > when);
    }

    /** Since when its load balancer is idle and nothing holds the pool; may be in the future. */
    private static long idleSince(SimulatedDaemon daemon, State state, PoolKey pool) {
        long ofLoadBalancer = state.blockedLanes.getOrDefault(pool.loadBalancer(), 0L);
        long ofPool = Math.max(
                state.blockedPools.getOrDefault(pool, 0L),
                Math.max(daemon.knowledge().usersSince(pool), daemon.knowledge().lastResumed(pool)));
        return Math.max(Math.max(state.blocked, daemon.seen().lastListingEnded()), Math.max(ofLoadBalancer, ofPool));
    }

    /** Desired addresses that were missing when the pool was last seen; none if it was never seen. */
    private static AddressSet missing(SimulatedDaemon daemon, PoolKey pool) {
        AddressSet held = daemon.seen().of(pool);
        return held == null
                ? AddressSet.empty()
                : daemon.knowledge().activelyWantedIn(pool).minus(held);
    }

    /** When the first missing address was added that no update has taken up; far in the future for none. */
    private static long firstChange(SimulatedDaemon daemon, State state, PoolKey pool, AddressSet missing) {
        long first = Long.MAX_VALUE;
        for (IpAddress address : missing) {
            long added = daemon.knowledge().activelyAdded(pool, address);
            if (added > state.takenUp.getOrDefault(pool, -1L)) {
                first = Math.min(first, added);
            }
        }
        return first;
    }
}

package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S18. */
final class NoSilentDifference extends Invariant {

    private static final long EVERY = 5 * Timeline.SECONDS;

    /** Two intervals by the slowest clock. */
    private static final long TWO_INTERVALS = 12 * Timeline.SECONDS;

    /** The gathering time, an interval, the wait before asking for the resource lock again, and a call. */
    private static final long SOON = 15 * Timeline.SECONDS;

    /** The longest wait after a 403, and the interval after it, by the process's own clock. */
    private static final Duration FORBIDDEN = Duration.ofSeconds(50);

    /** How long a retry budget may refuse retries: its window of 60 s by the slowest clock. */
    private static final long REFUSED = 70 * Timeline.SECONDS;

    /** The longest time between two comparisons, by the slowest clock. */
    private static final long COMPARED = 80 * Timeline.SECONDS;

    /** A write that succeeded, although the pool then held something else than was written. */
    private static final Failure NOT_APPLIED = Failure.Other.retriable("not applied");

    /** What a process has experienced, according to its calls and to bytes. */
    private static final class State {
        final Map<PoolKey, Long> differsSince = new HashMap<>();
        final Map<PoolKey, Failure> lastFailure = new HashMap<>();

        /** What was last sent, and should be in the pool after a successful write. */
        final Map<PoolKey, AddressSet> sent = new HashMap<>();

        /** When each update was given up, also in an earlier term: the next event of a slice retries it. */
        final Map<PoolKey, Long> givenUp = new HashMap<>();

        final Map<ArmName, Long> lastCall = new HashMap<>();
        final Map<PoolKey, Long> lastCallOf = new HashMap<>();

        /** When a load balancer last answered 403, by the process's own clock. */
        final Map<ArmName, Instant> lastForbidden = new HashMap<>();

        final Map<ArmName, Long> lastBusy = new HashMap<>();

        /** Until when each load balancer is busy with another operation, by the process's own clock. */
        final Map<ArmName, Instant> busyUntil = new HashMap<>();

        final Map<PoolKey, Long> lastPaused = new HashMap<>();

        /** When the pool was last held back by something that ends by itself. */
        final Map<PoolKey, Long> lastHindered = new HashMap<>();

        /** What the last write of this process made a pool hold. */
        final Map<PoolKey, AddressSet> written = new HashMap<>();

        final Map<PoolKey, Integer> changesByOthers = new HashMap<>();
        Instant throttledUntil = Instant.MIN;
        long leadsSince = -1;
        long lastWithoutLock = -SOON;
        long lastRefusedRetry = -REFUSED;

        /** By the process's monotonic clock. */
        long quotaLowUntil = Long.MIN_VALUE;

        /** When a retry was last admitted or refused: it may have been the last one that the budget allowed. */
        long lastRetry = -REFUSED;

        void shut(Instant until) {
            throttledUntil = until.isAfter(throttledUntil) ? until : throttledUntil;
        }

        void withdrew(long at, boolean admitted) {
            lastRetry = at;
            lastRefusedRetry = admitted ? lastRefusedRetry : at;
        }
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    NoSilentDifference(Scene scene) {
        super(
                "S18 no silent difference",
                "A leader gives a reason for each pool that it has known for two intervals not to hold what is wanted,"
                        + " and the reason is true.",
                scene);
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    // --- what happened ---

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads(SimulatedDaemon daemon, boolean now) -> {
                of(daemon).leadsSince = now ? now() : -1;
                of(daemon).differsSince.clear();
            }
            case Observation.Published(SimulatedDaemon daemon, Fact fact) ->
                published(daemon, of(daemon), fact.pool(), fact);
            case Observation.Put put ->
                of(put.daemon()).sent.put(put.read().key(), put.wanted().addresses());
            case Observation.Answered(var daemon, var purpose, var pool, int status)
            when status == 429 && pool != null -> of(daemon).lastBusy.put(pool.loadBalancer(), now());
            case Observation.QuotaLeft quota
            when PaceIsKept.isLow(quota.left()) ->
                of(quota.daemon()).quotaLowUntil = PaceIsKept.clock(quota.daemon()) + PaceIsKept.LONGEST;
            case Observation.Shut shut -> of(shut.daemon()).shut(shut.until());
            case Observation.Busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) ->
                of(daemon).busyUntil.merge(loadBalancer, until, (a, b) -> a.isAfter(b) ? a : b);
            case Observation.Withdrew(SimulatedDaemon daemon, boolean admitted) ->
                of(daemon).withdrew(now(), admitted);
            case Observation.Written written -> written(written.after(), written.writer());
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, State state, PoolKey pool, Fact fact) {
        switch (fact) {
            case Fact.Began began when began.isRetry() -> state.withdrew(now(), true);
            case Fact.CallEnded call -> callEnds(daemon, state, call);
            case Fact.RetryRefused refused -> state.withdrew(now(), false);
            case Fact.GaveUp gaveUp -> state.givenUp.put(pool, now());
            default -> {}
        }
    }

    private void callEnds(SimulatedDaemon daemon, State state, Fact.CallEnded call) {
        PoolKey pool = call.pool();
        state.lastCall.put(pool.loadBalancer(), now());
        state.lastCallOf.put(pool, now());
        if (call.reply() instanceof Reply.Failed<BackendPool>(Failure failure)) {
            state.lastFailure.put(pool, failure);
            if (failure instanceof Failure.HttpError error && error.status() == 403) {
                state.lastForbidden.put(pool.loadBalancer(), daemon.clock().instant());
            }
        } else if (call instanceof Fact.WriteEnded
                && call.reply() instanceof Reply.Ok<BackendPool>(BackendPool found)
                && !Objects.equals(found.addresses(), state.sent.get(pool))) {
            state.lastFailure.put(pool, NOT_APPLIED);
        } else {
            state.lastFailure.remove(pool);
        }
    }

    private void written(PoolImage after, String writer) {
        for (SimulatedDaemon daemon : scene().daemons()) {
            State state = of(daemon);
            if (daemon.name().equals(writer)) {
                state.written.put(after.key(), after.addresses());
            } else {
                state.changesByOthers.merge(after.key(), 1, Integer::sum);
            }
        }
    }

    // --- the reasons that the process gives ---

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            State state = of(daemon);
            boolean isLockOfEndedTerm = daemon.calls().firstBegan() < state.leadsSince;
            // while an operator has paused all writes, it does not ask for the lock again
            boolean isStillWithout = daemon.isPausedByOperator() && isRecent(state.lastWithoutLock, SOON);
            if (daemon.mayWaitForResourceLock() || isLockOfEndedTerm || isStillWithout) {
                state.lastWithoutLock = now();
            }
            daemon.knowledge().usedPools().stream()
                    .filter(daemon.knowledge()::isPausedInPart)
                    .forEach(pool -> state.lastPaused.put(pool, now()));
            if (daemon.process().isPaused() || daemon.machine().wasOutOfStepSince(now() - TWO_INTERVALS)) {
                state.differsSince.clear();
            } else if (state.leadsSince >= 0 && daemon.isLeader() && !daemon.isStopping()) {
                look(daemon, state);
            }
        }
    }

    private void look(SimulatedDaemon daemon, State state) {
        Set<PoolKey> differing = new HashSet<>();
        Knowledge knowledge = daemon.knowledge();
        for (PoolKey pool : knowledge.usedPools()) {
            AddressSet held = daemon.seen().of(pool);
            if (held != null && !knowledge.isInDoubt(pool) && !held.equals(knowledge.wantedIn(pool))) {
                differing.add(pool);
                state.differsSince.putIfAbsent(pool, now());
            }
        }
        state.differsSince.keySet().retainAll(differing);
        if (!differing.isEmpty()) {
            daemon.engine().pools(knowledge.servicesOf(differing)).stream()
                    .filter(status -> differing.remove(status.pool()))
                    .forEach(status -> judge(daemon, state, status.pool(), status.difference()));
            differing.forEach(pool -> judge(daemon, state, pool, Optional.empty()));
        }
    }

    private void judge(SimulatedDaemon daemon, State state, PoolKey pool, Optional<Difference> given) {
        long since = differsSince(daemon, state, pool);
        boolean isTrue = given.map(difference -> isTrue(daemon, state, pool, difference))
                .orElseGet(() -> !daemon.knowledge().isComplete(pool) // removes nothing, so nothing differs
                        || isWhatOthersWant(daemon, pool));
        if (!isTrue && since <= now() - TWO_INTERVALS) {
            violated(
                    "%s was last seen to hold %s, and %s is wanted, for %s; %s says: %s",
                    pool,
                    String.valueOf(daemon.seen().of(pool)),
                    daemon.knowledge().wantedIn(pool),
                    seconds(now() - since),
                    daemon,
                    given.map(difference -> difference.reason() + ", " + difference.text())
                            .orElse("nothing"));
        }
        if (isTrue && given.filter(NoSilentDifference::endsByItself).isPresent()) {
            state.lastHindered.put(pool, now());
        }
    }

    /** Whether only what a paused Service wanted when its pause began may be missing: the process may count less. */
    private static boolean isWhatOthersWant(SimulatedDaemon daemon, PoolKey pool) {
        AddressSet held = daemon.seen().of(pool);
        return daemon.knowledge().isPausedInPart(pool)
                && held != null
                && daemon.knowledge().activelyWantedIn(pool).minus(held).isEmpty();
    }

    /** Whether an update is queued once the reason no longer holds. */
    private static boolean endsByItself(Difference given) {
        return switch (given.reason()) {
            case HELD, LOCK_HELD, PARKED -> true;
            default -> false;
        };
    }

    /** Not before its Services last changed: until then an incomplete set of another one may have kept the rest. */
    private long differsSince(SimulatedDaemon daemon, State state, PoolKey pool) {
        return Math.max(
                state.differsSince.getOrDefault(pool, now()), daemon.knowledge().usersSince(pool));
    }

    private boolean isTrue(SimulatedDaemon daemon, State state, PoolKey pool, Difference given) {
        return switch (given.why()) {
            case Why.Plain plain -> isTrue(daemon, state, pool, plain);
            case Why.OnHold(HoldCause held) -> isHeld(daemon, state, pool, held);
            case Why.LockHeld lock -> isRecent(state.lastWithoutLock, SOON) || isLockOfAnother(daemon, pool, lock);
            case Why.Parked parked -> isParked(daemon, state, pool, parked);
            case Why.Retrying retrying -> state.lastFailure.containsKey(pool) && mayStartSoon(daemon, state, pool);
            case Why.GaveUp gaveUp ->
                isGivenUp(daemon, state, pool) || state.lastFailure.get(pool) instanceof Failure.NotFound;
            case Why.NotCompared not -> isNotCompared(daemon, state, pool, not);
        };
    }

    private boolean isTrue(SimulatedDaemon daemon, State state, PoolKey pool, Why.Plain why) {
        return switch (why) {
            case INCOMPLETE ->
                !daemon.knowledge().isComplete(pool) || daemon.knowledge().lacksSlice(pool);
            case NOT_LEADING -> false;
            case NOT_LISTED -> daemon.seen().lastListingAsked() <= state.leadsSince;
            case IN_PROGRESS -> isAtWork(daemon, state, pool);
            case SHORT_OF_QUOTA -> PaceIsKept.clock(daemon) < state.quotaLowUntil;
            case QUEUED -> mayStartSoon(daemon, state, pool) || mayHaveBeenQueued(daemon, pool);
        };
    }

    /** Since the last event of a slice, which retries it. */
    private boolean isGivenUp(SimulatedDaemon daemon, State state, PoolKey pool) {
        long event = daemon.knowledge().lastSliceEvent(pool);
        Long givenUp = state.givenUp.get(pool);
        return givenUp != null
                && (givenUp >= event
                        || isRecent(event, SOON)
                        || !daemon.knowledge().isOfOneService(pool));
    }

    /** Before the update was queued it had no reason to ask for the lock, which the holder that it names still has. */
    private boolean isLockOfAnother(SimulatedDaemon daemon, PoolKey pool, Why.LockHeld lock) {
        LockHistory.Hold hold = scene().resourceLock().current();
        return mayHaveBeenQueued(daemon, pool)
                && hold != null
                && lock.holder()
                        .filter(holder -> holder.identity().equals(hold.holder()))
                        .isPresent();
    }

    private boolean isParked(SimulatedDaemon daemon, State state, PoolKey pool, Why.Parked parked) {
        Instant now = daemon.clock().instant();
        boolean isAsked = now.isBefore(state.throttledUntil)
                || now.isBefore(state.busyUntil.getOrDefault(pool.loadBalancer(), Instant.EPOCH))
                || isRecent(state.lastBusy.get(pool.loadBalancer()), SOON);
        return isAsked
                || parked.isUnsent()
                        && state.lastFailure.get(pool) instanceof Failure.Throttled throttled
                        && !throttled.sent();
    }

    private boolean isAtWork(SimulatedDaemon daemon, State state, PoolKey pool) {
        return daemon.calls().isAtWork(pool.loadBalancer()) || isRecent(state.lastCall.get(pool.loadBalancer()), SOON);
    }

    /** Whether its turn has not come yet, or its wait ended a moment ago. */
    private boolean mayStartSoon(SimulatedDaemon daemon, State state, PoolKey pool) {
        return isAtWork(daemon, state, pool)
                || isRecent(state.lastWithoutLock, SOON)
                || isRecent(state.lastRefusedRetry, SOON)
                || PaceIsKept.clock(daemon) < state.quotaLowUntil + SOON
                || isRecent(state.lastHindered.get(pool), SOON)
                || daemon.clock().instant().isBefore(state.throttledUntil.plusNanos(SOON));
    }

    /** Whether a comparison or a change of the wanted addresses may have queued it a moment ago. */
    private boolean mayHaveBeenQueued(SimulatedDaemon daemon, PoolKey pool) {
        Knowledge knowledge = daemon.knowledge();
        AddressSet wanted = knowledge.wantedIn(pool);
        return isRecent(daemon.seen().lastListingEnded(), SOON)
                || isRecent(knowledge.lastSliceChange(pool), SOON)
                || isRecent(knowledge.completenessChanged(pool), SOON)
                || isRecent(knowledge.lastUnwanted(pool), SOON)
                || wanted.stream().anyMatch(address -> isRecent(knowledge.wantedSince(pool, address), SOON));
    }

    private boolean isNotCompared(SimulatedDaemon daemon, State state, PoolKey pool, Why.NotCompared why) {
        long since = Math.max(differsSince(daemon, state, pool), state.lastCallOf.getOrDefault(pool, -1L));
        boolean wasCompared = daemon.seen().lastListingEnded() > since + COMPARED;
        boolean isCauseTrue = why.last().isPresent()
                ? state.lastFailure.containsKey(pool)
                : !why.isChangedByAnother() || !isAsWritten(daemon, state, pool);
        return !wasCompared && isCauseTrue;
    }

    private static boolean isAsWritten(SimulatedDaemon daemon, State state, PoolKey pool) {
        AddressSet written = state.written.get(pool);
        AddressSet held = daemon.seen().of(pool);
        return written != null && held != null && written.equals(held);
    }

    private boolean isRecent(@Nullable Long when, long within) {
        return when != null && when > now() - within;
    }

    private boolean isHeld(SimulatedDaemon daemon, State state, PoolKey pool, HoldCause held) {
        return switch (held.by()) {
            case PAUSE -> daemon.isPausedByOperator();
            case SERVICE_PAUSE -> isRecent(state.lastPaused.get(pool), SOON);
            case FORBIDDEN -> {
                Instant last = state.lastForbidden.getOrDefault(pool.loadBalancer(), Instant.EPOCH);
                yield daemon.clock().instant().isBefore(last.plus(FORBIDDEN));
            }
            case SHARED_POOL -> !daemon.knowledge().isOfOneService(pool);
            case RETRY_BUDGET -> isRecent(state.lastRetry, REFUSED);
            case SAFETY_BRAKE, REMOVAL_WAVE -> {
                AddressSet seen = daemon.seen().of(pool);
                yield seen != null
                        && !seen.minus(daemon.knowledge().wantedIn(pool)).isEmpty();
            }
            case DRIFT -> state.changesByOthers.getOrDefault(pool, 0) >= daemon.driftTimes();
            case AMBIGUOUS -> false;
        };
    }
}

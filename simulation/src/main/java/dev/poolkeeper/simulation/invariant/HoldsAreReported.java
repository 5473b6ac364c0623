package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * S30. Compares Events with the process's own status: a hold is distinguished from others by the instant at which it
 * began, which does not change with its text.
 */
final class HoldsAreReported extends Invariant {

    private static final long EVERY = 500 * Timeline.MILLIS;

    /** A wave of removals is over after an interval, and is not reported. */
    private static final long LONG = 15 * Timeline.SECONDS;

    /** A cause has ended when the pool was in step for so long, at the latest. */
    private static final long FORGOTTEN = 150 * Timeline.SECONDS;

    /** The brake's hold of a pool has ended when the pool was in step for so long: a tick by the slowest clock. */
    private static final long BRAKE_FORGOTTEN = 15 * Timeline.SECONDS;

    /** A hold of a pool by one cause, with the Events about it for each Service. */
    private static final class Hold {
        final Instant since;
        final String guard;
        final long usersSince;
        final Map<ServiceName, Integer> events = new HashMap<>();

        /** @param usersSince a Service that came to the pool later was not told */
        Hold(Instant since, String guard, long usersSince) {
            this.since = since;
            this.guard = guard;
            this.usersSince = usersSince;
        }
    }

    /** That this guard holds the pool. */
    private record Told(PoolKey pool, ServiceName service, String guard) {}

    private static final class State {
        final Map<PoolKey, Hold> holds = new HashMap<>();

        /** When each was last reported. */
        final Map<Told, Long> toldAt = new HashMap<>();

        /** Since when each pool has been held, by whatever cause. */
        final Map<PoolKey, Long> heldSince = new HashMap<>();

        /** The same by the brake alone. */
        final Map<PoolKey, Long> brakedSince = new HashMap<>();

        final Map<PoolKey, Long> inStepSince = new HashMap<>();

        long leadsSince;
        Instant isShutUntil = Instant.MIN;
        long quotaLowUntil = Long.MIN_VALUE;

        /** Who was told since each pool was last in step for long. */
        final Map<PoolKey, Set<ServiceName>> told = new HashMap<>();

        /** The same for holds by the brake, and a shorter time. */
        final Map<PoolKey, Set<ServiceName>> toldByBrake = new HashMap<>();

        void shut(Instant until) {
            isShutUntil = until.isAfter(isShutUntil) ? until : isShutUntil;
        }
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    HoldsAreReported(Scene scene) {
        super(
                "S30 holds are reported",
                "While one cause holds a pool, each of its Services gets one Event for it, however the text changes;"
                    + " and each is informed, if something else than an operator or the Service itself holds the pool"
                    + " for 15 s, unless it was told since the pool was last in step for 150 s; of a hold by the"
                    + " brake, for 15 s.",
                scene);
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads leads -> leads(of(leads.daemon()));
            case Observation.Reported(SimulatedDaemon daemon, ServiceEvent event)
            when event.cause() instanceof ServiceEvent.Cause.Hold hold ->
                reported(daemon, of(daemon), event, hold.guard());
            case Observation.Shut shut -> of(shut.daemon()).shut(shut.until());
            case Observation.Busy busy -> of(busy.daemon()).shut(busy.until());
            case Observation.QuotaLeft quota
            when PaceIsKept.isLow(quota.left()) ->
                of(quota.daemon()).quotaLowUntil = PaceIsKept.clock(quota.daemon()) + PaceIsKept.LONGEST;
            default -> {}
        }
    }

    private void leads(State state) {
        state.holds.clear();
        state.heldSince.clear();
        state.brakedSince.clear();
        state.leadsSince = now();
    }

    private void reported(SimulatedDaemon daemon, State state, ServiceEvent event, String guard) {
        Long before = state.toldAt.put(new Told(event.pool(), event.service(), guard), now());
        if (before != null && before == now()) {
            violated("%s tells %s twice at once that %s is held", daemon, event.service(), event.pool());
        }
        state.told.computeIfAbsent(event.pool(), pool -> new HashSet<>()).add(event.service());
        if (guard.equals(HoldCause.By.SAFETY_BRAKE.name())) {
            state.toldByBrake
                    .computeIfAbsent(event.pool(), pool -> new HashSet<>())
                    .add(event.service());
        }
        Hold current = state.holds.get(event.pool());
        if (current != null && guard.equals(current.guard)) {
            current.events.merge(event.service(), 1, Integer::sum);
        }
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            if (daemon.isLeader() && !daemon.process().isPaused() && !daemon.isStopping()) {
                daemon.engine()
                        .pools(daemon.knowledge().servicesOf(daemon.knowledge().usedPools()))
                        .forEach(pool -> look(daemon, of(daemon), pool));
            }
        }
    }

    private static boolean isByBrake(PoolStatus status) {
        return guard(status).equals(HoldCause.By.SAFETY_BRAKE.name());
    }

    /** What holds the pool; empty for nothing. */
    private static String guard(PoolStatus status) {
        return status.difference()
                .map(difference -> difference.why() instanceof Why.OnHold(HoldCause held)
                        ? held.by().name()
                        : "")
                .orElse("");
    }

    /** Whether no update may be attempted: only an attempt finds out that its pool is held. */
    private static boolean mayNotTry(SimulatedDaemon daemon, State state) {
        boolean isLockOfEndedTerm = daemon.calls().firstBegan() < state.leadsSince;
        return isLockOfEndedTerm
                || daemon.isPausedByOperator()
                || daemon.mayWaitForResourceLock()
                || daemon.clock().instant().isBefore(state.isShutUntil)
                || PaceIsKept.clock(daemon) < state.quotaLowUntil
                || daemon.machine().wasOutOfStepSince(now(daemon) - LONG);
    }

    private static long now(SimulatedDaemon daemon) {
        return daemon.process().timeline().now();
    }

    private void look(SimulatedDaemon daemon, State state, PoolStatus status) {
        PoolKey pool = status.pool();
        Instant since = status.difference()
                .filter(difference -> difference.reason() == Difference.Reason.HELD)
                .flatMap(Difference::since)
                .orElse(null);
        Hold hold = state.holds.get(pool);
        long usersSince = daemon.knowledge().usersSince(pool);
        if (hold != null && since != null && hold.since.equals(since) && hold.usersSince == usersSince) {
            hold.events.forEach((service, times) -> {
                if (times > 1) {
                    violated("%s tells %s %d times that %s is held since %s", daemon, service, times, pool, since);
                }
            });
        } else if (since == null) {
            state.holds.remove(pool);
        } else {
            state.holds.put(pool, new Hold(since, guard(status), usersSince));
        }
        if (status.difference().isPresent()) {
            state.inStepSince.remove(pool);
        } else {
            long inStepSince = state.inStepSince.computeIfAbsent(pool, key -> now());
            if (inStepSince < now() - FORGOTTEN) {
                state.told.remove(pool);
            }
            if (inStepSince < now() - BRAKE_FORGOTTEN) {
                state.toldByBrake.remove(pool);
            }
        }
        boolean isBusy = daemon.calls().isAtWork(pool.loadBalancer());
        String text = status.difference().map(Difference::text).orElse("in step");
        if (since == null
                || isBusy
                || mayNotTry(daemon, state)
                || daemon.knowledge().isPaused(pool)) {
            state.heldSince.remove(pool);
            state.brakedSince.remove(pool);
            return;
        }
        demand(daemon, status, text, state.heldSince.computeIfAbsent(pool, key -> now()), state.told);
        if (isByBrake(status)) {
            demand(daemon, status, text, state.brakedSince.computeIfAbsent(pool, key -> now()), state.toldByBrake);
        } else {
            state.brakedSince.remove(pool);
        }
    }

    private void demand(
            SimulatedDaemon daemon, PoolStatus status, String text, long since, Map<PoolKey, Set<ServiceName>> told) {
        PoolKey pool = status.pool();
        if (since >= now() - LONG || daemon.knowledge().usersSince(pool) >= now() - LONG) {
            return;
        }
        for (ServiceName service : status.services()) {
            if (!told.getOrDefault(pool, Set.of()).contains(service)) {
                violated(
                        "%s has held %s for %s, and has not told %s: %s",
                        daemon, pool, seconds(now() - since), service, text);
            }
        }
    }
}

package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Cause.Attempt;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** S26. Attempts are counted by their requests. */
final class TrueReports extends Invariant {

    private static final long EVERY = 5 * Timeline.SECONDS;

    private record Report(ServiceName service, PoolKey pool) {}

    private static final class State {
        /** The attempts of each pool: when the latest call of each began. */
        final Map<PoolKey, List<Long>> attempts = new HashMap<>();

        /** Pools whose attempt in progress has not sent a request. */
        final Set<PoolKey> silent = new HashSet<>();

        /** Pools with a call in progress. */
        final Set<PoolKey> busy = new HashSet<>();

        /** How many of them came before the last reported success; a paused Service of the pool has none of another. */
        final Map<Report, Integer> updated = new HashMap<>();

        /** When an update was last reported as one that is retried, until its end is reported. */
        final Map<Report, Long> retried = new HashMap<>();
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    TrueReports(Scene scene) {
        super(
                "S26 true reports",
                "An update is reported as attempted at most as often as requests were sent for its pool since its last"
                    + " reported success, or since an address was last added to it, and what is reported as retried is"
                    + " reported again when it ends, unless the pool is gone.",
                scene);
    }

    /** In the model diff, attempts count that were refused before they were sent. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads leads -> states.remove(leads.daemon());
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(of(daemon), fact.pool(), fact);
            case Observation.Sent(var daemon, var purpose, var pool, int attempt)
            when pool != null && of(daemon).silent.remove(pool) ->
                of(daemon)
                        .attempts
                        .computeIfAbsent(pool, key -> new ArrayList<>())
                        .add(now());
            case Observation.Reported(SimulatedDaemon daemon, ServiceEvent event) -> event(daemon, event);
            default -> {}
        }
    }

    private void published(State state, PoolKey pool, Fact fact) {
        switch (fact) {
            case Fact.Began began -> {
                state.busy.add(pool);
                state.silent.add(pool);
            }
            case Fact.Writes writes -> {
                state.busy.add(pool);
                List<Long> attempts = state.attempts.get(pool);
                if (attempts != null) {
                    attempts.set(attempts.size() - 1, now());
                }
            }
            case Fact.CallEnded call -> {
                state.busy.remove(pool);
                if (isGone(call.reply())) { // it is dropped without a report
                    state.retried.keySet().removeIf(report -> report.pool().equals(pool));
                }
            }
            default -> {}
        }
    }

    private void event(SimulatedDaemon daemon, ServiceEvent event) {
        State state = of(daemon);
        Report report = new Report(event.service(), event.pool());
        switch (event.reason()) {
            case RETRYING -> {
                state.retried.put(report, now());
                compare(daemon, event);
            }
            case FAILED -> {
                state.retried.remove(report);
                compare(daemon, event);
            }
            case UPDATED -> {
                state.retried.remove(report);
                state.updated.put(report, attempts(state, event.pool()).size());
            }
            case HELD -> {}
        }
    }

    private static List<Long> attempts(State state, PoolKey pool) {
        return state.attempts.getOrDefault(pool, List.of());
    }

    private void compare(SimulatedDaemon daemon, ServiceEvent event) {
        long changed = daemon.knowledge().lastAddition(event.service(), event.pool());
        List<Long> all = attempts(of(daemon), event.pool());
        int before = of(daemon).updated.getOrDefault(new Report(event.service(), event.pool()), 0);
        List<Long> attempts = all.subList(before, all.size());
        boolean isIncluded = !attempts.isEmpty() && attempts.getLast() >= changed;
        long sent = attempts.stream().filter(at -> !isIncluded || at >= changed).count();
        if (event.cause() instanceof Attempt attempt && isCounted(event, attempt) && attempt.number() > sent) {
            violated("%s reports, after %d attempts of %s: %s", daemon, sent, event.pool(), event.message());
        }
    }

    /** An update may be given up without a request, because of what a listing or an earlier answer said. */
    private static boolean isCounted(ServiceEvent event, Attempt attempt) {
        return event.reason() == ServiceEvent.Reason.RETRYING || attempt.number() == attempt.bound();
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            if (daemon.isLeader() && !daemon.process().isPaused()) {
                of(daemon).retried.keySet().stream()
                        .filter(report -> !of(daemon).busy.contains(report.pool()))
                        .filter(report -> isInStep(daemon, report))
                        .forEach(report -> notReported(daemon, report));
            }
        }
    }

    /** Whether the process itself says that the pool holds what is wanted, and that nothing is queued for it. */
    private static boolean isInStep(SimulatedDaemon daemon, Report report) {
        return daemon.engine().pools(Set.of(report.service())).stream()
                .anyMatch(status -> status.pool().equals(report.pool())
                        && status.difference().isEmpty());
    }

    private void notReported(SimulatedDaemon daemon, Report report) {
        long since = of(daemon).retried.getOrDefault(report, 0L);
        if (daemon.knowledge().usersSince(report.pool()) < since) {
            violated(
                    "%s has reported at %s that it retries the update of %s for %s, and not how that ended",
                    daemon, seconds(since), report.pool(), report.service());
        }
    }

    /** Called some time after faults and changes stopped. */
    void check() {
        for (SimulatedDaemon daemon : scene().daemons()) {
            if (daemon.isLeader()) {
                of(daemon).retried.keySet().stream()
                        .filter(report -> daemon.knowledge().isUsed(report.pool()))
                        .forEach(report -> notReported(daemon, report));
            }
        }
    }
}

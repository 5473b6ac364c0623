package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** S27. The quota is that of the headers of ARM's responses. */
final class PaceIsKept extends Invariant {

    /** How long a figure counts, at most, by the slowest clock. */
    static final long LONGEST = 20 * Timeline.SECONDS;

    /** The age by which a figure counts as one level higher. */
    private static final long STEP = 6 * Timeline.SECONDS;

    /** A choice that was made before a figure may still be carried out, until the next choice. */
    private static final long CHOSEN = 2 * Timeline.SECONDS;

    /** An interval, or almost. */
    private static final long INTERVAL = 4_900 * Timeline.MILLIS;

    private static final int SCARCE = 1;
    private static final int LAST = 2;
    private static final int NONE = 3;

    private record Figure(int level, long at) {
        int level(long clock) {
            return (int) Math.max(0, level - Math.max(0, clock - at) / STEP);
        }
    }

    /** The level that applied until then. */
    private record Former(int level, long until) {}

    private static final class State {
        final Map<String, Figure> figures = new HashMap<>();
        final ArrayDeque<Former> former = new ArrayDeque<>();

        /** When each call in progress began. */
        final Map<PoolKey, Long> calls = new HashMap<>();

        /** When the last two attempts in a row that failed ended, for each pool. */
        final Map<PoolKey, List<Long>> failures = new HashMap<>();

        /** When leadership was last won or lost. */
        long termBegan = Long.MIN_VALUE;

        int level(long clock) {
            return figures.values().stream()
                    .mapToInt(figure -> figure.level(clock))
                    .max()
                    .orElse(0);
        }
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();

    PaceIsKept(Scene scene) {
        super(
                "S27 pace",
                "A pool whose update fails is attempted at most twice in an interval. While ARM reports that nothing is"
                        + " left of the quota, no update starts; while at most ten requests are left, one at a time. A"
                        + " figure counts as one level higher for every six seconds of age.",
                scene);
    }

    /** In the model diff, updates start at ticks. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    /** Whether it is little enough to take turns. */
    static boolean isLow(long left) {
        return level(left) > 0;
    }

    private static int level(long left) {
        return left > 50 ? 0 : left > 10 ? SCARCE : left > 0 ? LAST : NONE;
    }

    /** The monotonic clock of its machine, which stands still while that is suspended. */
    static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.QuotaLeft(var daemon, String kind, long left, boolean isCut) ->
                quotaLeft(daemon, kind, left, isCut);
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(daemon, fact);
            case Observation.Leads leads -> {
                of(leads.daemon()).failures.clear();
                of(leads.daemon()).termBegan = clock(leads.daemon());
            }
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, Fact fact) {
        switch (fact) {
            case Fact.CallBegins call -> {
                if (call instanceof Fact.Began) {
                    attemptBegins(daemon, call.pool());
                }
                of(daemon).calls.put(call.pool(), clock(daemon));
            }
            case Fact.CallEnded call -> callEnds(daemon, call);
            default -> {}
        }
    }

    private void quotaLeft(SimulatedDaemon daemon, String kind, long left, boolean isCut) {
        State state = of(daemon);
        long clock = clock(daemon);
        Figure known = state.figures.get(kind);
        if (isCut && level(left) >= (known == null ? 0 : known.level(clock))) { // it may not know that less is left
            return;
        }
        state.former.add(new Former(state.level(clock), clock));
        while (state.former.getFirst().until() < clock - CHOSEN) {
            state.former.remove();
        }
        state.figures.put(kind, new Figure(level(left), clock));
    }

    /** The most generous level of the last moments. */
    private static int level(State state, long clock) {
        int level = state.level(clock);
        for (Former former : state.former) {
            if (former.until() >= clock - CHOSEN) {
                level = Math.min(level, former.level());
            }
        }
        return level;
    }

    private void attemptBegins(SimulatedDaemon daemon, PoolKey pool) {
        State state = of(daemon);
        long clock = clock(daemon);
        List<Long> failures = state.failures.getOrDefault(pool, List.of());
        if (failures.size() > 1 && clock - failures.getFirst() < INTERVAL) {
            violated(
                    "%s attempts %s a third time, %s after the first failure",
                    daemon, pool, seconds(clock - failures.getFirst()));
        }
        int level = level(state, clock);
        boolean isKnown = !daemon.machine().wasOutOfStepSince(now() - LONGEST);
        if (isKnown && level == NONE) {
            violated("%s starts to update %s, although ARM has reported that no quota is left", daemon, pool);
        } else if (isKnown && level == LAST) {
            state.calls.forEach((other, since) -> {
                if (since < clock - CHOSEN) {
                    violated(
                            "%s starts to update %s during that of %s, although ARM has reported that little quota is"
                                    + " left",
                            daemon, pool, other);
                }
            });
        }
    }

    private void callEnds(SimulatedDaemon daemon, Fact.CallEnded call) {
        State state = of(daemon);
        PoolKey pool = call.pool();
        Long began = state.calls.remove(pool);
        if (began == null || began < state.termBegan) {
            return; // a call of an earlier term, which the queue of this one knows nothing of
        }
        if (call.reply() instanceof Reply.Failed<BackendPool>) {
            List<Long> before = state.failures.getOrDefault(pool, List.of());
            state.failures.put(
                    pool, before.isEmpty() ? List.of(clock(daemon)) : List.of(before.getLast(), clock(daemon)));
        } else if (call instanceof Fact.WriteEnded) {
            state.failures.remove(pool);
        }
    }
}

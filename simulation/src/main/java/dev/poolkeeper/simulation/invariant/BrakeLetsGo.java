package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** S31. What is lost is taken from the bytes of the watches and ARM's responses, at the most that the brake may see. */
final class BrakeLetsGo extends Invariant {

    private static final int PERCENT = 50;
    private static final long EVERY = 500 * Timeline.MILLIS;

    /** A hold of 25 s by the slowest clock, and two intervals: what is let through has to be written. */
    private static final long HOLD = 42 * Timeline.SECONDS;

    /** The window by the slowest clock, an interval, and a write. */
    private static final long WINDOW = 25 * Timeline.SECONDS;

    /** After this time a tick has judged a change, even by a slow clock. */
    private static final long KNOWN = 7 * Timeline.SECONDS;

    private record Entry(PoolKey pool, IpAddress address) {}

    /** What a pool held, how much was wanted in it, and what of it was not. */
    private record Look(long at, int held, int wanted, AddressSet unwanted) {}

    /** A write, which the brake counts until it has ended, and as long after that as any change. */
    private static final class Write {
        final Look before;
        long ended = Long.MAX_VALUE;

        Write(Look before) {
            this.before = before;
        }
    }

    private static final class State {
        final long since;
        final Map<Entry, Long> heldSince = new HashMap<>();
        final Map<PoolKey, ArrayDeque<Look>> looks = new HashMap<>();
        final Map<PoolKey, ArrayDeque<Write>> writes = new HashMap<>();

        /** When each namespace may last have lost too much. */
        final Map<String, Long> lostTooMuch = new HashMap<>();

        /** Pools that are held although their namespaces have lost no more than they may, and since which look. */
        final Map<PoolKey, Long> heldWithinShareSince = new HashMap<>();

        State(long since) {
            this.since = since;
        }
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    BrakeLetsGo(Scene scene) {
        super(
                "S31 brake lets go",
                "The brake holds no address for longer than one hold, whatever happens to others, and none of a"
                    + " namespace that loses no more than the allowed share of its addresses, unless none was wanted"
                    + " in any pool.",
                scene);
    }

    /** In the model diff a removal waits for its operation, and the pool may differ for other reasons. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads leads -> states.remove(leads.daemon());
            case Observation.Published(SimulatedDaemon daemon, Fact.Writes writes) ->
                writeBegins(daemon, writes.pool());
            case Observation.Published(SimulatedDaemon daemon, Fact.WriteEnded written) ->
                writeEnds(daemon, written.pool());
            default -> {}
        }
    }

    private void writeBegins(SimulatedDaemon daemon, PoolKey pool) {
        State state = states.get(daemon);
        AddressSet seen = daemon.seen().of(pool);
        if (state != null && seen != null) {
            state.writes
                    .computeIfAbsent(pool, key -> new ArrayDeque<>())
                    .add(new Write(lookAt(daemon.knowledge(), pool, seen)));
        }
    }

    private void writeEnds(SimulatedDaemon daemon, PoolKey pool) {
        State state = states.get(daemon);
        if (state != null) {
            state.writes.getOrDefault(pool, new ArrayDeque<>()).forEach(it -> it.ended = Math.min(it.ended, now()));
        }
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            if (!daemon.isLeader()
                    || daemon.process().isPaused()
                    || daemon.machine().wasOutOfStepSince(now() - HOLD - WINDOW)) {
                states.remove(daemon);
            } else {
                look(daemon, states.computeIfAbsent(daemon, key -> new State(now())));
            }
        }
    }

    private void look(SimulatedDaemon daemon, State state) {
        Knowledge knowledge = daemon.knowledge();
        Map<String, long[]> lost = new HashMap<>();
        for (PoolKey pool : knowledge.usedPools()) {
            AddressSet seen = daemon.seen().of(pool);
            if (seen != null) {
                ArrayDeque<Look> looks = state.looks.computeIfAbsent(pool, key -> new ArrayDeque<>());
                looks.add(lookAt(knowledge, pool, seen));
                looks.removeIf(look -> look.at() < now() - WINDOW);
                ArrayDeque<Write> writes = state.writes.getOrDefault(pool, new ArrayDeque<>());
                writes.removeIf(write -> write.ended < now() - WINDOW);
                List<Look> all = Stream.concat(looks.stream(), writes.stream().map(write -> write.before))
                        .toList();
                count(knowledge.namespacesOf(pool), all, lost);
            }
        }
        lost.forEach((namespace, sums) -> {
            if (sums[0] * 100 > sums[1] * PERCENT) {
                state.lostTooMuch.put(namespace, now());
            }
        });
        List<BrakedRemoval> braked = daemon.engine().status().holds().braked();
        Set<String> ids = braked.stream().map(BrakedRemoval::id).collect(Collectors.toSet());
        state.heldSince.entrySet().removeIf(held -> !isStillThere(daemon, held.getKey(), held.getValue()));
        List<PoolStatus> held = braked.isEmpty()
                ? List.of()
                : daemon.engine().pools(knowledge.servicesOf(knowledge.usedPools())).stream()
                        .filter(status -> status.difference()
                                .flatMap(Difference::heldRemoval)
                                .filter(ids::contains)
                                .isPresent())
                        .filter(status -> !knowledge.isInDoubt(status.pool()) && knowledge.isComplete(status.pool()))
                        .toList();
        state.heldWithinShareSince
                .keySet()
                .removeIf(
                        pool -> held.stream().noneMatch(status -> status.pool().equals(pool)));
        held.forEach(status -> judge(daemon, state, status));
    }

    /**
     * Of a pool that several namespaces share, each may have lost whatever was not wanted, and have had nothing else.
     */
    private static void count(Set<String> namespaces, List<Look> looks, Map<String, long[]> lost) {
        int least = looks.stream().mapToInt(Look::held).min().orElse(0);
        int most = looks.stream().mapToInt(Look::held).max().orElse(0);
        int wanted = looks.stream().mapToInt(Look::wanted).min().orElse(0);
        AddressSet unwanted = looks.stream().map(Look::unwanted).reduce(AddressSet.empty(), AddressSet::union);
        boolean isShared = namespaces.size() > 1;
        for (String namespace : namespaces) {
            long[] sums = lost.computeIfAbsent(namespace, key -> new long[2]);
            sums[0] += isShared ? unwanted.size() : Math.max(0, most - wanted);
            sums[1] += isShared ? 0 : least;
        }
    }

    /** With as little wanted as there was since the last look: without what left and came back. */
    private Look lookAt(Knowledge knowledge, PoolKey pool, AddressSet seen) {
        AddressSet wanted = knowledge
                .activelyWantedIn(pool)
                .union(knowledge.wantedIn(pool).intersect(seen)); // what a paused Service lacks is not added
        AddressSet cameBack = AddressSet.of(seen.intersect(wanted).stream()
                .filter(address -> knowledge.wantedSince(pool, address) > now() - EVERY)
                .toList());
        return new Look(
                now(),
                seen.size(),
                wanted.size() - cameBack.size(),
                seen.minus(wanted).union(cameBack));
    }

    /** Whether the address is in the pool and was not wanted since; not even for a moment, by whichever Service. */
    private static boolean isStillThere(SimulatedDaemon daemon, Entry entry, long since) {
        AddressSet seen = daemon.seen().of(entry.pool());
        return seen != null
                && seen.contains(entry.address())
                && daemon.knowledge().lastWanted(entry.pool(), entry.address()) <= since
                && daemon.knowledge().usersSince(entry.pool()) <= since;
    }

    private void judge(SimulatedDaemon daemon, State state, PoolStatus status) {
        PoolKey pool = status.pool();
        Knowledge knowledge = daemon.knowledge();
        AddressSet seen = daemon.seen().of(pool);
        if (seen == null || knowledge.usersSince(pool) > now() - HOLD) {
            state.heldWithinShareSince.remove(pool);
            return;
        }
        for (IpAddress address : seen.minus(knowledge.wantedIn(pool))) {
            Entry entry = new Entry(pool, address);
            if (state.heldSince.computeIfAbsent(entry, key -> now()) < now() - HOLD) {
                violated(
                        "the brake of %s has held %s in %s for %s",
                        daemon, address, pool, seconds(now() - state.heldSince.get(entry)));
            }
        }
        Set<String> namespaces = knowledge.namespacesOf(pool);
        // what is held because all pools would be empty is held whatever the share, if only for a moment
        boolean isWithinShare = state.since < now() - HOLD - WINDOW
                && knowledge.lastNoneWanted() < now() - HOLD
                && namespaces.stream().allMatch(one -> state.lostTooMuch.getOrDefault(one, -1L) < now() - HOLD);
        if (!isWithinShare) {
            state.heldWithinShareSince.remove(pool);
        } else if (state.heldWithinShareSince.computeIfAbsent(pool, key -> now()) < now() - KNOWN) {
            violated(
                    "the brake of %s holds %s, although the pools of %s have lost no more than they may: %s",
                    daemon, pool, namespaces, status.difference().orElseThrow().text());
        }
    }
}

package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * S13. Counts only addresses that the process knew to be wanted so recently that no hold can have run out since, and in
 * each pool only as many as it became smaller. Everything is counted in favour of the process, because its brake knows
 * more than the bytes show: removals of writes that failed do not count, what is still to be added to a pool counts as
 * there, the share is that of the largest total that its pools were seen to hold meanwhile, and the smallest must
 * exceed the brake's minimum: pools of Services that left do not count. Only a removal in a namespace that loses more
 * than the share of its own addresses is judged: no other one's makes it wait.
 */
final class Brake extends Invariant {

    private static final int PERCENT = 50;

    /** More than the brake's own minimum, because a pool may hold addresses that were not seen yet. */
    private static final int FEWEST = 26;

    /** Less than the hold, even by a clock that runs ten percent fast. */
    private static final long FRESH = 21 * Timeline.SECONDS;

    /** After this time a tick has judged a change, even if every load balancer is busy, and by a slow clock. */
    private static final long KNOWN = 7 * Timeline.SECONDS;

    /** Less than the window, which is an interval, even by a fast clock. */
    private static final long WINDOW = 4_500 * Timeline.MILLIS;

    /** The window by a slow clock: the process may take an addition for one of its end. */
    private static final long GAINED = 6 * Timeline.SECONDS;

    /** More than the window and a tick, even by a slow clock. */
    private static final long LONG_WINDOW = 15 * Timeline.SECONDS;

    private static final class Write {
        final long at;
        final PoolKey pool;
        final long lost;

        /** What the pool contains after it. */
        final AddressSet after;

        boolean isFailed;

        /** When its response was seen. */
        long ended = Long.MAX_VALUE;

        Write(long at, PoolKey pool, long lost, AddressSet after) {
            this.at = at;
            this.pool = pool;
            this.lost = lost;
            this.after = after;
        }
    }

    /** What the pools were seen to hold. */
    private record Total(long at, Map<PoolKey, Integer> sizes) {

        long addresses() {
            return addressesIn(pool -> true);
        }

        long addressesIn(Predicate<PoolKey> pools) {
            long sum = 0;
            for (Map.Entry<PoolKey, Integer> size : sizes.entrySet()) {
                sum += pools.test(size.getKey()) ? size.getValue() : 0;
            }
            return sum;
        }
    }

    private static final class State {
        final List<Write> writes = new ArrayList<>();
        final List<Total> totals = new ArrayList<>();
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();

    Brake(Scene scene) {
        super(
                "S13 brake",
                "Within a window a process makes pools no smaller, with what it is still to add to them, than by the"
                        + " allowed share of all addresses, except by addresses whose hold is over, that an operator"
                        + " approved, or of a namespace that loses no more than this share of its own.",
                scene);
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    private void noteTotal(SimulatedDaemon daemon) {
        State state = of(daemon);
        while (state.totals.size() > 1 && state.totals.get(1).at() < now() - LONG_WINDOW) {
            state.totals.remove(0); // the first one is the total when the window began
        }
        state.writes.removeIf(write -> Math.min(write.ended, now()) < now() - LONG_WINDOW);
        state.totals.add(
                new Total(now(), daemon.seen().sizesOf(daemon.knowledge().usedPools())));
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact.CallBegins call) -> noteTotal(daemon);
            case Observation.Published(SimulatedDaemon daemon, Fact.CallEnded call) -> callEnds(daemon, call);
            case Observation.Put put -> put(put.daemon(), put.read(), put.wanted());
            default -> {}
        }
    }

    private void callEnds(SimulatedDaemon daemon, Fact.CallEnded call) {
        if (call instanceof Fact.WriteEnded) {
            of(daemon).writes.stream()
                    .filter(one -> one.pool.equals(call.pool()))
                    .reduce((a, b) -> b)
                    .ifPresent(last -> {
                        last.ended = now();
                        last.isFailed = !(call.reply() instanceof Reply.Ok<BackendPool>);
                    });
        }
        noteTotal(daemon);
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        long fresh = 0;
        for (IpAddress address : read.addresses().minus(wanted.addresses())) {
            fresh += isFresh(daemon, read.key(), address) ? 1 : 0;
        }
        long added = wanted.addresses().minus(read.addresses()).size();
        noteTotal(daemon);
        of(daemon).writes.add(new Write(now(), read.key(), fresh - added, wanted.addresses()));
        if (fresh > added && !daemon.hasAgreed() && !daemon.machine().wasOutOfStepSince(now() - LONG_WINDOW)) {
            judge(daemon, read.key(), of(daemon));
        }
    }

    /** Whether its hold cannot have run out. One that came back for less than an interval keeps its earlier hold. */
    private boolean isFresh(SimulatedDaemon daemon, PoolKey pool, IpAddress address) {
        long last = daemon.knowledge().lastWanted(pool, address);
        boolean isWanted = last == Long.MAX_VALUE;
        return last >= 0
                && last > now() - FRESH
                && (isWanted || daemon.knowledge().lastWantedFor(pool, address) > KNOWN);
    }

    private void judge(SimulatedDaemon daemon, PoolKey pool, State state) {
        Map<PoolKey, Long> lost = new HashMap<>();
        for (Write write : state.writes) {
            boolean isRecent = write.at > now() - WINDOW || write.lost < 0 && write.ended > now() - GAINED;
            if (isRecent && !write.isFailed) {
                lost.merge(write.pool, write.lost, Long::sum);
            }
        }
        lost.replaceAll((one, sum) -> sum - stillToAdd(daemon, one, state));
        long all = lostIn(one -> true, lost);
        long most = state.totals.stream().mapToLong(Total::addresses).max().orElse(0);
        long least = state.totals.stream().mapToLong(Total::addresses).min().orElse(0);
        if (least >= FEWEST && all * 100L > most * PERCENT && losesTooMuch(neighbours(daemon, pool), lost, state)) {
            violated(
                    "%s made its pools smaller by %d of %d addresses, of %d at most, that it knew to be wanted within"
                            + " the last %s",
                    daemon, all, least, most, seconds(FRESH));
        }
    }

    private static long stillToAdd(SimulatedDaemon daemon, PoolKey pool, State state) {
        AddressSet there = daemon.seen().of(pool);
        for (Write write : state.writes) {
            if (write.pool.equals(pool) && write.ended == Long.MAX_VALUE) {
                there = write.after;
            }
        }
        AddressSet wanted = daemon.knowledge().activelyWantedIn(pool);
        return wanted.minus(there == null ? AddressSet.empty() : there).size();
    }

    /** The pools of the same namespaces. */
    private static Predicate<PoolKey> neighbours(SimulatedDaemon daemon, PoolKey pool) {
        Set<String> namespaces = daemon.knowledge().namespacesOf(pool);
        return one -> daemon.knowledge().namespacesOf(one).equals(namespaces);
    }

    private static boolean losesTooMuch(Predicate<PoolKey> pools, Map<PoolKey, Long> lost, State state) {
        long most = state.totals.stream()
                .mapToLong(total -> total.addressesIn(pools))
                .max()
                .orElse(0);
        return lostIn(pools, lost) * 100L > most * PERCENT;
    }

    private static long lostIn(Predicate<PoolKey> pools, Map<PoolKey, Long> lost) {
        long sum = 0;
        for (Map.Entry<PoolKey, Long> entry : lost.entrySet()) {
            sum += pools.test(entry.getKey()) ? Math.max(0, entry.getValue()) : 0;
        }
        return sum;
    }
}

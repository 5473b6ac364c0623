package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * S13. Counts only addresses that the process knew to be wanted so recently that no hold can have run out since.
 * Everything is counted in favour of the process, because its brake knows more than the bytes show: removals of writes
 * that failed do not count, the share is that of the largest total that its pools were seen to hold meanwhile, and the
 * smallest must exceed the brake's minimum: pools of Services that left do not count. What left before an address may
 * have been held by itself, so only what left at the same time or later is counted with it.
 */
final class Brake extends Invariant {

    private static final int PERCENT = 50;

    /** More than the brake's own minimum, because a pool may hold addresses that were not seen yet. */
    private static final int FEWEST = 26;

    /** Less than the hold, even by a clock that runs ten percent fast. */
    private static final long FRESH = 21 * Timeline.SECONDS;

    /** After this time a tick has judged a change, even if every load balancer is busy, and by a slow clock. */
    private static final long KNOWN = 7 * Timeline.SECONDS;

    /** After a 403 nothing is sent to a load balancer for at least this time. */
    private static final long REFUSED = 60 * Timeline.SECONDS;

    /** Less than the window, which is an interval, even by a fast clock. */
    private static final long WINDOW = 4_500 * Timeline.MILLIS;

    /** More than the window and a tick, even by a slow clock. */
    private static final long LONG_WINDOW = 15 * Timeline.SECONDS;

    private record Entry(PoolKey pool, IpAddress address) {}

    private static final class Write {
        final long at;
        final PoolKey pool;
        final Map<Entry, Long> fresh = new HashMap<>();

        /** By how many addresses it makes the pool smaller; negative if larger. */
        final int shrinks;

        boolean isFailed;

        Write(long at, PoolImage read, PoolImage wanted) {
            this.at = at;
            this.pool = read.key();
            this.shrinks = read.addresses().size() - wanted.addresses().size();
        }
    }

    private record Total(long at, Map<PoolKey, Integer> sizes) {

        long of(Predicate<PoolKey> which) {
            return sizes.entrySet().stream()
                    .filter(entry -> which.test(entry.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    private static final class State {
        /** When a load balancer last answered 403. */
        final Map<ArmName, Long> refused = new HashMap<>();

        /** When an outcome other than success was last reported for a pool, or ARM said that it does not exist. */
        final Map<PoolKey, Long> troubled = new HashMap<>();

        final List<Write> writes = new ArrayList<>();
        final List<Total> totals = new ArrayList<>();
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();

    Brake(Scene scene) {
        super(
                "S13 brake",
                "If the pools of a namespace, and all pools together, became smaller by more than the allowed share"
                        + " within a window, or would with what has been known for an interval to leave, a process"
                        + " makes none of that namespace's smaller before the hold is over, unless an operator"
                        + " approved.",
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
        state.writes.removeIf(write -> write.at < now() - LONG_WINDOW);
        state.totals.add(
                new Total(now(), daemon.seen().sizesOf(daemon.knowledge().usedPools())));
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        noteTotal(daemon);
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        if (reply instanceof Reply.Failed<BackendPool>(Failure.HttpError error) && error.status() == 403) {
            of(daemon).refused.put(pool.loadBalancer(), now());
        }
        if (reply instanceof Reply.Failed<BackendPool> failed && failed.failure() instanceof Failure.NotFound) {
            of(daemon).troubled.put(pool, now()); // nothing is to be removed from a pool that does not exist
        }
        if (write && !(reply instanceof Reply.Ok<BackendPool>)) {
            of(daemon).writes.stream()
                    .filter(one -> one.pool.equals(pool))
                    .reduce((a, b) -> b)
                    .ifPresent(last -> last.isFailed = true);
        }
        noteTotal(daemon);
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        State state = of(daemon);
        Write write = new Write(now(), read, wanted);
        for (IpAddress address : read.addresses().minus(wanted.addresses())) {
            if (isFresh(daemon, read.key(), address)) {
                write.fresh.put(
                        new Entry(read.key(), address), daemon.knowledge().lastWanted(read.key(), address));
            }
        }
        noteTotal(daemon);
        state.writes.add(write);
        Map<Entry, Long> waiting = waiting(daemon);
        if (write.shrinks > 0 && !daemon.hasAgreed() && !daemon.machine().wasOutOfStepSince(now() - LONG_WINDOW)) {
            write.fresh.entrySet().stream()
                    .filter(entry -> waiting.containsKey(entry.getKey()))
                    .map(Map.Entry::getValue)
                    .min(Long::compare)
                    .ifPresent(since -> judge(daemon, read.key(), waiting, since));
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

    /** Addresses that the process has long known to be undesired, and that only the brake keeps it from removing. */
    private Map<Entry, Long> waiting(SimulatedDaemon daemon) {
        Map<Entry, Long> waiting = new HashMap<>();
        Knowledge knowledge = daemon.knowledge();
        for (PoolKey pool : knowledge.usedPools()) {
            AddressSet held = daemon.seen().of(pool);
            boolean isFree = knowledge.isOfOneService(pool)
                    && knowledge.isComplete(pool)
                    && !knowledge.isPaused(pool)
                    && knowledge.usersSince(pool) < now() - FRESH
                    && of(daemon).refused.getOrDefault(pool.loadBalancer(), -1L) < now() - REFUSED
                    && of(daemon).troubled.getOrDefault(pool, -1L) < now() - FRESH;
            if (held != null && isFree) {
                for (IpAddress address : held) {
                    if (isFresh(daemon, pool, address) && knowledge.lastWanted(pool, address) < now() - KNOWN) {
                        waiting.put(new Entry(pool, address), knowledge.lastWanted(pool, address));
                    }
                }
            }
        }
        return waiting;
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        if (event.reason() != ServiceEvent.Reason.UPDATED) {
            of(daemon).troubled.put(event.pool(), now());
        }
    }

    /** @param since when the first address left of those that are removed now */
    private void judge(SimulatedDaemon daemon, PoolKey pool, Map<Entry, Long> waiting, long since) {
        Map<PoolKey, Long> lost = lost(daemon, waiting, since);
        Knowledge knowledge = daemon.knowledge();
        Predicate<PoolKey> isNear = other -> knowledge.namespacesOf(other).equals(knowledge.namespacesOf(pool));
        if (isTooMuch(daemon, lost, other -> true) && isTooMuch(daemon, lost, isNear)) {
            violated(
                    "%s makes %s smaller; %s are lost, and were known to be wanted within the last %s",
                    daemon, pool, lost, seconds(FRESH));
        }
    }

    private boolean isTooMuch(SimulatedDaemon daemon, Map<PoolKey, Long> lost, Predicate<PoolKey> which) {
        long sum = 0;
        for (Map.Entry<PoolKey, Long> entry : lost.entrySet()) {
            sum += which.test(entry.getKey()) ? entry.getValue() : 0;
        }
        long most = 0;
        long least = Long.MAX_VALUE;
        for (Total total : of(daemon).totals) {
            most = Math.max(most, total.of(which));
            least = Math.min(least, total.of(pool -> true));
        }
        return least >= FEWEST && sum * 100 > most * PERCENT;
    }

    /** How much smaller the pools became, or would, by what left since then. */
    private Map<PoolKey, Long> lost(SimulatedDaemon daemon, Map<Entry, Long> waiting, long since) {
        State state = of(daemon);
        Map<Entry, Long> fresh = new HashMap<>(waiting);
        Map<PoolKey, Integer> written = new HashMap<>();
        for (Write write : state.writes) {
            if (write.at > now() - WINDOW && !write.isFailed) {
                fresh.putAll(write.fresh);
                written.merge(write.pool, write.shrinks, Integer::sum);
            }
        }
        fresh.values().removeIf(left -> left < since);
        Map<PoolKey, Integer> leaving = new HashMap<>();
        fresh.keySet().forEach(entry -> leaving.merge(entry.pool(), 1, Integer::sum));
        Map<PoolKey, Long> lost = new HashMap<>();
        for (Map.Entry<PoolKey, Integer> entry : leaving.entrySet()) {
            PoolKey pool = entry.getKey();
            AddressSet held = daemon.seen().of(pool);
            int shrinks = written.getOrDefault(pool, 0);
            if (held != null && !isWriting(state, pool)) {
                shrinks += held.size() - daemon.knowledge().wantedIn(pool).size();
            }
            lost.put(pool, (long) Math.max(0, Math.min(entry.getValue(), shrinks)));
        }
        return lost;
    }

    /** Its last write may have been seen by nobody yet. */
    private static boolean isWriting(State state, PoolKey pool) {
        return !state.writes.isEmpty() && state.writes.getLast().pool.equals(pool);
    }
}

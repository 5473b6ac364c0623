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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * S13. Counts only addresses that the process knew to be wanted so recently that no hold can have run out since.
 * Everything is counted in favour of the process, because its brake knows more than the bytes show: removals of writes
 * that failed do not count, the share is that of the largest total that its pools were seen to hold meanwhile, and the
 * smallest must exceed the brake's minimum: pools of Services that left do not count.
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
        final Set<Entry> fresh = new HashSet<>();
        boolean isFailed;

        Write(long at, PoolKey pool) {
            this.at = at;
            this.pool = pool;
        }
    }

    private record Total(long at, long addresses) {}

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
                "If more than the allowed share of all addresses was removed within a window or has been known for an"
                        + " interval to leave, a process removes none of them before the hold is over, unless an"
                        + " operator approved.",
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
                new Total(now(), daemon.seen().sizeOf(daemon.knowledge().usedPools())));
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
        Write write = new Write(now(), read.key());
        for (IpAddress address : read.addresses().minus(wanted.addresses())) {
            if (isFresh(daemon, read.key(), address)) {
                write.fresh.add(new Entry(read.key(), address));
            }
        }
        noteTotal(daemon);
        state.writes.add(write);
        Set<Entry> waiting = waiting(daemon);
        if (write.fresh.stream().anyMatch(waiting::contains)
                && !daemon.hasAgreed()
                && !daemon.machine().wasOutOfStepSince(now() - LONG_WINDOW)) {
            judge(daemon, state, waiting);
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
    private Set<Entry> waiting(SimulatedDaemon daemon) {
        Set<Entry> waiting = new HashSet<>();
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
                        waiting.add(new Entry(pool, address));
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

    private void judge(SimulatedDaemon daemon, State state, Set<Entry> waiting) {
        Set<Entry> fresh = new HashSet<>(waiting);
        for (Write write : state.writes) {
            if (write.at > now() - WINDOW && !write.isFailed) {
                fresh.addAll(write.fresh);
            }
        }
        long most = state.totals.stream().mapToLong(Total::addresses).max().orElse(0);
        long least = state.totals.stream().mapToLong(Total::addresses).min().orElse(0);
        if (least >= FEWEST && fresh.size() * 100L > most * PERCENT) {
            violated(
                    "%s removes some of %d addresses, of %d at most, that it knew to be wanted within the last %s",
                    daemon, fresh.size(), most, seconds(FRESH));
        }
    }
}

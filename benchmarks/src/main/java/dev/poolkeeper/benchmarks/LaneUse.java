package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.LaneTimes.Call;
import dev.poolkeeper.benchmarks.LaneTimes.Hold;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a load balancer went, from the begin of its first write to the end of its last one.
 *
 * @param loadBalancer the load balancer
 * @param spent the time of each kind
 */
record LaneUse(ArmName loadBalancer, Map<Kind, Duration> spent) {

    /** What the time was spent for. */
    enum Kind {
        READ("reads"),
        WRITE("writes"),
        /** The resource lock is left to other writers after a long hold. */
        PAUSE("pause for other writers"),
        /** The hold is a minute old, and other load balancers still have calls in progress. */
        HOLD_ENDS("last calls of others"),
        /** No change is older than the gathering time. */
        GATHERING("gathering"),
        /** A guard holds a pool. */
        GUARD("guards"),
        REST("rest");

        final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /**
     * What is known without the engine, beside the calls.
     *
     * @param changes when what is wanted in each pool changed
     * @param gather how long a change waits for others
     * @param held when it was reported that a guard holds a pool
     */
    record Known(
            Map<PoolKey, NavigableSet<Instant>> changes, Duration gather, Map<PoolKey, NavigableSet<Instant>> held) {}

    /** The use of each load balancer that was written. */
    static List<LaneUse> of(LaneTimes times, Known known) {
        Map<ArmName, List<Call>> lanes = new TreeMap<>();
        times.calls()
                .forEach(call -> lanes.computeIfAbsent(call.pool().loadBalancer(), name -> new ArrayList<>())
                        .add(call));
        return lanes.entrySet().stream()
                .filter(lane -> lane.getValue().stream().anyMatch(Call::isWrite))
                .map(lane -> new LaneUse(lane.getKey(), new Lane(times, known, lane.getKey()).spent(lane.getValue())))
                .toList();
    }

    Duration spent(Kind kind) {
        return spent.getOrDefault(kind, Duration.ZERO);
    }

    /** From the first write to the last. */
    Duration total() {
        return spent.values().stream().reduce(Duration.ZERO, Duration::plus);
    }

    /** The share of the time outside of the pauses for other writers that calls took, in percent. */
    double percentInCalls() {
        Duration calls = spent(Kind.READ).plus(spent(Kind.WRITE));
        return 100.0 * calls.toNanos() / total().minus(spent(Kind.PAUSE)).toNanos();
    }

    /** The head of a table of {@link #rows}. */
    static List<String> heading() {
        StringBuilder names = new StringBuilder("| roll of 2,000 pools | load balancer | total |");
        StringBuilder line = new StringBuilder("|---|---|---:|");
        for (Kind kind : Kind.values()) {
            names.append(' ').append(kind.label).append(" |");
            line.append("---:|");
        }
        return List.of(names + " in calls outside of the pauses |", line + "---:|");
    }

    /** The load balancers that calls took the least, the median and the largest share of, in seconds. */
    static List<String> rows(String scenario, List<LaneUse> lanes) {
        List<LaneUse> sorted = lanes.stream()
                .sorted(Comparator.comparingDouble(LaneUse::percentInCalls))
                .toList();
        return List.of(
                sorted.getFirst().row(scenario, "least used"),
                sorted.get((sorted.size() - 1) / 2).row("", "median"),
                sorted.getLast().row("", "most used"));
    }

    private String row(String scenario, String which) {
        StringBuilder row = new StringBuilder("| %s | %s | %s |".formatted(scenario, which, seconds(total())));
        for (Kind kind : Kind.values()) {
            row.append(' ').append(seconds(spent(kind))).append(" |");
        }
        return row.append(String.format(Locale.ROOT, " %.1f %% |", percentInCalls()))
                .toString();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%,.1f", duration.toMillis() / 1e3);
    }

    /** Divides the time of one load balancer. */
    private static final class Lane {

        private final List<Hold> holds;
        private final Known known;
        private final List<PoolKey> pools;
        private final Map<PoolKey, Instant> written = new HashMap<>();
        private final Map<Kind, Duration> spent = new EnumMap<>(Kind.class);

        Lane(LaneTimes times, Known known, ArmName name) {
            this.holds = times.holds();
            this.known = known;
            this.pools = known.changes().keySet().stream()
                    .filter(pool -> pool.loadBalancer().equals(name))
                    .toList();
        }

        /** @param calls those of the load balancer, one after another */
        Map<Kind, Duration> spent(List<Call> calls) {
            Map<Kind, Duration> untilLastWrite = Map.of();
            Instant last = Instant.MAX;
            for (Call call : calls) {
                if (last.isBefore(call.begin())) {
                    idle(last, call.begin());
                }
                if (call.isWrite()) {
                    written.put(call.pool(), call.begin());
                    add(Kind.WRITE, call.begin(), call.end());
                    untilLastWrite = Map.copyOf(spent);
                } else if (!written.isEmpty()) {
                    add(Kind.READ, call.begin(), call.end());
                }
                last = written.isEmpty() ? Instant.MAX : call.end();
            }
            return untilLastWrite;
        }

        private void add(Kind kind, Instant from, Instant to) {
            spent.merge(kind, Duration.between(from, to), Duration::plus);
        }

        private void idle(Instant from, Instant to) {
            Instant due = pools.stream().map(this::due).min(Instant::compareTo).orElse(Instant.MAX);
            NavigableSet<Instant> ends = new TreeSet<>(List.of(to, due));
            for (Hold hold : holds) {
                ends.add(hold.old());
                ends.add(hold.end());
                ends.add(hold.pauseEnd());
            }
            Instant begin = from;
            for (Instant end : ends.subSet(from, false, to, true)) {
                add(kind(begin, due), begin, end);
                begin = end;
            }
        }

        /** What the time from now on is spent for. */
        private Kind kind(Instant now, Instant due) {
            for (Hold hold : holds) {
                if (isWithin(now, hold.old(), hold.end())) {
                    return Kind.HOLD_ENDS;
                }
                if (isWithin(now, hold.end(), hold.pauseEnd())) {
                    return Kind.PAUSE;
                }
            }
            return now.isBefore(due)
                    ? Kind.GATHERING
                    : pools.stream().anyMatch(pool -> isHeld(pool, now)) ? Kind.GUARD : Kind.REST;
        }

        private static boolean isWithin(Instant now, Instant from, Instant until) {
            return !now.isBefore(from) && now.isBefore(until);
        }

        /** When the first change of the pool that no write has included is old enough. */
        private Instant due(PoolKey pool) {
            Instant change = after(known.changes(), pool);
            return change == null ? Instant.MAX : change.plus(known.gather());
        }

        private boolean isHeld(PoolKey pool, Instant now) {
            Instant reported = after(known.held(), pool);
            return reported != null && !now.isBefore(reported);
        }

        /** The first of these after the pool's last write. */
        private @Nullable Instant after(Map<PoolKey, NavigableSet<Instant>> instants, PoolKey pool) {
            return instants.getOrDefault(pool, new TreeSet<>()).higher(written.getOrDefault(pool, Instant.MIN));
        }
    }
}

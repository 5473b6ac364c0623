package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * How soon changes can be written at best if all of them are known in advance, a load balancer writes one pool at a
 * time, and the subscription has a quota. A change is written in time if a write of its pool begins after it, and ends
 * in time; one write includes all changes of its pool so far. In any stretch of time a load balancer begins as many
 * writes as fit one after another, and no more than the quota allows. Of the changes in that stretch these writes
 * include at most those of the pools with the most of them. No schedule is better than that, and a real one may be
 * worse. It shares no code with the engine. All times are in nanoseconds. Immutable.
 */
final class LaneBound {

    /** The time is divided into 1, 2, 4, … stretches of equal length, of which the strictest division counts. */
    private static final int DIVISIONS = 8;

    private final Map<ArmName, List<long[]>> lanes = new HashMap<>();
    private final List<long[]> all = new ArrayList<>();
    private final long write;
    private final LongUnaryOperator laneAllows;
    private final LongUnaryOperator quotaAllows;
    private final int count;

    /**
     * @param changes the instants of the changes of each pool
     * @param read the time of a read, which precedes each write
     * @param write the time of a write
     * @param quotaAllows how many writes may begin within a stretch of this length at most
     */
    LaneBound(
            Map<PoolKey, ? extends Collection<Instant>> changes,
            Duration read,
            Duration write,
            LongUnaryOperator quotaAllows) {
        this.write = write.toNanos();
        this.quotaAllows = quotaAllows;
        long apart = read.plus(write).toNanos();
        this.laneAllows = length -> length / apart + 1;
        changes.forEach((pool, instants) -> {
            long[] its = instants.stream()
                    .mapToLong(at -> Duration.between(Instant.EPOCH, at).toNanos())
                    .sorted()
                    .toArray();
            lanes.computeIfAbsent(pool.loadBalancer(), name -> new ArrayList<>())
                    .add(its);
            all.add(its);
        });
        this.count = all.stream().mapToInt(its -> its.length).sum();
    }

    int count() {
        return count;
    }

    /** The shortest time within which this percentage of the changes can be written, to the millisecond. */
    Duration percentile(int percent) {
        int rank = (count * percent + 99) / 100;
        long low = 0;
        long high = Duration.ofDays(1).toMillis();
        while (low < high) {
            long middle = (low + high) / 2;
            if (writtenWithin(Duration.ofMillis(middle).toNanos()) >= rank) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Duration.ofMillis(low);
    }

    /** The most changes that can be written in this time each. */
    private long writtenWithin(long time) {
        long window = time - write; // a write that begins within it after the change ends in time
        if (window < 0) {
            return 0;
        }
        long byLanes = lanes.values().stream()
                .mapToLong(pools -> most(pools, window, laneAllows))
                .sum();
        boolean isEndless = quotaAllows.applyAsLong(0) == Long.MAX_VALUE;
        return isEndless ? byLanes : Math.min(byLanes, most(all, window, quotaAllows));
    }

    private static long most(List<long[]> pools, long window, LongUnaryOperator allows) {
        long first = pools.stream().mapToLong(its -> its[0]).min().orElseThrow();
        long last = pools.stream().mapToLong(its -> its[its.length - 1]).max().orElseThrow();
        long least = Long.MAX_VALUE;
        for (int division = 0; division < DIVISIONS; division++) {
            long length = ((last - first) >> division) + 1;
            long sum = 0;
            for (long from = first; from <= last; from += length) {
                sum += included(pools, from, length, window, allows.applyAsLong(length - 1 + window));
            }
            least = Math.min(least, sum);
        }
        return least;
    }

    /** How many of the changes in this stretch so many writes include at most. */
    private static long included(List<long[]> pools, long from, long length, long window, long writes) {
        List<Integer> gains = new ArrayList<>();
        for (long[] its : pools) {
            gains(its, index(its, from), index(its, from + length), window, gains);
        }
        gains.sort(Collections.reverseOrder());
        return gains.stream().limit(writes).mapToLong(Integer::intValue).sum();
    }

    private static int index(long[] sorted, long at) {
        int found = Arrays.binarySearch(sorted, at);
        return found < 0 ? -found - 1 : found;
    }

    /** How many more of a pool's changes each further write includes at best. */
    private static void gains(long[] its, int from, int to, long window, List<Integer> gains) {
        int[] before = new int[to - from + 1];
        while (before[to - from] < to - from) {
            int[] now = new int[to - from + 1]; // of the first changes, with one write more
            int begin = from;
            for (int last = from; last < to; last++) {
                while (its[last] - its[begin] > window) {
                    begin++;
                }
                now[last - from + 1] = Math.max(now[last - from], before[begin - from] + last - begin + 1);
            }
            gains.add(now[to - from] - before[to - from]);
            before = now;
        }
    }
}

package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** How much smaller writes made each pool within a window of time that ends now. Guarded by the brake. */
final class RecentWrites {

    private record Write(Instant at, PoolKey pool, long fewer, long counted) {}

    private final Duration window;
    private final Deque<Write> writes = new ArrayDeque<>();

    /** The sums for each pool; none is 0. */
    private final Map<PoolKey, Long> fewer = new HashMap<>();

    private final Map<PoolKey, Long> counted = new HashMap<>();

    RecentWrites(Duration window) {
        this.window = window;
    }

    /**
     * @param lost how many addresses fewer the pool holds; negative for more
     * @param excused how many of them do not count
     */
    void add(Instant now, PoolKey pool, long lost, long excused) {
        Write write = new Write(now, pool, lost, lost - Math.clamp(lost, 0, excused));
        writes.add(write);
        sum(fewer, pool, write.fewer());
        sum(counted, pool, write.counted());
    }

    /** Call this before any of the queries below. */
    void forgetOld(Instant now) {
        Instant begin = now.minus(window);
        while (!writes.isEmpty() && !writes.peek().at().isAfter(begin)) {
            Write old = writes.remove();
            sum(fewer, old.pool(), -old.fewer());
            sum(counted, old.pool(), -old.counted());
        }
    }

    private static void sum(Map<PoolKey, Long> sums, PoolKey pool, long more) {
        sums.merge(pool, more, (before, now) -> before + now == 0 ? null : before + now);
        sums.remove(pool, 0L);
    }

    /** How many addresses fewer the pool holds now than when the window began; negative for more. */
    long fewer(PoolKey pool) {
        return fewer.getOrDefault(pool, 0L);
    }

    /** The same without those that do not count. */
    long counted(PoolKey pool) {
        return counted.getOrDefault(pool, 0L);
    }
}

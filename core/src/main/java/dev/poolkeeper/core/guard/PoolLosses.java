package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pools of the safety brake, and the sums of what they lose, in which a pool that changes is counted again. Guarded
 * by the brake.
 */
final class PoolLosses {

    private record Write(Instant at, Stake stake, long fewer, long counted) {}

    private final Pools known;
    private final Prospect.Maker prospects;
    private final Duration window;
    private final Map<PoolKey, PoolLoss> pools = new HashMap<>();

    /** Whether all may have changed. */
    private boolean allChanged = true;

    /** Those that changed since they were looked at, unless all did. */
    private final Set<PoolKey> changed = new LinkedHashSet<>();

    /** Those with addresses to be removed that no other guard holds. */
    private final Set<Stake> removing = new LinkedHashSet<>();

    /** Those that differ from what the sums contain of them. */
    private final Set<PoolLoss> uncounted = new LinkedHashSet<>();

    /** Those whose plans are to be looked up when the next tick begins. */
    private final Set<PoolKey> unplanned = new LinkedHashSet<>();

    private final Deque<Write> writes = new ArrayDeque<>();
    private final Losses sums = new Losses();

    /** The number of pools in which an address is wanted. */
    private int wanted;

    /** The number of pools that contained an address when the window began. */
    private int filled;

    PoolLosses(Pools known, Prospect.Maker prospects, Duration window) {
        this.known = known;
        this.prospects = prospects;
        this.window = window;
        known.onChange(this::changed);
    }

    private void changed(PoolKey key) {
        if (!allChanged) {
            changed.add(key);
        }
    }

    PoolLoss get(PoolKey key) {
        return pools.computeIfAbsent(key, this::unknown);
    }

    /** Only to be looked at. */
    PoolLoss find(PoolKey key) {
        PoolLoss pool = pools.get(key);
        return pool == null ? unknown(key) : pool;
    }

    private PoolLoss unknown(PoolKey key) {
        return new PoolLoss(known.get(key), uncounted);
    }

    void allChanged() {
        allChanged = true;
        changed.clear();
    }

    /** Takes the sizes of the pools that changed. */
    void resize() {
        if (allChanged) {
            allChanged = false;
            changed.addAll(pools.keySet());
            known.all().forEach(pool -> changed.add(pool.key()));
        }
        for (PoolKey key : changed) {
            get(key).is(known.get(key));
        }
        unplanned.addAll(changed);
        changed.clear();
    }

    /** Takes sizes and plans of the pools that changed, and of those that another guard holds. */
    void plan() {
        resize();
        List<PoolKey> now = List.copyOf(unplanned);
        unplanned.clear();
        for (PoolKey key : now) {
            PoolLoss pool = get(key);
            pool.plan(prospects);
            if (pool.isHeldByAnother()) {
                unplanned.add(key);
            }
        }
    }

    /** The next tick is to look at its plans again. */
    void planAgain(PoolKey key) {
        unplanned.add(key);
    }

    /** Nothing waits any more, and nothing needs to be known until it does. */
    void clear() {
        allChanged();
        unplanned.clear();
        pools.values().forEach(PoolLoss::clear);
        sums();
    }

    /**
     * A write was seen to have succeeded. What a removal let through is no loss of any stake, so all forget it last.
     */
    void written(Instant now, PoolLoss pool, AddressSet removed, AddressSet added) {
        for (Stake stake : pool.stakes()) {
            AddressSet gone = stake.of(removed);
            int fewer = gone.size() - stake.of(added).size();
            long excused = gone.intersect(stake.excused()).size();
            Write write = new Write(now, stake, fewer, fewer - Math.clamp(fewer, 0, excused));
            writes.add(write);
            stake.written(1, write.fewer(), write.counted());
        }
        pool.stakes().forEach(stake -> stake.removed(removed));
    }

    /** Forgets what was written before the window. */
    void forgetOld(Instant now) {
        Instant begin = now.minus(window);
        while (!writes.isEmpty() && !writes.peek().at().isAfter(begin)) {
            Write old = writes.remove();
            old.stake().written(-1, -old.fewer(), -old.counted());
        }
    }

    /** What all pools lose. */
    Losses sums() {
        for (PoolLoss pool : uncounted) {
            count(pool.counted, -1);
            pool.counted = pool.summand();
            count(pool.counted, 1);
            pool.stakes().forEach(this::count);
            pool.forgetGone();
            if (pool.isForgettable()) {
                pools.remove(pool.key, pool);
            }
        }
        uncounted.clear();
        return sums;
    }

    private void count(PoolLoss.Summand pool, int times) {
        wanted += pool.isWanted() ? times : 0;
        filled += pool.isFilled() ? times : 0;
    }

    private void count(Stake stake) {
        sums.add(stake.namespace, -stake.counted.lost(), -stake.counted.all());
        stake.counted = stake.summand();
        sums.add(stake.namespace, stake.counted.lost(), stake.counted.all());
        if (stake.removals().isEmpty()) {
            removing.remove(stake);
        } else {
            removing.add(stake);
        }
    }

    /** Those with addresses to be removed that no other guard holds, after {@link #sums}. */
    Set<Stake> removing() {
        return removing;
    }

    /** Whether any Service wants an address, after {@link #sums}. */
    boolean isAnyWanted() {
        return wanted > 0;
    }

    /** Whether several pools contained addresses when the window began, and no Service wants any address now. */
    boolean isAllLost() {
        return wanted == 0 && filled >= 2;
    }
}

package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pools of the safety brake, and the sums of what they lose, in which a pool that changes is counted again. Guarded
 * by the brake.
 */
final class PoolLosses {

    private record Write(Instant at, Stake stake, long fewer, long counted) {}

    private final Pools known;
    private final Function<Pool, List<Plan>> plans;
    private final Guards others;
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

    /**
     * @param plans of the updates of a pool that wait, are parked or are in progress; quick, since a lock is held
     * @param others the guards before the brake
     */
    PoolLosses(Pools known, Function<Pool, List<Plan>> plans, Guards others, Duration window) {
        this.known = known;
        this.plans = plans;
        this.others = others;
        this.window = window;
        known.onChange(this::changed);
    }

    private void changed(PoolKey key) {
        if (!allChanged) {
            changed.add(key);
        }
    }

    PoolLoss get(PoolKey key) {
        return pools.computeIfAbsent(key, it -> new PoolLoss(known.get(it), uncounted));
    }

    /** Null if nothing is counted of it. */
    @Nullable
    PoolLoss find(PoolKey key) {
        return pools.get(key);
    }

    boolean isHeld(PoolKey key) {
        PoolLoss pool = find(key);
        return pool != null && pool.isHeld();
    }

    void allChanged() {
        allChanged = true;
        changed.clear();
    }

    /** Takes the sizes of the pools that changed. */
    private void resize() {
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
            List<Plan> waiting = plans.apply(known.get(key));
            List<Plan> released = others.released(waiting);
            get(key).plan(served(waiting), served(released));
            if (!released.equals(waiting)) {
                unplanned.add(key);
            }
        }
    }

    private static List<Plan> served(List<Plan> plans) {
        return plans.stream().map(Plan::served).toList();
    }

    /** An update was queued, or its plan changed by a read, after the tick began. */
    boolean learn(Plan plan) {
        boolean isNews = get(plan.pool()).learn(plan);
        if (isNews) {
            unplanned.add(plan.pool());
            resize();
        }
        return isNews;
    }

    /** Its contents changed. */
    void contains(PoolLoss pool, AddressSet now) {
        pool.contains(now);
        unplanned.add(pool.key);
    }

    /** Nothing waits any more, and nothing needs to be known until it does. */
    void clear() {
        allChanged();
        unplanned.clear();
        pools.values().forEach(PoolLoss::clear);
        sums();
    }

    /** A write was seen to have succeeded. */
    void written(Instant now, PoolLoss pool, AddressSet removed, AddressSet added) {
        for (Stake stake : pool.stakes) {
            AddressSet gone = stake.of(removed);
            int fewer = gone.size() - stake.of(added).size();
            long excused = gone.intersect(stake.excused()).size();
            Write write = new Write(now, stake, fewer, fewer - Math.clamp(fewer, 0, excused));
            writes.add(write);
            stake.written(1, write.fewer(), write.counted());
        }
        pool.removed(removed); // last: what a removal let through is no loss of any stake
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
            wanted -= pool.isCountedAsWanted ? 1 : 0;
            pool.isCountedAsWanted = pool.isWanted();
            wanted += pool.isCountedAsWanted ? 1 : 0;
            pool.stakes.forEach(this::count);
            pool.forgetGone();
            if (pool.isForgettable()) {
                pools.remove(pool.key, pool);
            }
        }
        uncounted.clear();
        return sums;
    }

    private void count(Stake stake) {
        Losses.Share now = stake.summand();
        sums.add(stake.namespace, now.lost() - stake.counted.lost(), now.all() - stake.counted.all());
        stake.counted = now;
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
        return wanted == 0
                && pools.values().stream().filter(PoolLoss::wasFilled).limit(2).count() == 2;
    }
}

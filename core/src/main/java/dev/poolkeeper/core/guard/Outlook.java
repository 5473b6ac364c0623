package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pools as they are known to be, and what would become of them: what waits to be written, what is being written,
 * and what was written within the window. Guarded by the brake.
 */
final class Outlook {

    private final Supplier<LocalPoolSizes> sizes;
    private final RecentWrites recent;

    /** What waits, including what another guard holds. */
    private Map<PoolKey, Plan> waiting = new HashMap<>();

    /** What waits and is held by no other guard. */
    private Map<PoolKey, Plan> going = new HashMap<>();

    private final Map<PoolKey, Plan> inProgress = new HashMap<>();

    /** Null until needed. */
    private @Nullable LocalPoolSizes known;

    Outlook(Supplier<LocalPoolSizes> sizes, RecentWrites recent) {
        this.sizes = sizes;
        this.recent = recent;
    }

    void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
        waiting = byPool(plans);
        going = byPool(release);
        known = null;
    }

    private static Map<PoolKey, Plan> byPool(Collection<Plan> plans) {
        Map<PoolKey, Plan> merged = new HashMap<>();
        plans.forEach(plan -> merged.merge(plan.pool(), plan, Outlook::both));
        return merged;
    }

    /** Two plans for one pool, both built from the same contents. */
    private static Plan both(Plan one, Plan other) {
        return one.withPlanned(one.held()
                .minus(one.removals())
                .minus(other.removals())
                .union(one.additions())
                .union(other.additions()));
    }

    /** A plan that other guards let through. Returns whether anything in it was not known. */
    boolean learn(Plan plan) {
        Plan before = going.get(plan.pool());
        Plan after = before == null ? plan : withRemovals(plan, before.removals());
        if (before != null && after.equals(before)) {
            return false;
        }
        going.put(plan.pool(), after);
        waiting.put(plan.pool(), after);
        known = null;
        return true;
    }

    /** What was to be removed still is, as far as the pool holds it. */
    private static Plan withRemovals(Plan plan, AddressSet before) {
        return plan.withPlanned(plan.planned().minus(before.minus(plan.additions())));
    }

    /** The contents of a pool changed. */
    void holds(PoolKey pool, AddressSet now) {
        waiting.computeIfPresent(pool, (key, plan) -> rebased(plan, now));
        going.computeIfPresent(pool, (key, plan) -> rebased(plan, now));
    }

    private static Plan rebased(Plan plan, AddressSet now) {
        return new Plan(
                plan.pool(), plan.services(), now, now.minus(plan.removals()).union(plan.additions()));
    }

    void writeBegins(Plan plan) {
        inProgress.put(plan.pool(), plan);
    }

    void writeEnded(PoolKey pool) {
        inProgress.remove(pool);
    }

    /** Nothing waits any more. */
    void clear() {
        waiting = new HashMap<>();
        going = new HashMap<>();
        known = null;
    }

    /** All addresses that are to be removed, including those that another guard holds. */
    PoolAddresses removals() {
        PoolAddresses removals = new PoolAddresses();
        waiting.values().forEach(plan -> removals.add(plan.pool(), plan.removals()));
        return removals;
    }

    /** Whether any address is to be removed that no other guard holds. */
    boolean removesAny() {
        return going.values().stream().anyMatch(plan -> !plan.removals().isEmpty());
    }

    /** The pools with anything to be done that no other guard holds. */
    Set<PoolKey> pools() {
        return going.keySet();
    }

    /** The addresses to be removed from a pool that no other guard holds. */
    AddressSet removals(PoolKey pool) {
        Plan plan = going.get(pool);
        return plan == null ? AddressSet.empty() : plan.removals();
    }

    /** The addresses to be added to a pool that no other guard holds. */
    AddressSet additions(PoolKey pool) {
        Plan plan = going.get(pool);
        Plan writing = inProgress.get(pool);
        AddressSet waitingOnes = plan == null ? AddressSet.empty() : plan.additions();
        return writing == null ? waitingOnes : waitingOnes.union(writing.additions());
    }

    boolean isAnyWanted() {
        return known().isAnyWanted();
    }

    /** Whether several pools held addresses when the window began, and no Service wants any address now. */
    boolean isAllLost() {
        return !isAnyWanted()
                && all().stream().filter(pool -> sizeBefore(pool) > 0).count() >= 2;
    }

    /**
     * What would be lost.
     *
     * @param stay the addresses of a pool that stay although they are to be removed
     */
    Losses losses(Function<PoolKey, AddressSet> stay) {
        Losses losses = new Losses();
        for (PoolKey pool : all()) {
            losses.add(namespace(pool), lost(pool, stay.apply(pool)), sizeBefore(pool));
        }
        return losses;
    }

    /** How much smaller the pool would be than when the window began. */
    long lost(PoolKey pool, AddressSet stay) {
        AddressSet removed = removals(pool).minus(stay);
        Plan writing = inProgress.get(pool);
        if (writing != null) {
            removed = removed.union(writing.removals());
        }
        return Math.max(
                0, recent.counted(pool) + removed.size() - additions(pool).size());
    }

    /** How many addresses the pool held when the window began. */
    private long sizeBefore(PoolKey pool) {
        return Math.max(0, sizeNow(pool) + recent.fewer(pool));
    }

    /** How many addresses the pool held when the window began, without those whose loss does not count. */
    long countedBefore(PoolKey pool) {
        return Math.max(0, sizeNow(pool) + recent.counted(pool));
    }

    /** How many addresses the pool would hold without these, once what waits is added. */
    long sizeWithout(PoolKey pool, AddressSet removed) {
        return sizeNow(pool) - removed.size() + additions(pool).size();
    }

    /** What is being written still counts as held: a listing may show the result before the write has ended. */
    private long sizeNow(PoolKey pool) {
        Plan writing = inProgress.get(pool);
        if (writing != null) {
            return writing.held().size();
        }
        Plan plan = waiting.get(pool);
        if (plan != null) {
            return plan.held().size();
        }
        LocalPoolSizes.Size size = known().pools().get(pool);
        return size == null ? 0 : size.addresses();
    }

    /** The namespaces of the Services that share the pool, nearly always one. */
    String namespace(PoolKey pool) {
        LocalPoolSizes.Size size = known().pools().get(pool);
        Plan plan = waiting.get(pool);
        if (size != null || plan == null) {
            return size == null ? "" : size.namespace();
        }
        return LocalPoolSizes.namespaceOf(plan.services().stream().map(ServiceName::namespace));
    }

    private Set<PoolKey> all() {
        Set<PoolKey> pools = new HashSet<>(known().pools().keySet());
        pools.addAll(going.keySet());
        return pools;
    }

    private LocalPoolSizes known() {
        LocalPoolSizes now = known;
        if (now == null) {
            now = sizes.get();
            known = now;
        }
        return now;
    }
}

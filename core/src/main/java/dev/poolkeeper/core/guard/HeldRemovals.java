package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The removals that the brake holds, or has let through but that are not done yet. Guarded by the brake. */
final class HeldRemovals {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    private final Outlook outlook;
    private final InstantSource clock;

    /** Oldest first. */
    private final List<HeldRemoval> all = new ArrayList<>();

    private Set<String> passed = Set.of();
    private Set<String> agreed = Set.of();

    HeldRemovals(Outlook outlook, InstantSource clock) {
        this.outlook = outlook;
        this.clock = clock;
    }

    void add(HeldRemoval removal) {
        all.add(removal);
    }

    void clear() {
        all.clear();
    }

    /** Forgets the addresses that are no longer to be removed. */
    void retainAll(PoolAddresses wanted) {
        all.forEach(removal -> removal.members.retainAll(wanted));
        all.removeIf(HeldRemovals::isOver);
    }

    private static boolean isOver(HeldRemoval removal) {
        boolean isOver = removal.members.isEmpty();
        if (isOver && !removal.isLetThrough()) {
            log.atInfo().addKeyValue("id", removal.id).log("Held removal is no longer wanted");
        }
        return isOver;
    }

    /** The pools with addresses that belong to any. */
    Set<PoolKey> pools() {
        return all.stream().flatMap(removal -> removal.members.pools().stream()).collect(Collectors.toSet());
    }

    void remove(PoolKey pool, AddressSet addresses) {
        all.forEach(removal -> removal.members.remove(pool, addresses));
    }

    /** Those that are not let through, oldest first. */
    Stream<HeldRemoval> waiting() {
        return all.stream().filter(removal -> !removal.isLetThrough());
    }

    /** The newest that holds an address of this plan. */
    Optional<HeldRemoval> holding(Plan plan) {
        return undue(plan).reduce((older, newer) -> newer);
    }

    /** The removals of this plan that are held. */
    AddressSet held(Plan plan) {
        return undue(plan)
                .map(removal -> plan.removals().intersect(removal.held(plan.pool(), outlook)))
                .reduce(AddressSet.empty(), AddressSet::union);
    }

    private Stream<HeldRemoval> undue(Plan plan) {
        Instant now = clock.instant();
        return all.stream()
                .filter(removal -> !isDue(removal, now))
                .filter(removal -> !plan.removals()
                        .intersect(removal.held(plan.pool(), outlook))
                        .isEmpty());
    }

    boolean isHolding(PoolKey pool) {
        return all.stream().anyMatch(removal -> !removal.held(pool, outlook).isEmpty());
    }

    /** The addresses of a pool that are held or do not count. */
    AddressSet kept(PoolKey pool) {
        return union(removal -> removal.kept(pool));
    }

    /** The addresses of a pool that do not count as lost. */
    AddressSet excused(PoolKey pool) {
        return union(removal -> removal.excused(pool, outlook));
    }

    /** The addresses of a pool that belong to any. */
    AddressSet members(PoolKey pool) {
        return union(removal -> removal.members.of(pool));
    }

    private AddressSet union(Function<HeldRemoval, AddressSet> some) {
        AddressSet union = AddressSet.empty();
        for (HeldRemoval removal : all) {
            union = union.union(some.apply(removal));
        }
        return union;
    }

    /** Returns whether any was let through. */
    boolean letThroughDue() {
        Instant now = clock.instant();
        List<HeldRemoval> due = waiting().filter(removal -> isDue(removal, now)).toList();
        for (HeldRemoval removal : due) {
            removal.letThrough();
            log.atWarn()
                    .addKeyValue("id", removal.id)
                    .log(
                            agreed.contains(removal.id)
                                    ? "Held removal was approved"
                                    : "Hold is over; letting the removal through");
        }
        return !due.isEmpty();
    }

    private boolean isDue(HeldRemoval removal, Instant now) {
        return agreed.contains(removal.id) || !removal.until.isAfter(now);
    }

    /** See {@link SafetyBrake#agree}. */
    void agree(Set<String> ids) {
        if (ids.equals(passed)) {
            return;
        }
        passed = Set.copyOf(ids);
        agreed = new HashSet<>(ids);
        if (ids.contains(SafetyBrake.ALL)) {
            describe().forEach(removal -> agreed.add(removal.id()));
        }
    }

    /** Those that hold an address now, oldest first. */
    List<BrakedRemoval> describe() {
        return all.stream()
                .map(removal -> removal.describe(outlook))
                .filter(removal -> removal.removed() > 0)
                .toList();
    }
}

package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds removals that together would take too large a share of all addresses, so that a cluster that is seen wrongly
 * does not empty its load balancers. Additions go on.
 *
 * <ul>
 *   <li>The share is: what is to be removed (queued, parked or in progress) and what was removed within the window, over
 *       what all pools held when the window began. A plan with which the share would be too large is held whole.
 *   <li>What is held together is one {@link BrakedRemoval}: a set of addresses in pools with one id and one hold. It is
 *       let through when its hold is over, or when an operator agreed to its id. Addresses that are to be removed later
 *       form another removal with its own id and hold; those that are wanted again leave their removal.
 *   <li>Emptying all pools, at least two, is held whatever their size.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class SafetyBrake implements Guard {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    /**
     * A removal that is held.
     *
     * @param id what an operator agrees to
     * @param since when its hold began
     * @param until when it is let through if it is still wanted
     * @param removed how many addresses it would remove
     * @param all of how many
     */
    public record BrakedRemoval(String id, Instant since, Instant until, long removed, long all) {}

    /**
     * How much all pools of local Services hold together, as far as is known.
     *
     * @param addresses how many addresses they hold
     * @param pools how many of them hold any
     * @param wanted how many addresses their Services want in them
     */
    public record Totals(long addresses, long pools, long wanted) {}

    /** @param removed how many addresses, without those of a removal that was let through */
    private record Written(Instant at, PoolKey pool, int removed, int added) {}

    /** One set of addresses that is held, or was and has been let through. */
    private static final class Removal {
        final String id;
        final Instant since;
        final long all;
        final Map<PoolKey, AddressSet> members;
        boolean letThrough;

        Removal(String id, Instant since, long all, Map<PoolKey, AddressSet> members) {
            this.id = id;
            this.since = since;
            this.all = all;
            this.members = members;
        }

        AddressSet of(PoolKey pool) {
            return members.getOrDefault(pool, AddressSet.empty());
        }

        /** Keeps of a pool's members those that are still to be removed. */
        void retain(PoolKey pool, AddressSet removals) {
            members.computeIfPresent(pool, (key, mine) -> {
                AddressSet rest = mine.intersect(removals);
                return rest.isEmpty() ? null : rest;
            });
        }

        long size() {
            return members.values().stream().mapToLong(AddressSet::size).sum();
        }
    }

    private final BrakeSettings settings;
    private final Supplier<Totals> totalsNow;
    private final HoldNotices notices;
    private final InstantSource clock;

    /** What is to be removed and belongs to no {@link Removal}, of each pool; never an empty set. */
    private final Map<PoolKey, AddressSet> free = new HashMap<>();

    private final List<Removal> removals = new ArrayList<>();
    private final Deque<Written> written = new ArrayDeque<>();
    private long freeCount;

    /** As they were when the tick began, plus what was written since; null until they are needed. */
    private @Nullable Totals totals;

    private boolean wasHolding;
    private @Nullable String agreed;
    private int nextNumber;

    /** @param totals asked only when enough is to be removed to matter */
    public SafetyBrake(BrakeSettings settings, Supplier<Totals> totals, HoldNotices notices, InstantSource clock) {
        this.settings = settings;
        this.totalsNow = totals;
        this.notices = notices;
        this.clock = clock;
    }

    /** Costs in proportion to the plans. */
    @Override
    public synchronized void tickBegins(Collection<Plan> plans) {
        Map<PoolKey, AddressSet> wanted = new HashMap<>();
        for (Plan plan : plans) {
            AddressSet removed = plan.removals();
            if (!removed.isEmpty()) {
                wanted.put(plan.pool(), removed);
            }
        }
        for (Removal removal : removals) {
            List.copyOf(removal.members.keySet())
                    .forEach(pool -> removal.retain(pool, wanted.getOrDefault(pool, AddressSet.empty())));
        }
        free.clear();
        freeCount = 0;
        totals = null;
        wanted.forEach(this::note);
        endAndLetThrough();
        if (isHolding() && freeCount > 0 || isTooMuch()) {
            hold();
        }
    }

    @Override
    public synchronized Verdict judge(Plan plan) {
        AddressSet removed = plan.removals();
        removals.forEach(removal -> removal.retain(plan.pool(), removed));
        note(plan.pool(), removed);
        endAndLetThrough();
        if (!freeOf(plan.pool()).isEmpty() && (isHolding() || isTooMuch())) {
            hold();
        }
        AddressSet held = AddressSet.empty();
        Removal last = null;
        for (Removal removal : removals) {
            if (!removal.letThrough && !removal.of(plan.pool()).isEmpty()) {
                held = held.union(removal.of(plan.pool()));
                last = removal;
            }
        }
        return last == null
                ? Verdict.GO
                : new Verdict.GoWithLess(
                        plan.planned().union(plan.held().intersect(held)),
                        new Held(Held.By.SAFETY_BRAKE, Optional.of(until(last)), text(last)));
    }

    @Override
    public synchronized void wasWritten(Plan plan) {
        AddressSet removed = plan.removals();
        AddressSet counted = removed;
        for (Removal removal : removals) {
            counted = counted.minus(removal.of(plan.pool()));
            removal.retain(plan.pool(), removal.of(plan.pool()).minus(removed));
        }
        setFree(plan.pool(), freeOf(plan.pool()).minus(removed));
        int added = plan.additions().size();
        written.add(new Written(clock.instant(), plan.pool(), counted.size(), added));
        Totals before = totals;
        if (before != null) {
            long emptied = plan.planned().isEmpty() ? 1 : 0;
            totals = new Totals(
                    before.addresses() + added - removed.size(), before.pools() - emptied, before.wanted());
        }
    }

    /** Of what is to be removed from a pool, that which belongs to no removal counts as free. */
    private void note(PoolKey pool, AddressSet removed) {
        AddressSet rest = removed;
        for (Removal removal : removals) {
            rest = rest.minus(removal.of(pool));
        }
        setFree(pool, rest);
    }

    private AddressSet freeOf(PoolKey pool) {
        return free.getOrDefault(pool, AddressSet.empty());
    }

    private void setFree(PoolKey pool, AddressSet addresses) {
        freeCount += addresses.size() - freeOf(pool).size();
        if (addresses.isEmpty()) {
            free.remove(pool);
        } else {
            free.put(pool, addresses);
        }
    }

    private boolean isHolding() {
        return removals.stream().anyMatch(removal -> !removal.letThrough);
    }

    private boolean isTooMuch() {
        if (settings.percent() >= 100 || freeCount == 0) {
            return false;
        }
        Instant windowBegins = clock.instant().minus(settings.window());
        while (!written.isEmpty() && !written.peek().at().isAfter(windowBegins)) {
            written.remove();
        }
        long recentlyRemoved = written.stream().mapToLong(Written::removed).sum();
        long removed = freeCount + recentlyRemoved;
        Totals now = totals();
        long atStart = atStart(now);
        if (atStart >= settings.minAddresses() && removed * 100 > atStart * settings.percent()) {
            return true;
        }
        return now.wanted() == 0 && removed >= atStart && poolsAtStart(now) >= 2;
    }

    private Totals totals() {
        Totals known = totals;
        if (known == null) {
            known = totalsNow.get();
            totals = known;
        }
        return known;
    }

    /** How many addresses all pools held when the window began. */
    private long atStart(Totals now) {
        return now.addresses()
                + written.stream().mapToLong(Written::removed).sum()
                - written.stream().mapToLong(Written::added).sum();
    }

    private long poolsAtStart(Totals now) {
        long emptied = written.stream()
                .filter(write -> write.removed() > 0)
                .map(Written::pool)
                .distinct()
                .filter(pool -> !free.containsKey(pool))
                .count();
        return now.pools() + emptied;
    }

    /** Everything that is free becomes one removal with a hold of its own. */
    private void hold() {
        Instant now = clock.instant();
        long all = atStart(totals());
        String id = "removal-%x-%d".formatted(now.getEpochSecond(), ++nextNumber);
        Removal removal = new Removal(id, now, all, new HashMap<>(free));
        removals.add(removal);
        free.clear();
        freeCount = 0;
        log.atWarn()
                .addKeyValue("id", id)
                .addKeyValue("until", until(removal))
                .log(text(removal));
        endAndLetThrough();
    }

    private void endAndLetThrough() {
        Instant now = clock.instant();
        for (Iterator<Removal> all = removals.iterator(); all.hasNext(); ) {
            Removal removal = all.next();
            boolean isAgreed = removal.id.equals(agreed);
            if (removal.members.isEmpty()) {
                all.remove();
                if (!removal.letThrough) {
                    log.atInfo().addKeyValue("id", removal.id).log("Held removal is no longer wanted");
                }
            } else if (!removal.letThrough && (isAgreed || !until(removal).isAfter(now))) {
                removal.letThrough = true;
                log.atWarn()
                        .addKeyValue("id", removal.id)
                        .log(isAgreed ? "Held removal was agreed to" : "Hold is over; letting the removal through");
            }
        }
        if (wasHolding && !isHolding()) {
            notices.ended(Held.By.SAFETY_BRAKE, pool -> true);
        }
        wasHolding = isHolding();
    }

    private Instant until(Removal removal) {
        return removal.since.plus(settings.hold());
    }

    private String text(Removal removal) {
        return ("Removal held back by the safety brake: %d of %d addresses would leave the load balancers at once, more"
                        + " than %d %%. Set safetyBrake.agreed to %s to let it through before its hold of %d min ends.")
                .formatted(
                        removal.size(),
                        removal.all,
                        settings.percent(),
                        removal.id,
                        settings.hold().toMinutes());
    }

    /** Agrees to the removal of this id, null for none. The id of another removal does nothing. */
    public synchronized void agree(@Nullable String id) {
        agreed = id;
    }

    /** What is held now, the oldest first. */
    public synchronized List<BrakedRemoval> braked() {
        return removals.stream()
                .filter(removal -> !removal.letThrough)
                .map(removal -> new BrakedRemoval(
                        removal.id, removal.since, until(removal), removal.size(), removal.all))
                .toList();
    }
}

package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written to one pool and what is being written, and whose loss that is: nearly always of one
 * namespace, which has the only {@link Stake}; and which of its removals are held. Guarded by the brake.
 */
final class PoolLoss {

    final PoolKey key;
    private final Collection<PoolLoss> changed;

    /** As it was when the brake last looked. */
    private Pool pool;

    /** Whether any update waits, and whether the guards before the brake let any of it through. */
    private boolean isWaiting;

    private boolean isReleased;

    /** The Services whose updates wait. */
    private List<ServiceName> services = List.of();

    /** What it contains, apart from what is being written: while an update waits, what its plan is based on. */
    private AddressSet contents = AddressSet.empty();

    /** What the guards before the brake let through. */
    private AddressSet removals = AddressSet.empty();

    private AddressSet additions = AddressSet.empty();

    private @Nullable Plan writing;

    /** Of each namespace whose Services use it, or of whose addresses it still contains some; and the {@link #rest}. */
    final List<Stake> stakes = new ArrayList<>(1);

    /** The addresses that no namespace is known to have wanted, once there are several. */
    private @Nullable Stake rest;

    /** The parts of held removals, oldest first; an address is in those of one removal at most. */
    final List<HeldRemoval.Part> parts = new ArrayList<>(0);

    /** Whether it is among the counted pools in which an address is wanted. */
    boolean isCountedAsWanted;

    /** @param changed receives it whenever it changes */
    PoolLoss(Pool pool, Collection<PoolLoss> changed) {
        this.key = pool.key();
        this.pool = pool;
        this.changed = changed;
        contents = known();
        share();
    }

    void changed() {
        changed.add(this);
    }

    /** As it is now. */
    void is(Pool now) {
        pool = now;
        if (!isWaiting) {
            contents = known();
        }
        share();
        changed();
    }

    private boolean isUsed() {
        return !pool.wants().isEmpty();
    }

    /** A pool that is neither local nor to be written does not count. */
    boolean counts() {
        return isUsed() || isReleased;
    }

    boolean isForgettable() {
        return !isUsed() && !isWaiting && writing == null && stakes.stream().allMatch(Stake::isIdle);
    }

    /** What it was last seen to contain, of the family that its Services have there. */
    private AddressSet known() {
        return isUsed()
                ? pool.known()
                        .map(all -> all.addresses()
                                .ofFamily(IpFamily.of(pool.wants().first().service(), key)))
                        .orElse(AddressSet.empty())
                : AddressSet.empty();
    }

    // --- whose it is ---

    /** Divides what it contains among the namespaces, once there are several. */
    private void share() {
        haveAllIfAlone(); // until now
        List<ServiceName> there = isUsed() ? pool.wants().services() : services;
        for (ServiceName service : there) {
            if (stakes.stream().noneMatch(stake -> stake.namespace.equals(service.namespace()))) {
                stakes.add(new Stake(this, service.namespace()));
            }
        }
        if (stakes.size() < 2) {
            haveAllIfAlone();
            return;
        }
        Stake others = rest;
        if (others == null) {
            others = new Stake(
                    this,
                    there.stream()
                            .map(ServiceName::namespace)
                            .distinct()
                            .sorted()
                            .collect(Collectors.joining(", ")));
            stakes.add(others);
            rest = others;
        }
        AddressSet all = contents().union(additions());
        AddressSet wanted = pool.wants().union();
        AddressSet owned = AddressSet.empty();
        for (Stake stake : stakes) {
            if (stake != others) {
                AddressSet own = wantedIn(stake.namespace).union(stake.of(all).minus(wanted));
                stake.has(own);
                owned = owned.union(own);
            }
        }
        others.hasAllBut(owned);
    }

    private void haveAllIfAlone() {
        if (stakes.size() == 1) {
            stakes.get(0).hasAllBut(AddressSet.empty());
        }
    }

    private AddressSet wantedIn(String namespace) {
        return union(pool.wants().all().stream()
                .filter(want -> want.service().namespace().equals(namespace))
                .map(Want::wanted));
    }

    /** Forgets who has nothing in it any longer. */
    void forgetGone() {
        if (stakes.size() > 1) {
            stakes.removeIf(Stake::isGone);
            rest = rest != null && stakes.contains(rest) ? rest : null;
        }
    }

    // --- what waits ---

    /**
     * Takes what is to become of it, and forgets the members of removals that are no longer to be removed. If nothing
     * waits, they are as long as they are not wanted: an update that failed for good or was dropped is queued again by
     * the next comparison.
     *
     * @param waiting plans that are all based on its last known contents
     * @param released what the guards before the brake let through of them
     */
    void plan(List<Plan> waiting, List<Plan> released) {
        isWaiting = !waiting.isEmpty();
        isReleased = !released.isEmpty();
        services = isWaiting ? waiting.get(0).services() : List.of();
        contents = isWaiting ? waiting.get(0).held() : known();
        removals = union(released.stream().map(Plan::removals));
        additions = union(released.stream().map(Plan::additions));
        share();
        AddressSet toGo = isWaiting || parts.isEmpty()
                ? union(waiting.stream().map(Plan::removals))
                : contents.minus(pool.wants().in(contents));
        for (HeldRemoval removal :
                parts.stream().map(HeldRemoval.Part::removal).distinct().toList()) {
            removal.consistsOf(this, members(removal).intersect(toGo));
        }
        parts.removeIf(part -> part.addresses.isEmpty());
        stakes.forEach(stake -> stake.keepWaves(addresses -> addresses.intersect(stake.of(toGo))));
        changed();
    }

    /** A plan that other guards let through. Returns whether anything in it was not known. */
    boolean learn(Plan plan) {
        AddressSet going = plan.removals().union(removals.intersect(plan.held())); // still is to be removed
        if (isReleased
                && services.equals(plan.services())
                && contents.equals(plan.held())
                && removals.equals(going)
                && additions.equals(plan.additions())) {
            return false;
        }
        isWaiting = true;
        isReleased = true;
        contents = plan.held();
        removals = going;
        additions = plan.additions();
        services = plan.services();
        share();
        changed();
        return true;
    }

    /** Its contents changed. */
    void contains(AddressSet now) {
        contents = now;
        removals = removals.intersect(now);
        additions = additions.minus(now);
        changed();
    }

    /** Null once that write has ended. */
    void writes(@Nullable Plan plan) {
        AddressSet going = plan == null ? AddressSet.empty() : plan.removals();
        stakes.forEach(stake -> stake.writes(going));
        writing = plan;
        changed();
    }

    /** These were removed. */
    void removed(AddressSet addresses) {
        parts.forEach(part -> part.addresses = part.addresses.minus(addresses));
        parts.removeIf(part -> part.addresses.isEmpty());
        stakes.forEach(stake -> stake.keepWaves(waiting -> waiting.minus(addresses)));
        changed();
    }

    /** Only what is being or was written still counts. */
    void clear() {
        pool = new Pool(key, -1);
        plan(List.of(), List.of());
    }

    /** The addresses to be removed that no other guard holds. */
    AddressSet removals() {
        return removals;
    }

    /** The addresses to be added that no other guard holds. */
    AddressSet additions() {
        return writing == null ? additions : additions.union(writing.additions());
    }

    /** The addresses that are being removed. */
    AddressSet beingRemoved() {
        return writing == null ? AddressSet.empty() : writing.removals();
    }

    /**
     * What it contains. What is being written still counts: a listing may show the result before the write has ended.
     */
    AddressSet contents() {
        return writing == null ? contents : writing.held();
    }

    boolean isWanted() {
        return !pool.wants().union().isEmpty();
    }

    /** Whether it contained an address when the window began, as counted last. */
    boolean wasFilled() {
        return stakes.stream().anyMatch(stake -> stake.counted.all() > 0);
    }

    // --- what is held ---

    boolean isHeld() {
        return parts.stream().anyMatch(HeldRemoval.Part::isHeld);
    }

    /** The addresses that belong to a held removal. */
    AddressSet members() {
        return union(parts.stream().map(part -> part.addresses));
    }

    private AddressSet members(HeldRemoval removal) {
        return union(parts.stream().filter(part -> part.removal() == removal).map(part -> part.addresses));
    }

    /** What a removal was begun for does not wait for a wave. */
    void add(HeldRemoval.Part part) {
        parts.add(part);
        if (part.removal().namespaces.contains(part.stake.namespace)) {
            part.stake.keepWaves(addresses -> addresses.minus(part.addresses));
        }
        changed();
    }

    /** When the last wait of an address ends; empty if none waits. */
    Optional<Instant> delayedUntil(Instant now) {
        return stakes.stream()
                .flatMap(stake -> stake.delayedUntil(now).stream())
                .max(Instant::compareTo);
    }

    static AddressSet union(Stream<AddressSet> sets) {
        return sets.reduce(AddressSet.empty(), AddressSet::union);
    }
}

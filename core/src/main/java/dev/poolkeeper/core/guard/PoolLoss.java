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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written to one pool and what is being written, and whose loss that is: nearly always of one
 * namespace, which has the only {@link Stake}. Guarded by the brake.
 */
final class PoolLoss {

    final PoolKey key;
    private final Collection<PoolLoss> changed;

    /** As it was when the brake last looked. */
    private Pool pool;

    /** What waits, including what another guard holds. */
    private @Nullable Plan waiting;

    /** What waits and is held by no other guard. */
    private @Nullable Plan released;

    private @Nullable Plan writing;

    /** Of each namespace whose Services use it, or of whose addresses it still contains some; and the {@link #rest}. */
    private final List<Stake> stakes = new ArrayList<>(1);

    /** The addresses that no namespace is known to have wanted, once there are several. */
    private @Nullable Stake rest;

    /** What the sums contain of it. */
    Summand counted = Summand.NONE;

    /** @param isFilled whether it contained an address when the window began */
    record Summand(boolean isWanted, boolean isFilled) {
        static final Summand NONE = new Summand(false, false);
    }

    /** @param changed receives it whenever it changes */
    PoolLoss(Pool pool, Collection<PoolLoss> changed) {
        this.key = pool.key();
        this.pool = pool;
        this.changed = changed;
        share();
    }

    void changed() {
        changed.add(this);
    }

    /** As it is now. */
    void is(Pool now) {
        pool = now;
        share();
        changed();
    }

    private boolean isUsed() {
        return !pool.wants().isEmpty();
    }

    /** A pool that is neither local nor to be written does not count. */
    boolean counts() {
        return isUsed() || released != null;
    }

    boolean isForgettable() {
        return !isUsed()
                && waiting == null
                && released == null
                && writing == null
                && stakes.stream().allMatch(Stake::isIdle);
    }

    // --- whose it is ---

    /** Each namespace's, and that of the rest. */
    List<Stake> stakes() {
        return stakes;
    }

    /** Divides what it contains among the namespaces, once there are several. */
    private void share() {
        Set<String> there = namespaces();
        int before = stakes.size();
        there.stream()
                .filter(namespace -> stakes.stream().noneMatch(stake -> stake.namespace.equals(namespace)))
                .forEach(namespace -> stakes.add(new Stake(this, namespace)));
        if (stakes.size() < 2) {
            stakes.forEach(stake -> stake.hasAllBut(AddressSet.empty()));
            return;
        }
        AddressSet contents = contents().union(additions());
        if (rest == null) {
            if (before == 1) {
                stakes.get(0).had(contents);
            }
            rest = new Stake(this, String.join(", ", there));
            stakes.add(rest);
        }
        Stake others = rest;
        AddressSet wanted = wantedIn(namespace -> true);
        List<Stake> named = stakes.stream().filter(stake -> stake != others).toList();
        named.forEach(stake -> stake.wants(wantedIn(stake.namespace::equals), wanted, contents));
        others.hasAllBut(union(named.stream().map(Stake::own)));
    }

    private Set<String> namespaces() {
        List<ServiceName> services = isUsed() || waiting == null ? pool.wants().services() : waiting.services();
        return services.stream().map(ServiceName::namespace).collect(Collectors.toCollection(TreeSet::new));
    }

    private AddressSet wantedIn(Predicate<String> namespaces) {
        return union(pool.wants().all().stream()
                .filter(want -> namespaces.test(want.service().namespace()))
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

    /** Forgets the members of removals that are no longer to be removed. */
    void plan(Prospect.Maker prospects) {
        plan(prospects.of(pool, stakes.stream().anyMatch(Stake::hasParts)));
    }

    private void plan(Prospect prospect) {
        waiting = merged(prospect.waiting());
        released = merged(prospect.released());
        share();
        AddressSet wanted = waiting == null ? AddressSet.empty() : waiting.removals();
        stakes.forEach(stake -> stake.keepOnly(wanted));
        changed();
    }

    private static @Nullable Plan merged(Collection<Plan> plans) {
        return plans.stream().map(Plan::served).reduce(PoolLoss::both).orElse(null);
    }

    /** Two plans for one pool, both built from the same contents. */
    private static Plan both(Plan one, Plan other) {
        return one.withPlanned(one.held()
                .minus(one.removals())
                .minus(other.removals())
                .union(one.additions())
                .union(other.additions()));
    }

    /** Whether another guard holds any of it, so that more may be released although nothing else changes. */
    boolean isHeldByAnother() {
        return !Objects.equals(waiting, released);
    }

    /** A plan that other guards let through. Returns whether anything in it was not known. */
    boolean learn(Plan plan) {
        Plan before = released;
        if (plan.equals(before)) {
            return false;
        }
        Plan after = before == null ? plan : withRemovals(plan, before.removals());
        if (before != null && after.equals(before)) {
            return false;
        }
        released = after;
        waiting = after;
        share();
        changed();
        return true;
    }

    /** What was to be removed still is, as far as the pool contains it. */
    private static Plan withRemovals(Plan plan, AddressSet before) {
        return plan.withPlanned(plan.planned().minus(before.minus(plan.additions())));
    }

    /** Its contents changed. */
    void contains(AddressSet now) {
        boolean isAllReleased = Objects.equals(waiting, released);
        waiting = rebased(waiting, now);
        released = isAllReleased ? waiting : rebased(released, now);
        changed();
    }

    /** Null once that write has ended. */
    void writes(@Nullable Plan plan) {
        AddressSet removals = plan == null ? AddressSet.empty() : plan.removals();
        stakes.forEach(stake -> stake.writes(removals));
        writing = plan;
        changed();
    }

    private static @Nullable Plan rebased(@Nullable Plan plan, AddressSet now) {
        return plan == null || plan.held().equals(now)
                ? plan
                : new Plan(
                        plan.pool(),
                        plan.services(),
                        now,
                        now.minus(plan.removals()).union(plan.additions()));
    }

    /** Only what is being or was written still counts. */
    void clear() {
        pool = new Pool(key, -1);
        plan(Prospect.NONE);
    }

    /** The addresses to be removed that no other guard holds. */
    AddressSet removals() {
        return released == null ? AddressSet.empty() : released.removals();
    }

    /** The addresses to be added that no other guard holds. */
    AddressSet additions() {
        AddressSet ours = released == null ? AddressSet.empty() : released.additions();
        return writing == null ? ours : ours.union(writing.additions());
    }

    /** The addresses that are being removed. */
    AddressSet beingRemoved() {
        return writing == null ? AddressSet.empty() : writing.removals();
    }

    /**
     * What it contains. What is being written still counts: a listing may show the result before the write has ended.
     */
    AddressSet contents() {
        Plan known = writing == null ? waiting : writing;
        if (known != null) {
            return known.held();
        }
        return isUsed()
                ? pool.known().map(contents -> served(contents.addresses())).orElse(AddressSet.empty())
                : AddressSet.empty();
    }

    private AddressSet served(AddressSet addresses) {
        return addresses.ofFamily(IpFamily.of(pool.wants().first().service(), key));
    }

    Summand summand() {
        if (!counts()) {
            return Summand.NONE;
        }
        boolean isWanted =
                pool.wants().all().stream().anyMatch(want -> !want.wanted().isEmpty());
        return new Summand(
                isWanted, stakes.stream().anyMatch(stake -> stake.summand().all() > 0));
    }

    // --- what is held ---

    boolean isHeld() {
        return stakes.stream().anyMatch(Stake::isHeld);
    }

    /** The addresses that belong to a held removal. */
    AddressSet members() {
        return union(stakes.stream().map(Stake::members));
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

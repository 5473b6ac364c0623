package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.KnownPool;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one pool loses: by what waits to be written, by what is being written, and by what was written within the
 * window; and which of its removals are held. Guarded by the brake.
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

    /** The number of writes within the window, and how many addresses fewer it contains by them; negative for more. */
    private int writes;

    private long fewer;

    /** The same without those whose loss does not count. */
    private long fewerCounted;

    /** The parts of held removals, oldest first; an address is in one of them at most. */
    final List<HeldRemoval.Part> parts = new ArrayList<>(0);

    private final List<Wave> waves = new ArrayList<>(0);

    /** What the sums contain of it. */
    Summand counted = Summand.NONE;

    /** Removals that wait, or have waited, for further ones. */
    private record Wave(AddressSet addresses, Instant until) {}

    /** @param before how many addresses it contained when the window began */
    record Summand(String namespace, long lost, long before, boolean isWanted) {
        static final Summand NONE = new Summand("", 0, 0, false);
    }

    /** @param changed receives it whenever it changes */
    PoolLoss(Pool pool, Collection<PoolLoss> changed) {
        this.key = pool.key();
        this.pool = pool;
        this.changed = changed;
    }

    void changed() {
        changed.add(this);
    }

    /** As it is now. */
    void is(Pool now) {
        pool = now;
        changed();
    }

    private boolean isUsed() {
        return !pool.wants().isEmpty();
    }

    boolean isForgettable() {
        return !isUsed()
                && waiting == null
                && released == null
                && writing == null
                && writes == 0
                && parts.isEmpty()
                && waves.isEmpty();
    }

    // --- what waits ---

    /** Forgets the members of removals that are no longer to be removed. */
    void plan(Prospect.Maker prospects) {
        plan(prospects.of(pool, !parts.isEmpty()));
    }

    private void plan(Prospect prospect) {
        waiting = merged(prospect.waiting());
        released = merged(prospect.released());
        AddressSet wanted = waiting == null ? AddressSet.empty() : waiting.removals();
        keep(addresses -> addresses.intersect(wanted));
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
        Plan after = before == null ? plan : withRemovals(plan, before.removals());
        if (before != null && after.equals(before)) {
            return false;
        }
        released = after;
        waiting = after;
        changed();
        return true;
    }

    /** What was to be removed still is, as far as the pool contains it. */
    private static Plan withRemovals(Plan plan, AddressSet before) {
        return plan.withPlanned(plan.planned().minus(before.minus(plan.additions())));
    }

    /** Its contents changed. */
    void contains(AddressSet now) {
        waiting = rebased(waiting, now);
        released = rebased(released, now);
        changed();
    }

    /** Null once that write has ended. */
    void writes(@Nullable Plan plan) {
        writing = plan;
        changed();
    }

    private static @Nullable Plan rebased(@Nullable Plan plan, AddressSet now) {
        return plan == null
                ? null
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

    // --- what was written ---

    /**
     * @param lost how many addresses fewer it contains; negative for more
     * @param counted how many of them count
     */
    void written(int number, long lost, long counted) {
        writes += number;
        fewer += lost;
        fewerCounted += counted;
        changed();
    }

    /** These are no longer to be removed. */
    void removed(AddressSet addresses) {
        keep(members -> members.minus(addresses));
        changed();
    }

    private void keep(Function<AddressSet, AddressSet> some) {
        parts.forEach(part -> part.keep(some));
        parts.removeIf(HeldRemoval.Part::isEmpty);
        keepWaves(some);
    }

    private void keepWaves(Function<AddressSet, AddressSet> some) {
        waves.replaceAll(wave -> new Wave(some.apply(wave.addresses()), wave.until()));
        waves.removeIf(wave -> wave.addresses().isEmpty());
    }

    // --- what is lost ---

    /** How much smaller it would be than when the window began, if what is held or does not count stays. */
    long lost() {
        return lostWithout(kept());
    }

    /** @param stay the addresses that stay although they are to be removed */
    long lostWithout(AddressSet stay) {
        AddressSet removed = removals().minus(stay);
        if (writing != null) {
            removed = removed.union(writing.removals());
        }
        return Math.max(0, fewerCounted + removed.size() - additions().size());
    }

    /** How many addresses it contained when the window began, without those whose loss does not count. */
    long countedBefore() {
        return Math.max(0, sizeNow() + fewerCounted);
    }

    /** How many addresses it would contain without these, once what waits is added. */
    long sizeWithout(AddressSet removed) {
        return sizeNow() - removed.size() + additions().size();
    }

    /** What is being written still counts as there: a listing may show the result before the write has ended. */
    private long sizeNow() {
        Plan known = writing == null ? waiting : writing;
        if (known != null) {
            return known.held().size();
        }
        return isUsed()
                ? pool.known().map(this::served).orElse(AddressSet.empty()).size()
                : 0;
    }

    private AddressSet served(KnownPool contents) {
        return contents.addresses().ofFamily(IpFamily.of(pool.wants().first().service(), key));
    }

    /** One name for the namespaces of the Services that share it, nearly always one. */
    String namespace() {
        List<ServiceName> services = isUsed() || waiting == null ? pool.wants().services() : waiting.services();
        return services.stream().map(ServiceName::namespace).distinct().sorted().collect(Collectors.joining(", "));
    }

    /** A pool that is neither local nor to be written does not count. */
    Summand summand() {
        if (!isUsed() && released == null) {
            return Summand.NONE;
        }
        boolean isWanted =
                pool.wants().all().stream().anyMatch(want -> !want.wanted().isEmpty());
        return new Summand(namespace(), lost(), Math.max(0, sizeNow() + fewer), isWanted);
    }

    // --- what is held ---

    boolean isHeld() {
        return parts.stream().anyMatch(part -> !part.held().isEmpty());
    }

    /** The addresses that belong to a held removal. */
    AddressSet members() {
        return union(parts.stream().map(HeldRemoval.Part::addresses));
    }

    /** The addresses that are held or do not count. */
    AddressSet kept() {
        return union(parts.stream().map(HeldRemoval.Part::kept));
    }

    /** The addresses that do not count as lost. */
    AddressSet excused() {
        return union(parts.stream().map(HeldRemoval.Part::excused));
    }

    private static AddressSet union(Stream<AddressSet> sets) {
        return sets.reduce(AddressSet.empty(), AddressSet::union);
    }

    // --- what waits for a wave ---

    /** What is lost of these waits from now on, unless it has waited; what is replaced need not. */
    void gather(AddressSet removals, Instant until) {
        AddressSet waited = union(waves.stream().map(Wave::addresses));
        AddressSet lost = some(removals.minus(waited), lost() - waited.size());
        if (!lost.isEmpty()) {
            waves.add(new Wave(lost, until));
        }
    }

    /** What a removal holds does not wait for a wave. */
    void add(HeldRemoval.Part part) {
        parts.add(part);
        keepWaves(addresses -> addresses.minus(part.addresses()));
        changed();
    }

    /** Of these removals those that wait: no more than the pool would lose. */
    AddressSet delayed(AddressSet removals, Instant now) {
        AddressSet delayed = removals.intersect(union(gathering(now).map(Wave::addresses)));
        return delayed.isEmpty() ? delayed : some(delayed, lost());
    }

    /** When the last wait ends; empty if no address waits. */
    Optional<Instant> delayedUntil(Instant now) {
        return gathering(now).map(Wave::until).max(Instant::compareTo);
    }

    private Stream<Wave> gathering(Instant now) {
        return waves.stream().filter(wave -> wave.until().isAfter(now));
    }

    private static AddressSet some(AddressSet addresses, long count) {
        return addresses.size() <= count
                ? addresses
                : AddressSet.of(addresses.stream().limit(Math.max(0, count)).toList());
    }
}

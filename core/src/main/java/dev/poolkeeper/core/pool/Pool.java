package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.freshness.PoolFreshness;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** All that an engine knows of one pool. Immutable: each change makes another one, which {@link Pools} publishes. */
public final class Pool {

    private final long number;

    // assigned once, in the copy that a change makes
    private PoolKey key;
    private Wants wants = Wants.NONE;
    private @Nullable KnownPool known;
    private PoolFreshness freshness = PoolFreshness.NONE;
    private @Nullable HeldUpdate hold;
    private Map<ServiceName, State.GaveUp> failed = Map.of();
    private Set<Report> reported = Set.of();
    private @Nullable Fight fight;
    private @Nullable Refusal refusal;
    private Backlog backlog = Backlog.NONE;

    /** Made when asked for first, and by all threads alike; null before. */
    private @Nullable List<Plan> plans;

    /** The same. */
    private @Nullable Urgency urgency;

    /**
     * A hold for this cause was reported on the Service, and the cause has not ended since.
     *
     * @param service the Service
     * @param by the cause
     */
    public record Report(ServiceName service, HoldCause.By by) {}

    /**
     * A pool of which nothing is known.
     *
     * @param number unique within the engine
     */
    public Pool(PoolKey key, long number) {
        this.key = key;
        this.number = number;
    }

    private Pool with(Consumer<Pool> change) {
        Pool copy = new Pool(key, number);
        copy.wants = wants;
        copy.known = known;
        copy.freshness = freshness;
        copy.hold = hold;
        copy.failed = failed;
        copy.reported = reported;
        copy.fight = fight;
        copy.refusal = refusal;
        copy.backlog = backlog;
        change.accept(copy);
        if (hasSameParts(copy)) {
            copy.plans = plans;
            copy.urgency = urgency;
        }
        return copy;
    }

    @SuppressWarnings("ReferenceEquality") // what a change leaves alone is the same object
    private boolean hasSameParts(Pool other) {
        return other.wants == wants && other.contents() == contents() && other.backlog.hasSameOperations(backlog);
    }

    /** Its key, in the spelling in which a Service was last local with it. */
    public PoolKey key() {
        return key;
    }

    /** Unique within the engine; pools that were known earlier have lower ones. */
    public long number() {
        return number;
    }

    private @Nullable AddressSet contents() {
        return known == null ? null : known.addresses();
    }

    /** Whether nothing is known of it, and nothing is to be done. */
    boolean isForgettable() {
        return wants.isEmpty()
                && known == null
                && !freshness.isAdopted()
                && hold == null
                && failed.isEmpty()
                && fight == null
                && backlog.isEmpty();
    }

    // --- what its Services want in it ---

    /** What the local Services of this pool want in it. */
    public Wants wants() {
        return wants;
    }

    /** With this in place of what its Service wanted before. */
    public Pool wanting(Want now) {
        return with(pool -> {
            pool.key = now.pool();
            pool.wants = wants.with(now);
        });
    }

    /** Without this Service, which is no longer local with it. */
    public Pool without(ServiceName service) {
        return with(pool -> {
            pool.wants = wants.without(service);
            pool.failed = withoutKey(failed, service);
            pool.reported = copyWithout(reported, report -> report.service().equals(service));
        });
    }

    private static <T> Set<T> copyWithout(Set<T> all, Predicate<T> condition) {
        Set<T> rest = new HashSet<>(all);
        rest.removeIf(condition);
        return Set.copyOf(rest);
    }

    private static <K, V> Map<K, V> withoutKey(Map<K, V> all, K key) {
        Map<K, V> rest = new HashMap<>(all);
        rest.remove(key);
        return Map.copyOf(rest);
    }

    private static <T> Set<T> copyWith(Set<T> all, T another) {
        Set<T> more = new HashSet<>(all);
        more.add(another);
        return Set.copyOf(more);
    }

    // --- what it holds, and how calls for it ended ---

    /** Its contents; empty if it was not in the last listing and not read or written since. */
    public Optional<KnownPool> known() {
        return Optional.ofNullable(known);
    }

    Pool withKnown(@Nullable KnownPool now) {
        return with(pool -> {
            pool.known = now;
            if (now != null && !Objects.equals(now.addresses(), contents())) {
                pool.freshness = freshness.holding(now.addresses(), wants);
            }
        });
    }

    /** The last 403 to a call for it; empty if it was answered otherwise since. */
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** @param now null for none */
    public Pool withRefusal(@Nullable Refusal now) {
        return with(pool -> pool.refusal = now);
    }

    /** Another writer's changes of it; null for none. */
    public @Nullable Fight fight() {
        return fight;
    }

    public Pool withFight(UnaryOperator<@Nullable Fight> change) {
        Fight now = change.apply(fight);
        return Objects.equals(now, fight) ? this : with(pool -> pool.fight = now);
    }

    // --- how these differ ---

    /** How it differs from what its Services want. */
    public PoolFreshness freshness() {
        return freshness;
    }

    /** What its Services want counts from now on. */
    Pool eventEnded(Freshness sums) {
        return withFreshness(sums.eventEnded(freshness, wants, known == null ? AddressSet.empty() : known.addresses()));
    }

    Pool withFreshness(PoolFreshness now) {
        return now.equals(freshness) ? this : with(pool -> pool.freshness = now);
    }

    // --- what its Services were told ---

    /** The Services whose last report was a permanent failure. */
    public Set<ServiceName> failed() {
        return failed.keySet();
    }

    /** The last report on the Service is a permanent failure, or the last attempt since failed with this. */
    public Pool withFailed(ServiceName service, State.GaveUp now) {
        Map<ServiceName, State.GaveUp> all = new HashMap<>(failed);
        all.put(service, now);
        return with(pool -> pool.failed = Map.copyOf(all));
    }

    /** The last report on the Service is not a permanent failure any longer. */
    public Pool withoutFailed(ServiceName service) {
        return failed.containsKey(service) ? with(pool -> pool.failed = withoutKey(failed, service)) : this;
    }

    /** The holds that are reported on its Services. */
    public Set<Report> reported() {
        return reported;
    }

    public Pool withReported(Report report) {
        return reported.contains(report) ? this : with(pool -> pool.reported = copyWith(reported, report));
    }

    public Pool withoutReported(Predicate<Report> condition) {
        return reported.stream().noneMatch(condition)
                ? this
                : with(pool -> pool.reported = copyWithout(reported, condition));
    }

    /** Why its update was held at the last attempt; empty if it was not. */
    public Optional<HeldUpdate> hold() {
        return Optional.ofNullable(hold);
    }

    /** The last attempt was held. */
    public Pool held(HoldCause because, Instant now) {
        Instant since = hold != null && hold.because().by() == because.by() ? hold.since() : now;
        return with(pool -> pool.hold = new HeldUpdate(because, since));
    }

    /** The last attempt was not held. */
    public Pool notHeld() {
        return hold == null ? this : with(pool -> pool.hold = null);
    }

    /** The same, and with it have ended the causes whose end no guard reports. */
    public Pool released() {
        return notHeld().withoutReported(report -> report.by().endsWithTheHold());
    }

    // --- what is to be done for it ---

    /** The operations that wait and those in hand. */
    public Backlog backlog() {
        return backlog;
    }

    public Pool withBacklog(UnaryOperator<Backlog> change) {
        Backlog now = change.apply(backlog);
        return now.equals(backlog) ? this : with(pool -> pool.backlog = now);
    }

    /** Without anything that a term had to do, and what held it. */
    public Pool idle() {
        return withBacklog(Backlog::idle).released();
    }

    /** A lane takes the operations that wait, at least one; what arrives from now on waits for a rest only. */
    public Pool taken() {
        Pool taken = withBacklog(it -> it.taken(key));
        if (backlog.inHand() == null) {
            taken.plans = plans; // of the same operations
        }
        return taken;
    }

    /** What is being done for it. */
    public State state() {
        OperationGroup inHand = backlog.inHand();
        if (inHand != null) {
            return new State.InHand(inHand);
        }
        if (backlog.size() > 0) {
            return new State.Waiting(waiting());
        }
        return failed.values().stream()
                .max(Comparator.comparing(State.GaveUp::since))
                .<State>map(it -> it)
                .orElseGet(State.Idle::new);
    }

    /** The operations that wait, at least one. */
    public OperationGroup waiting() {
        return new OperationGroup(key, backlog.waiting());
    }

    /** The operations in hand, or else those that wait; empty for none. */
    public Optional<OperationGroup> group() {
        OperationGroup inHand = backlog.inHand();
        return inHand == null && backlog.size() > 0 ? Optional.of(waiting()) : Optional.ofNullable(inHand);
    }

    /** The operations in hand, and those that wait. */
    public List<OperationGroup> groups() {
        List<OperationGroup> groups = new ArrayList<>(2);
        OperationGroup inHand = backlog.inHand();
        if (inHand != null) {
            groups.add(inHand);
        }
        if (backlog.size() > 0) {
            groups.add(waiting());
        }
        return groups;
    }

    /**
     * What the operations in hand would make of its contents as last known, and what those that wait would; none if the
     * contents are not known. Made once, until one of these changes.
     *
     * @param maker makes the plan of some operations from the contents and what is wanted in the pool
     */
    public List<Plan> plans(BiFunction<Pool, OperationGroup, Plan> maker) {
        List<Plan> made = plans;
        if (made == null) {
            made = known == null
                    ? List.of()
                    : groups().stream().map(group -> maker.apply(this, group)).toList();
            plans = made;
        }
        return made;
    }

    /** The plan of some of its operations, the same one as among its {@link #plans}; its contents are known. */
    public Plan plan(OperationGroup group, BiFunction<Pool, OperationGroup, Plan> maker) {
        int index = groups().indexOf(group);
        return index < 0 ? maker.apply(this, group) : plans(maker).get(index);
    }

    /** How urgent those that wait are, of which there are some. Made once, like its plans. */
    public Urgency urgency() {
        Urgency made = urgency;
        if (made == null) {
            made = Urgency.of(this, waiting());
            urgency = made;
        }
        return made;
    }
}

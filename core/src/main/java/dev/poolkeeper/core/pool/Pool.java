package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All that an engine knows of one pool. Immutable: each change makes another one, which {@link Pools} publishes.
 *
 * <p>Its update waits in one of three ways: an operation has its own {@code nextEligibleAt}; a hold delays those that
 * wait when it begins; a rest also those that arrive later.
 */
public final class Pool {

    private final long number;

    // assigned once, in the copy that a change makes
    private PoolKey key;
    private Wants wants = Wants.NONE;
    private @Nullable KnownPool known;
    private @Nullable HeldUpdate hold;
    private Set<ServiceName> failed = Set.of();
    private Set<Report> reported = Set.of();
    private @Nullable Fight fight;
    private @Nullable Refusal refusal;
    private Waiting waiting = Waiting.NONE;
    private @Nullable OperationGroup inHand;
    private Instant restsUntil = Instant.MIN;
    private Instant notBefore = Instant.MIN;
    private boolean heldByGuard;
    private boolean kept;

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
    public record Report(ServiceName service, Held.By by) {}

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
        copy.hold = hold;
        copy.failed = failed;
        copy.reported = reported;
        copy.fight = fight;
        copy.refusal = refusal;
        copy.waiting = waiting;
        copy.inHand = inHand;
        copy.restsUntil = restsUntil;
        copy.notBefore = notBefore;
        copy.heldByGuard = heldByGuard;
        copy.kept = kept;
        change.accept(copy);
        if (hasSameParts(copy)) {
            copy.plans = plans;
            copy.urgency = urgency;
        }
        return copy;
    }

    @SuppressWarnings("ReferenceEquality") // what a change leaves alone is the same object
    private boolean hasSameParts(Pool other) {
        return other.wants == wants && other.known == known && other.waiting == waiting && other.inHand == inHand;
    }

    /** Its key, in the spelling in which a Service was last local with it. */
    public PoolKey key() {
        return key;
    }

    /** Unique within the engine; pools that were known earlier have lower ones. */
    public long number() {
        return number;
    }

    /** Whether nothing is known of it, and nothing is to be done. */
    boolean isForgettable() {
        return wants.isEmpty()
                && known == null
                && hold == null
                && failed.isEmpty()
                && fight == null
                && waiting.isEmpty()
                && inHand == null
                && restsUntil.equals(Instant.MIN);
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
            pool.failed = copyWithout(failed, service::equals);
            pool.reported = copyWithout(reported, report -> report.service().equals(service));
        });
    }

    private static <T> Set<T> copyWithout(Set<T> all, Predicate<T> condition) {
        Set<T> rest = new HashSet<>(all);
        rest.removeIf(condition);
        return Set.copyOf(rest);
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
        return with(pool -> pool.known = now);
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
        return with(pool -> pool.fight = change.apply(fight));
    }

    // --- what its Services were told ---

    /** The Services whose last report was a permanent failure. */
    public Set<ServiceName> failed() {
        return failed;
    }

    /** The last report on the Service is a permanent failure, or is not any longer. */
    public Pool withFailed(ServiceName service, boolean now) {
        if (failed.contains(service) == now) {
            return this;
        }
        return with(pool -> pool.failed = now ? copyWith(failed, service) : copyWithout(failed, service::equals));
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
    public Pool held(Held because, Instant now) {
        Instant since = hold != null && hold.because().by() == because.by() ? hold.since() : now;
        return with(pool -> pool.hold = new HeldUpdate(because, since));
    }

    /** The last attempt was not held. */
    public Pool notHeld() {
        return hold == null ? this : with(pool -> pool.hold = null);
    }

    // --- the operations that wait, and those in hand ---

    /** The operations that wait, in order of their sequence. */
    public List<PendingOperation> waiting() {
        return waiting.list();
    }

    /** The number of operations that wait. */
    public int size() {
        return waiting.size();
    }

    /** The operations that a lane has taken and not finished; null for none. */
    public @Nullable OperationGroup inHand() {
        return inHand;
    }

    /** The operations in hand, then those that wait. */
    public List<PendingOperation> pending() {
        if (inHand == null) {
            return waiting.list();
        }
        List<PendingOperation> pending = new ArrayList<>(inHand.operations());
        pending.addAll(waiting.list());
        return List.copyOf(pending);
    }

    /** What is being done for it. */
    public State state() {
        if (inHand != null) {
            return new State.InHand(inHand);
        }
        if (!waiting.isEmpty()) {
            return new State.Waiting(new OperationGroup(key, waiting.list()));
        }
        return failed.isEmpty() ? new State.Idle() : new State.GaveUp(failed);
    }

    /** The operations in hand, or else those that wait; empty for none. */
    public Optional<OperationGroup> group() {
        return switch (state()) {
            case State.InHand(OperationGroup group) -> Optional.of(group);
            case State.Waiting(OperationGroup group) -> Optional.of(group);
            case State.GaveUp gaveUp -> Optional.empty();
            case State.Idle idle -> Optional.empty();
        };
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

    /** How urgent those that wait are, of which there are some. Made once, like its plans. */
    public Urgency urgency() {
        Urgency made = urgency;
        if (made == null) {
            made = Urgency.of(this, new OperationGroup(key, waiting.list()));
            urgency = made;
        }
        return made;
    }

    /** The operations in hand, and those that wait. */
    public List<OperationGroup> groups() {
        List<OperationGroup> groups = new ArrayList<>(2);
        if (inHand != null) {
            groups.add(inHand);
        }
        if (!waiting.isEmpty()) {
            groups.add(new OperationGroup(key, waiting.list()));
        }
        return groups;
    }

    /** With an operation behind those that wait. */
    public Pool appended(PendingOperation operation) {
        return with(pool -> pool.waiting = waiting.and(operation));
    }

    /** Whether the Service has an {@link Operation.Sync} that waits. */
    public boolean hasSync(ServiceName service) {
        return indexOfSync(waiting.list(), service) >= 0;
    }

    private static int indexOfSync(List<PendingOperation> operations, ServiceName service) {
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i).operation() instanceof Operation.Sync sync
                    && sync.service().equals(service)) {
                return i;
            }
        }
        return -1;
    }

    /** The wanted set of a Service changed that has an {@link Operation.Sync} that waits. */
    public Pool changed(ServiceName service) {
        List<PendingOperation> now = new ArrayList<>(waiting.list());
        int index = indexOfSync(now, service);
        now.set(index, now.get(index).changed());
        return with(pool -> pool.waiting = Waiting.of(now));
    }

    /** A lane takes the operations that wait, at least one; what arrives from now on waits for a rest only. */
    public Pool taken() {
        return with(pool -> {
            pool.inHand = new OperationGroup(key, waiting.list());
            pool.waiting = Waiting.NONE;
            pool.notBefore = restsUntil;
        });
    }

    /** What was taken is no longer in hand. */
    public Pool finished() {
        return with(pool -> {
            pool.inHand = null;
            pool.forgetAttempts();
        });
    }

    /** With operations back in front of those that arrived in the meantime; two {@link Operation.Sync} become one. */
    public Pool returned(List<PendingOperation> operations) {
        List<PendingOperation> newer = new ArrayList<>(waiting.list());
        List<PendingOperation> all = new ArrayList<>(operations.size() + newer.size());
        for (PendingOperation operation : operations) {
            int again = operation.operation() instanceof Operation.Sync sync ? indexOfSync(newer, sync.service()) : -1;
            all.add(again < 0 ? operation : operation.yieldTo(newer.remove(again)));
        }
        all.addAll(newer);
        return with(pool -> pool.waiting = Waiting.of(all));
    }

    /** Without some of the operations that wait. */
    public Pool withoutWaiting(Predicate<PendingOperation> condition) {
        List<PendingOperation> rest = new ArrayList<>(waiting.list());
        rest.removeIf(condition);
        return with(pool -> {
            pool.waiting = Waiting.of(rest);
            if (rest.isEmpty()) {
                pool.notBefore = restsUntil;
            }
            pool.forgetAttempts();
        });
    }

    /** Nothing is left that an earlier attempt may have been about. */
    private void forgetAttempts() {
        if (waiting.isEmpty() && inHand == null) {
            heldByGuard = false;
            kept = false;
            notBefore = restsUntil;
        }
    }

    /** Without anything that a term had to do. */
    public Pool idle() {
        return with(pool -> {
            pool.waiting = Waiting.NONE;
            pool.inHand = null;
            pool.restsUntil = Instant.MIN;
            pool.forgetAttempts();
        });
    }

    // --- until when they wait ---

    /** Delays all operations until the given time, including those that arrive later. */
    public Pool resting(Instant until) {
        return with(pool -> {
            pool.restsUntil = until;
            pool.notBefore = until;
        });
    }

    /** The same, unless its rest is not over. */
    Pool rested(Instant now) {
        return restsUntil.isAfter(now) ? this : with(pool -> pool.restsUntil = Instant.MIN);
    }

    /** Holds the operations that wait now until the given time or {@link #released}. */
    public Pool holding(Instant until, boolean byGuard) {
        return with(pool -> {
            pool.heldByGuard = byGuard;
            pool.notBefore = later(restsUntil, until);
        });
    }

    /** Ends {@link #holding}. */
    public Pool released() {
        return with(pool -> {
            pool.heldByGuard = false;
            pool.notBefore = restsUntil;
        });
    }

    /** Whether a guard holds the operations that wait. */
    public boolean isHeldByGuard() {
        return heldByGuard;
    }

    /** Whether the last attempt came to no end. */
    public boolean isKept() {
        return kept;
    }

    public Pool withKept(boolean now) {
        return kept == now ? this : with(pool -> pool.kept = now);
    }

    /**
     * When all operations that wait may be tried; {@link Instant#MIN} for immediately, {@link Instant#MAX} if none
     * waits.
     *
     * @param gather how long it waits after its first change to batch further changes
     */
    public Instant eligibleAt(Duration gather) {
        if (waiting.isEmpty()) {
            return Instant.MAX;
        }
        List<PendingOperation> operations = waiting.list();
        Instant latest = notBefore;
        for (PendingOperation pending : operations) {
            Instant its = pending.nextEligibleAt();
            latest = its == null ? latest : later(latest, its);
        }
        return gather.isZero()
                ? latest
                : later(latest, OperationGroup.since(operations).plus(gather));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}

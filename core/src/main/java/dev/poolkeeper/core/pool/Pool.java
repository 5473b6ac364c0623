package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All that an engine knows of one pool. Guarded by the lock of {@link Pools}. */
public final class Pool {

    /** Orders pools by the time at which they may be tried. */
    public static final Comparator<Pool> BY_ELIGIBILITY =
            Comparator.comparing((Pool pool) -> pool.eligibleAt).thenComparingLong(pool -> pool.number);

    /** Its key, in the spelling in which it was first known. */
    public final PoolKey key;

    /** Unique within the engine. */
    private final long number;

    /** What its Services want in it. */
    Wants wants = Wants.NONE;

    /** Its contents; null if it was not in the last listing and not read or written since. */
    @Nullable
    KnownPool known;

    /** Why its update was held at the last attempt; null if it was not. */
    @Nullable
    HeldUpdate held;

    /** The Services whose last report was a permanent failure. */
    final Set<ServiceName> failed = new HashSet<>(0);

    /** The holds that are reported on its Services. */
    final Set<Report> reported = new HashSet<>(0);

    /** Null if no other writer changes it back. */
    @Nullable
    Fight fight;

    /** Null if ARM did not deny access to it when it was last called. */
    @Nullable
    Refusal refusal;

    /** The operations that wait, in order of their sequence. Nearly all pools have one. */
    private final ArrayList<PendingOperation> waiting = new ArrayList<>(0);

    /** The operations that a lane has taken and not finished; null for none. */
    private @Nullable OperationGroup inHand;

    /** None of its operations may be tried before this time, including those that arrive later. */
    private Instant restsUntil = Instant.MIN;

    /** The operations that wait now may not be tried before this time, regardless of their own. */
    private Instant notBefore = Instant.MIN;

    /** When all operations that wait may be tried, as last computed; {@link Instant#MIN} for immediately. */
    private Instant eligibleAt = Instant.MIN;

    /** Whether a guard holds the operations that wait. */
    private boolean isHeldByGuard;

    /** Whether the last attempt came to no end. */
    private boolean wasKept;

    /** A hold for this cause was reported on the Service, and the cause has not ended since. */
    record Report(ServiceName service, Held.By by) {}

    Pool(PoolKey key, long number) {
        this.key = key;
        this.number = number;
    }

    /** Whether nothing is known of it, and nothing is to be done. */
    boolean isForgettable() {
        return wants.isEmpty()
                && known == null
                && held == null
                && failed.isEmpty()
                && fight == null
                && waiting.isEmpty()
                && inHand == null;
    }

    // --- the operations that wait, and those in hand ---

    /** The operations that wait, in order. */
    public List<PendingOperation> waiting() {
        return List.copyOf(waiting);
    }

    /** The number of operations that wait. */
    public int size() {
        return waiting.size();
    }

    /** The place of the last operation that waits, of which there is at least one. */
    public long lastSequence() {
        return waiting.get(waiting.size() - 1).sequence();
    }

    /** The operations that wait, of which there is at least one. */
    public OperationGroup group() {
        return new OperationGroup(key, waiting);
    }

    /** The operations that a lane has taken; null for none. */
    public @Nullable OperationGroup inHand() {
        return inHand;
    }

    /** The operations in hand, then those that wait. */
    public List<PendingOperation> pending() {
        List<PendingOperation> pending = new ArrayList<>(inHand == null ? List.of() : inHand.operations());
        pending.addAll(waiting);
        return pending;
    }

    /** Adds an operation behind those that wait. */
    public void append(PendingOperation operation) {
        waiting.add(operation);
    }

    /** Whether the Service has an {@link Operation.Sync} that waits. */
    public boolean hasSync(ServiceName service) {
        return indexOfSync(service) >= 0;
    }

    /** The wanted set of a Service changed that has an {@link Operation.Sync} that waits. */
    public void changed(ServiceName service) {
        int index = indexOfSync(service);
        waiting.set(index, waiting.get(index).changed());
    }

    private int indexOfSync(ServiceName service) {
        for (int i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).operation() instanceof Operation.Sync sync
                    && sync.service().equals(service)) {
                return i;
            }
        }
        return -1;
    }

    /** A lane takes all operations that wait; what arrives from now on waits for a rest only. */
    public OperationGroup take() {
        OperationGroup group = group();
        inHand = group;
        waiting.clear();
        waiting.trimToSize();
        notBefore = restsUntil;
        return group;
    }

    /** What was taken is no longer in hand. */
    public void finish() {
        inHand = null;
        forgetAttempts();
    }

    /**
     * Puts operations back in front of those that arrived in the meantime; merges two {@link Operation.Sync} into one.
     */
    public void putBack(List<PendingOperation> returned) {
        List<PendingOperation> merged = new ArrayList<>(returned.size() + waiting.size());
        for (PendingOperation operation : returned) {
            int newer = operation.operation() instanceof Operation.Sync sync ? indexOfSync(sync.service()) : -1;
            merged.add(newer < 0 ? operation : operation.yieldTo(waiting.remove(newer)));
        }
        waiting.addAll(0, merged);
    }

    /** Drops operations that wait. Returns the number dropped. */
    public int removeIf(Predicate<PendingOperation> condition) {
        int before = waiting.size();
        waiting.removeIf(condition);
        if (waiting.isEmpty()) {
            notBefore = restsUntil;
        }
        forgetAttempts();
        return before - waiting.size();
    }

    /** Nothing is left that an earlier attempt may have been about. */
    private void forgetAttempts() {
        if (waiting.isEmpty() && inHand == null) {
            isHeldByGuard = false;
            wasKept = false;
        }
    }

    /** Everything that a term had to do ends with it. */
    public void clear() {
        waiting.clear();
        waiting.trimToSize();
        inHand = null;
        restsUntil = Instant.MIN;
        notBefore = Instant.MIN;
        forgetAttempts();
    }

    // --- until when they wait ---

    /** Delays all operations until the given time, including those that arrive later. */
    public void rest(Instant until) {
        restsUntil = until;
        notBefore = until;
    }

    /** Holds the operations now waiting until the given time or {@link #release}. */
    public void hold(Instant until, boolean byGuard) {
        isHeldByGuard |= byGuard;
        notBefore = later(restsUntil, until);
    }

    /** Ends {@link #hold}. */
    public void release() {
        isHeldByGuard = false;
        notBefore = restsUntil;
    }

    /** Whether a guard holds the operations that wait. */
    public boolean isHeldByGuard() {
        return isHeldByGuard;
    }

    /** Notes whether the last attempt came to no end. Returns whether the one before it did not either. */
    public boolean setKept(boolean now) {
        boolean before = wasKept;
        wasKept = now;
        return before;
    }

    /**
     * Computes {@link #eligibleAt} anew.
     *
     * @param gather how long it waits after its first change to batch further changes
     */
    public void settle(Duration gather) {
        Instant latest = notBefore;
        for (PendingOperation pending : waiting) {
            Instant its = pending.nextEligibleAt();
            latest = its == null ? latest : later(latest, its);
        }
        if (!gather.isZero() && !waiting.isEmpty()) {
            latest = later(latest, OperationGroup.since(waiting).plus(gather));
        }
        eligibleAt = waiting.isEmpty() ? Instant.MIN : latest;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /** When all operations that wait may be tried; {@link Instant#MIN} for immediately. */
    public Instant eligibleAt() {
        return eligibleAt;
    }

    /** Whether the operations that wait may be tried. */
    public boolean isDue(Instant now) {
        return !eligibleAt.isAfter(now);
    }
}

package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one term has to do for one pool: the operations that wait, in order of their sequence, those that a lane has
 * taken, and until when they wait. Nearly all pools have one operation, so the array starts with one slot. Guarded by
 * the queue's lock.
 */
final class Bucket {

    /** Orders buckets by the time at which they may be tried. */
    static final Comparator<Bucket> BY_ELIGIBILITY =
            Comparator.comparing((Bucket bucket) -> bucket.eligibleAt).thenComparingLong(bucket -> bucket.number);

    final PoolKey pool;

    /** Unique within the queue. */
    private final long number;

    /** None of its operations may be tried before this time, including those that arrive later. */
    Instant restsUntil = Instant.MIN;

    /** The operations that wait now may not be tried before this time, regardless of their own. */
    Instant notBefore = Instant.MIN;

    /** The result of {@link #latestEligibleAt} when the queue last computed it. */
    Instant eligibleAt = Instant.MIN;

    /** Whether a guard held the last attempt. */
    boolean isHeldByGuard;

    /** Whether the last attempt came to no end. */
    boolean wasKept;

    /** What a lane has taken and not finished; null for nothing. */
    @Nullable
    OperationGroup taken;

    private @Nullable PendingOperation[] operations = new PendingOperation[1];
    private int size;

    Bucket(PoolKey pool, long number) {
        this.pool = pool;
        this.number = number;
    }

    /** Whether nothing of it has to be kept. */
    boolean isForgettable(Instant now) {
        return size == 0 && taken == null && !isHeldByGuard && !wasKept && !restsUntil.isAfter(now);
    }

    /** A lane takes all operations; what arrives from now on waits for a rest only. */
    OperationGroup take() {
        OperationGroup group = toGroup();
        taken = group;
        operations = new PendingOperation[1];
        size = 0;
        notBefore = restsUntil;
        return group;
    }

    /** The operations that a lane has taken, then those that wait. */
    List<PendingOperation> pending() {
        OperationGroup group = taken;
        if (group == null) {
            return operations();
        }
        List<PendingOperation> pending = new ArrayList<>(group.operations());
        pending.addAll(operations());
        return pending;
    }

    /** The index of the Service's {@link Operation.Sync}, or -1. */
    int indexOfSync(ServiceName service) {
        for (int i = 0; i < size; i++) {
            if (get(i).operation() instanceof Operation.Sync sync
                    && sync.service().equals(service)) {
                return i;
            }
        }
        return -1;
    }

    @SuppressWarnings("NullAway") // elements below size are not null
    PendingOperation get(int index) {
        return operations[index];
    }

    void set(int index, PendingOperation operation) {
        operations[index] = operation;
    }

    void append(PendingOperation operation) {
        if (size == operations.length) {
            operations = Arrays.copyOf(operations, 2 * size);
        }
        operations[size++] = operation;
    }

    /**
     * Puts operations back in front of those that arrived in the meantime; merges two {@link Operation.Sync} into one.
     */
    void putBack(List<PendingOperation> returned) {
        List<PendingOperation> merged = new ArrayList<>(returned.size() + size);
        for (PendingOperation operation : returned) {
            int newer = operation.operation() instanceof Operation.Sync sync ? indexOfSync(sync.service()) : -1;
            merged.add(newer < 0 ? operation : operation.yieldTo(take(newer)));
        }
        merged.addAll(operations());
        size = merged.size();
        operations = merged.toArray(PendingOperation[]::new);
    }

    private PendingOperation take(int index) {
        PendingOperation taken = get(index);
        System.arraycopy(operations, index + 1, operations, index, size - index - 1);
        operations[--size] = null;
        return taken;
    }

    /** Drops operations. Returns the number dropped. */
    int removeIf(Predicate<PendingOperation> condition) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            PendingOperation operation = get(i);
            if (!condition.test(operation)) {
                operations[kept++] = operation;
            }
        }
        Arrays.fill(operations, kept, size, null);
        int dropped = size - kept;
        size = kept;
        return dropped;
    }

    int size() {
        return size;
    }

    /**
     * When all of them may be tried; {@link Instant#MIN} for immediately.
     *
     * @param gather how long the pool waits after its first change to batch further changes
     */
    Instant latestEligibleAt(Duration gather) {
        Instant latest = gather.isZero() ? notBefore : later(notBefore, since().plus(gather));
        for (int i = 0; i < size; i++) {
            Instant instant = get(i).nextEligibleAt();
            if (instant != null) {
                latest = later(latest, instant);
            }
        }
        return latest;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /** When the first of them was queued. */
    private Instant since() {
        Instant first = get(0).since();
        for (int i = 1; i < size; i++) {
            first = get(i).since().isBefore(first) ? get(i).since() : first;
        }
        return first;
    }

    /** Whether the operations may be tried. */
    boolean isDue(Instant now) {
        return !eligibleAt.isAfter(now);
    }

    OperationGroup toGroup() {
        return new OperationGroup(pool, operations());
    }

    @SuppressWarnings("NullAway") // elements below size are not null
    List<PendingOperation> operations() {
        return List.of(size == operations.length ? operations : Arrays.copyOf(operations, size));
    }
}

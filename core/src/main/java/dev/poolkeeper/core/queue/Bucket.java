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
 * The waiting operations of one pool, in order of their sequence. Buckets are many and nearly all of them hold one:
 * hence an array that starts with one place. Guarded by the queue's lock.
 */
final class Bucket {

    /** Those that may be tried first come first. */
    static final Comparator<Bucket> BY_ELIGIBILITY =
            Comparator.comparing((Bucket bucket) -> bucket.eligibleAt).thenComparingLong(bucket -> bucket.number);

    final PoolKey pool;

    /** No other bucket of the queue has it. */
    private final long number;

    /** None of its operations may be tried before, whatever they say. */
    Instant notBefore;

    /** As {@link #latestEligibleAt} was when the queue last looked. */
    Instant eligibleAt = Instant.MIN;

    private @Nullable PendingOperation[] operations = new PendingOperation[1];
    private int size;

    Bucket(PoolKey pool, long number, Instant notBefore) {
        this.pool = pool;
        this.number = number;
        this.notBefore = notBefore;
    }

    /** Where the Service's {@link Operation.Sync} is, or -1. */
    int indexOfSync(ServiceName service) {
        for (int i = 0; i < size; i++) {
            if (get(i).operation() instanceof Operation.Sync sync
                    && sync.service().equals(service)) {
                return i;
            }
        }
        return -1;
    }

    @SuppressWarnings("NullAway") // there is one below size
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
     * Puts back operations before those that have arrived in the meantime; two of {@link Operation.Sync} become one.
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

    /** Drops operations. Returns how many. */
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
     * When all of them may be tried; {@link Instant#MIN} for at once.
     *
     * @param gather how long the pool waits after its first change, for others to come
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

    /** Whether it may be tried. */
    boolean isDue(Instant now) {
        return !eligibleAt.isAfter(now);
    }

    OperationGroup toGroup() {
        return new OperationGroup(pool, operations());
    }

    @SuppressWarnings("NullAway") // none is null below size
    List<PendingOperation> operations() {
        return List.of(size == operations.length ? operations : Arrays.copyOf(operations, size));
    }
}

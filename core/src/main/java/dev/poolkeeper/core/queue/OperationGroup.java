package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * The operations of one pool, in order of arrival. Immutable.
 *
 * @param pool the pool, in the spelling of the operation that came first
 * @param operations at least one
 */
public record OperationGroup(PoolKey pool, List<PendingOperation> operations) {

    public OperationGroup {
        operations = List.copyOf(operations);
    }

    /** The group's place among others: that of its first operation. */
    public long sequence() {
        return operations.get(0).sequence();
    }

    /** Whether any of its operations has to wait; then all of them do. */
    public boolean isParked(Instant now) {
        return any(operation -> operation.isParked(now));
    }

    /** Whether it was sent before. */
    public boolean isRetry() {
        return any(operation -> operation.retryCount() > 0);
    }

    /** Whether anybody waits to hear how a retry ended. */
    public boolean isRetryReported() {
        return any(PendingOperation::retryReported);
    }

    private boolean any(Predicate<PendingOperation> condition) {
        return operations.stream().anyMatch(condition);
    }

    /** What of the group is still to be done. */
    public List<PendingOperation> filter(Predicate<PendingOperation> condition) {
        return operations.stream().filter(condition).toList();
    }
}

package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one pool, in order of arrival. Immutable. Called several times per update, so it uses loops instead
 * of streams.
 *
 * @param pool the pool
 * @param operations at least one
 */
public record OperationGroup(PoolKey pool, List<PendingOperation> operations) {

    public OperationGroup {
        operations = List.copyOf(operations);
    }

    /** The group's position in the queue, which is that of its first operation. */
    public long sequence() {
        return operations.get(0).sequence();
    }

    /** The time of its first change that no update has included. */
    public Instant since() {
        Instant first = Instant.MAX;
        for (PendingOperation operation : operations) {
            first = operation.since().isBefore(first) ? operation.since() : first;
        }
        return first;
    }

    /** The time of its first change that no update has taken up; of its first if all were, and guards hold the rest. */
    public Instant waitsSince() {
        Instant first = notTakenUp(operations);
        return first == null ? since() : first;
    }

    static @Nullable Instant notTakenUp(List<PendingOperation> operations) {
        Instant first = null;
        for (PendingOperation operation : operations) {
            first = PendingOperation.earlier(first, operation.notTakenUp());
        }
        return first;
    }

    /** The group after an update that left out what a guard holds. */
    public OperationGroup leftOut() {
        return new OperationGroup(
                pool, operations.stream().map(PendingOperation::leftOut).toList());
    }

    /** The distinct Services of its operations, in order. */
    public List<ServiceName> services() {
        return operations.size() == 1
                ? List.of(operations.get(0).operation().service())
                : operations.stream()
                        .map(pending -> pending.operation().service())
                        .distinct()
                        .toList();
    }

    /** How often the operation of which the most attempts failed was tried. */
    public int retryCount() {
        int most = 0;
        for (PendingOperation operation : operations) {
            most = Math.max(most, operation.retryCount());
        }
        return most;
    }

    /** When all of its operations may be tried again; empty if none has to wait. */
    public Optional<Instant> nextEligibleAt() {
        return operations.stream()
                .map(PendingOperation::nextEligibleAt)
                .filter(Objects::nonNull)
                .max(Comparator.<Instant>naturalOrder());
    }

    /** Whether an earlier attempt was sent. */
    public boolean isRetry() {
        return retryCount() > 0;
    }

    /** Whether a retry was reported on a Service and its outcome is not reported yet. */
    public boolean isRetryReported() {
        return any(PendingOperation::retryReported);
    }

    private boolean any(Predicate<PendingOperation> condition) {
        for (PendingOperation operation : operations) {
            if (condition.test(operation)) {
                return true;
            }
        }
        return false;
    }
}

package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The waiting operations of one pool, in order of their sequence. Guarded by the queue's lock. */
final class Bucket {

    final PoolKey pool;
    private List<PendingOperation> operations = new ArrayList<>(1);

    /** When the whole group may be tried: the latest of its operations' instants. Fresh operations have none. */
    private Instant eligibleAt = Instant.MIN;

    Bucket(PoolKey pool) {
        this.pool = pool;
    }

    /** The one operation of the Service in a queue that supersedes, or -1. */
    int indexOf(ServiceName service) {
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i).operation().service().equals(service)) {
                return i;
            }
        }
        return -1;
    }

    PendingOperation get(int index) {
        return operations.get(index);
    }

    void set(int index, PendingOperation operation) {
        operations.set(index, operation);
    }

    void append(PendingOperation operation) {
        operations.add(operation);
    }

    /** Puts back operations that came before all that have arrived meanwhile; where told to, merging with them. */
    void putBack(List<PendingOperation> returned, boolean superseding) {
        List<PendingOperation> merged = new ArrayList<>(returned.size() + operations.size());
        for (PendingOperation operation : returned) {
            int newer = superseding ? indexOf(operation.operation().service()) : -1;
            merged.add(newer < 0 ? operation : operation.yieldTo(operations.remove(newer)));
        }
        merged.addAll(operations);
        operations = merged;
        findEligibleAt();
    }

    /** Drops the Service's operations. Returns how many. */
    int remove(ServiceName service) {
        int before = operations.size();
        operations.removeIf(operation -> operation.operation().service().equals(service));
        findEligibleAt();
        return before - operations.size();
    }

    /** Drops this very operation, if it is still as given. Returns how many. */
    int remove(PendingOperation operation) {
        int removed = operations.remove(operation) ? 1 : 0;
        findEligibleAt();
        return removed;
    }

    private void findEligibleAt() {
        eligibleAt = Instant.MIN;
        for (PendingOperation operation : operations) {
            Instant instant = operation.nextEligibleAt();
            if (instant != null && instant.isAfter(eligibleAt)) {
                eligibleAt = instant;
            }
        }
    }

    Instant eligibleAt() {
        return eligibleAt;
    }

    boolean isDue(Instant now) {
        return !eligibleAt.isAfter(now);
    }

    int size() {
        return operations.size();
    }

    OperationGroup toGroup() {
        return new OperationGroup(pool, operations);
    }

    List<PendingOperation> operations() {
        return operations;
    }
}

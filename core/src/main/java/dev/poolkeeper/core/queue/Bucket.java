package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;

/** The waiting operations of one pool, in order of their sequence. Guarded by the queue's lock. */
final class Bucket {

    final PoolKey pool;
    private List<PendingOperation> operations = new ArrayList<>(1);

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
    }

    /** Drops the Service's operations. Returns how many. */
    int remove(ServiceName service) {
        int before = operations.size();
        operations.removeIf(operation -> operation.operation().service().equals(service));
        return before - operations.size();
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

package dev.poolkeeper.core.pool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a pool that wait, in order. Immutable; adding one takes constant time, because in the model
 * {@code diff} thousands can wait behind a throttled one.
 */
final class Waiting {

    static final Waiting NONE = new Waiting(null, null, 0);

    private final @Nullable Waiting before;
    private final @Nullable PendingOperation last;
    private final int size;

    private Waiting(@Nullable Waiting before, @Nullable PendingOperation last, int size) {
        this.before = before;
        this.last = last;
        this.size = size;
    }

    static Waiting of(List<PendingOperation> operations) {
        Waiting waiting = NONE;
        for (PendingOperation operation : operations) {
            waiting = waiting.and(operation);
        }
        return waiting;
    }

    Waiting and(PendingOperation operation) {
        return new Waiting(size == 0 ? null : this, operation, size + 1);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** All of them, at a cost proportional to their number. */
    List<PendingOperation> list() {
        if (size == 1 && last != null) {
            return List.of(last); // nearly always
        }
        PendingOperation[] all = new PendingOperation[size];
        int next = size;
        for (Waiting one = this; one != null && one.last != null; one = one.before) {
            all[--next] = one.last;
        }
        return List.of(all);
    }
}

package dev.poolkeeper.core.retry;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * First attempts that were made and not yet counted, in several cells, so that threads do not wait for each other's
 * cache line. Thread-safe.
 */
final class DepositCells {

    private static final int CELLS = 8;

    /** Of longs between two cells: two cache lines, for processors fetch them in pairs. */
    private static final int DISTANCE = 16;

    private final AtomicLongArray cells = new AtomicLongArray((CELLS + 2) * DISTANCE);

    /** Adds one, and tells how many this thread's cell has then. */
    long add() {
        return cells.incrementAndGet(place(Thread.currentThread().threadId()));
    }

    /** Takes out what is there. */
    long takeAll() {
        long all = 0;
        for (int i = 0; i < CELLS; i++) {
            int place = place(i);
            if (cells.get(place) != 0) {
                all += cells.getAndSet(place, 0);
            }
        }
        return all;
    }

    private static int place(long number) {
        return ((int) (number & (CELLS - 1)) + 1) * DISTANCE;
    }
}

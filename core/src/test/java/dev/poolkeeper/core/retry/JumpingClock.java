package dev.poolkeeper.core.retry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Nanoseconds set by a test, even backwards, unlike a monotonic clock. Thread-safe. */
final class JumpingClock implements LongSupplier {

    private final AtomicLong nanos = new AtomicLong(-987_654_321_012L);

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    /** @param step negative to set the clock back */
    void advance(Duration step) {
        nanos.addAndGet(step.toNanos());
    }
}

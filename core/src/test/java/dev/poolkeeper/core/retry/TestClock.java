package dev.poolkeeper.core.retry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Nanoseconds that stand still until told, from an origin that is nobody's epoch. */
final class TestClock implements LongSupplier {

    private final AtomicLong nanos = new AtomicLong(-987_654_321_012L);

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    void advance(Duration step) {
        nanos.addAndGet(step.toNanos());
    }
}

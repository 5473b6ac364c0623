package dev.poolkeeper.fake;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.UpdaterMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the observed outcomes. Thread-safe. */
public final class FakeMetrics implements UpdaterMetrics {

    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong retriesRefused = new AtomicLong();
    private final List<Duration> changesWritten = new ArrayList<>();

    @Override
    public Update started(PoolKey pool) {
        return new Update() {
            @Override
            public void succeeded() {
                succeeded.incrementAndGet();
            }

            @Override
            public void failed() {
                failed.incrementAndGet();
            }

            @Override
            public void retried(Failure cause) {
                retried.incrementAndGet();
            }
        };
    }

    @Override
    public synchronized void changeWritten(PoolKey pool, Duration took) {
        changesWritten.add(took);
    }

    /** The time each change took from the cluster to its pool, in the order of the writes. */
    public synchronized List<Duration> changesWritten() {
        return List.copyOf(changesWritten);
    }

    @Override
    public void retryRefused(PoolKey pool) {
        retriesRefused.incrementAndGet();
    }

    public long succeeded() {
        return succeeded.get();
    }

    public long failed() {
        return failed.get();
    }

    public long retried() {
        return retried.get();
    }

    public long retriesRefused() {
        return retriesRefused.get();
    }
}

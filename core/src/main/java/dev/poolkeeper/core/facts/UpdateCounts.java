package dev.poolkeeper.core.facts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Counts the outcomes of updates. Thread-safe. Source: design document, <em>Metrics</em>. */
public final class UpdateCounts implements Consumer<Fact> {

    private long succeeded;
    private long failed;
    private long retried;
    private long retriesRefused;
    private final List<Duration> changesWritten = new ArrayList<>();

    @Override
    public synchronized void accept(Fact fact) {
        switch (fact) {
            case Fact.Updated updated -> succeeded++;
            case Fact.GaveUp gaveUp -> failed++;
            case Fact.Retrying retrying -> retried++;
            case Fact.RetryRefused refused -> retriesRefused++;
            case Fact.ChangeWritten written -> changesWritten.add(written.took());
            default -> {}
        }
    }

    /** Updates that succeeded and were reported. */
    public synchronized long succeeded() {
        return succeeded;
    }

    /** Attempts after which operations were given up. */
    public synchronized long failed() {
        return failed;
    }

    /** Attempts after which operations were queued again. */
    public synchronized long retried() {
        return retried;
    }

    public synchronized long retriesRefused() {
        return retriesRefused;
    }

    /** The time each change took from the cluster to its pool, in the order of the writes. */
    public synchronized List<Duration> changesWritten() {
        return List.copyOf(changesWritten);
    }
}

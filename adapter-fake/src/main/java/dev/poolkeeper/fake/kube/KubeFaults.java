package dev.poolkeeper.fake.kube;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** What goes wrong at the emulated API server, until told otherwise. Thread-safe. */
public final class KubeFaults {

    private final Runnable changed;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private volatile boolean unreachable;
    private volatile boolean silentWatches;
    private volatile boolean goneAsStatus;
    private volatile long watchLag;

    private record Rule(Predicate<RecordedRequest> requests, int status, AtomicInteger left) {}

    KubeFaults(Runnable changed) {
        this.changed = changed;
    }

    /** Refuses these requests with 403, as missing RBAC would. */
    public void deny(Predicate<RecordedRequest> requests) {
        fail(requests, 403, Integer.MAX_VALUE);
    }

    /**
     * Answers these requests with an error status.
     *
     * @param times how many of them, counted over all of them
     */
    public void fail(Predicate<RecordedRequest> requests, int status, int times) {
        rules.add(new Rule(requests, status, new AtomicInteger(times)));
    }

    /** Closes connections instead of answering, those of watches too. */
    public void unreachable(boolean now) {
        unreachable = now;
        changed.run();
    }

    /** Keeps watches open, old and new ones, and says nothing on them: a half-open connection. */
    public void silentWatches(boolean now) {
        silentWatches = now;
        changed.run();
    }

    /** Keeps watches this many changes behind. */
    public void watchLag(long changes) {
        watchLag = changes;
        changed.run();
    }

    /** Whether a watch from a compacted version is refused with HTTP 410; else with 200 and an ERROR event. */
    public void goneAsStatus(boolean now) {
        goneAsStatus = now;
    }

    /** Everything is well again. */
    public void clear() {
        rules.clear();
        unreachable = false;
        silentWatches = false;
        goneAsStatus = false;
        watchLag = 0;
        changed.run();
    }

    /** The error status for a request, if it shall have one. */
    Optional<Integer> statusFor(RecordedRequest request) {
        for (Rule rule : rules) {
            if (rule.requests.test(request) && rule.left.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return Optional.of(rule.status);
            }
        }
        return Optional.empty();
    }

    boolean isUnreachable() {
        return unreachable;
    }

    boolean areWatchesSilent() {
        return silentWatches;
    }

    boolean isGoneAStatus() {
        return goneAsStatus;
    }

    long watchLag() {
        return watchLag;
    }
}

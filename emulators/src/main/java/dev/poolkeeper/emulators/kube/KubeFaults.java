package dev.poolkeeper.emulators.kube;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Faults of the emulated API server, in effect until cleared. Thread-safe. */
public final class KubeFaults {

    private final Runnable changed;
    private final List<Rule> failing = new CopyOnWriteArrayList<>();
    private final List<Predicate<RecordedRequest>> denied = new CopyOnWriteArrayList<>();
    private final List<Predicate<RecordedRequest>> dropped = new CopyOnWriteArrayList<>();
    private final List<Predicate<RecordedRequest>> held = new CopyOnWriteArrayList<>();
    private final List<Predicate<RecordedRequest>> unanswered = new CopyOnWriteArrayList<>();
    private volatile boolean unreachable;
    private volatile boolean silentWatches;
    private volatile boolean goneAsStatus;
    private volatile boolean refusesWatchLists;
    private volatile long watchLag;

    private record Rule(Predicate<RecordedRequest> requests, int status, AtomicInteger left) {}

    KubeFaults(Runnable changed) {
        this.changed = changed;
    }

    private void add(List<Predicate<RecordedRequest>> rules, Predicate<RecordedRequest> requests) {
        rules.add(requests);
        changed.run();
    }

    /**
     * Refuses these requests with 403, like missing RBAC permissions; a SelfSubjectAccessReview for them reports the
     * same.
     */
    public void deny(Predicate<RecordedRequest> requests) {
        add(denied, requests);
    }

    /**
     * Fails these requests with an error status.
     *
     * @param times the total number of requests to fail
     */
    public void fail(Predicate<RecordedRequest> requests, int status, int times) {
        failing.add(new Rule(requests, status, new AtomicInteger(times)));
    }

    /** Closes connections instead of responding, including those of watches. */
    public void unreachable(boolean now) {
        unreachable = now;
        changed.run();
    }

    /** Closes the connections of these requests instead of serving them, including those of open watches. */
    public void drop(Predicate<RecordedRequest> requests) {
        add(dropped, requests);
    }

    /**
     * Lets these requests hang, and sends nothing on these watches. They are served when the fault is lifted, whether
     * or not the client still waits for the response.
     */
    public void hold(Predicate<RecordedRequest> requests) {
        add(held, requests);
    }

    /** Serves these requests and closes their connections without a response. Watches are not affected. */
    public void loseAnswers(Predicate<RecordedRequest> requests) {
        add(unanswered, requests);
    }

    /** Keeps all watches open but sends nothing on them, like a half-open connection. */
    public void silentWatches(boolean now) {
        silentWatches = now;
        changed.run();
    }

    /** Keeps watches this many changes behind. */
    public void watchLag(long changes) {
        watchLag = changes;
        changed.run();
    }

    /** Whether a watch from a compacted version is refused with HTTP 410 rather than with 200 and an ERROR event. */
    public void goneAsStatus(boolean now) {
        goneAsStatus = now;
    }

    /** Whether watches with {@code sendInitialEvents} are refused with 422, as by API servers without that feature. */
    public void refuseWatchLists(boolean now) {
        refusesWatchLists = now;
    }

    /** Clears all faults. */
    public void clear() {
        for (List<?> rules : List.of(failing, denied, dropped, held, unanswered)) {
            rules.clear();
        }
        unreachable = false;
        silentWatches = false;
        goneAsStatus = false;
        refusesWatchLists = false;
        watchLag = 0;
        changed.run();
    }

    /** The error status for a request, if it must fail. */
    Optional<Integer> statusFor(RecordedRequest request) {
        for (Rule rule : failing) {
            if (rule.requests.test(request) && rule.left.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return Optional.of(rule.status);
            }
        }
        return Optional.empty();
    }

    private static boolean hasRuleFor(RecordedRequest request, List<Predicate<RecordedRequest>> rules) {
        for (Predicate<RecordedRequest> rule : rules) {
            if (rule.test(request)) {
                return true;
            }
        }
        return false;
    }

    boolean isDenied(RecordedRequest request) {
        return hasRuleFor(request, denied);
    }

    boolean isHeld(RecordedRequest request) {
        return hasRuleFor(request, held);
    }

    boolean isUnanswered(RecordedRequest request) {
        return hasRuleFor(request, unanswered);
    }

    boolean isUnreachable() {
        return unreachable;
    }

    boolean isCut(RecordedRequest request) {
        return unreachable || hasRuleFor(request, dropped);
    }

    boolean isSilent(RecordedRequest watch) {
        return silentWatches || isHeld(watch);
    }

    boolean isGoneAStatus() {
        return goneAsStatus;
    }

    boolean refusesWatchLists() {
        return refusesWatchLists;
    }

    long watchLag() {
        return watchLag;
    }
}

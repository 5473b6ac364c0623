package dev.poolkeeper.emulators.kube;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** What goes wrong at the emulated API server, until it is cleared. Thread-safe. */
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

    /** Refuses these requests with 403, as missing RBAC would; a SelfSubjectAccessReview about them says so too. */
    public void deny(Predicate<RecordedRequest> requests) {
        add(denied, requests);
    }

    /**
     * Answers these requests with an error status.
     *
     * @param times how many of them, counted over all of them
     */
    public void fail(Predicate<RecordedRequest> requests, int status, int times) {
        failing.add(new Rule(requests, status, new AtomicInteger(times)));
    }

    /** Closes connections instead of answering, those of watches too. */
    public void unreachable(boolean now) {
        unreachable = now;
        changed.run();
    }

    /** Closes the connections of these requests instead of serving them, those of open watches too. */
    public void drop(Predicate<RecordedRequest> requests) {
        add(dropped, requests);
    }

    /**
     * Lets these requests hang, and says nothing on these watches: what was sent takes long. They are served when the
     * fault is lifted, whether or not the client still waits for the answer.
     */
    public void hold(Predicate<RecordedRequest> requests) {
        add(held, requests);
    }

    /** Serves these requests and closes their connections without an answer. Watches are left alone. */
    public void loseAnswers(Predicate<RecordedRequest> requests) {
        add(unanswered, requests);
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

    /** Whether watches with {@code sendInitialEvents} are refused with 422, as by API servers without that feature. */
    public void refuseWatchLists(boolean now) {
        refusesWatchLists = now;
    }

    /** Everything is well again. */
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

    /** The error status for a request, if it is to have one. */
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

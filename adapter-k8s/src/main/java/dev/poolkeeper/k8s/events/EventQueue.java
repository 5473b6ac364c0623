package dev.poolkeeper.k8s.events;

import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queued Events, in order within each namespace. Namespaces take turns, and the Events of one namespace that cannot
 * be written delay no other. If there is no room, the namespace with the most queued Events loses its newest one, but
 * never the Event that is being written. Thread-safe.
 */
final class EventQueue {

    private final int most;
    private final Map<String, Turn> turns = new LinkedHashMap<>();
    private int size;
    /** The namespace whose first Event is being written. */
    private @Nullable Turn writing;

    /** An Event, and when it happened. */
    record Waiting(ServiceEvent event, Instant at) {}

    /** The Events of one namespace; all but its queue is used by the writing thread only. */
    static final class Turn {

        private final Deque<Waiting> events = new ArrayDeque<>();
        private long notBeforeNanos;
        private boolean waits;

        /** The correlation of the first Event, once it was tried. */
        KubernetesServiceEvents.@Nullable InProgress inProgress;

        /** How often the first Event failed. */
        int failures;

        Waiting first() {
            return events.getFirst();
        }

        private boolean isDue(long now) {
            return !waits || notBeforeNanos - now <= 0;
        }
    }

    /** @param most how many Events may be queued in all */
    EventQueue(int most) {
        this.most = most;
    }

    /** Returns false if an Event was dropped: this one, or one of a namespace with more of them. */
    synchronized boolean add(Waiting waiting) {
        turns.computeIfAbsent(waiting.event().service().namespace(), namespace -> new Turn())
                .events
                .addLast(waiting);
        size++;
        if (size <= most) {
            return true;
        }
        Turn longest = turns.values().stream()
                .max((a, b) -> Integer.compare(droppable(a), droppable(b)))
                .orElseThrow();
        longest.events.removeLast();
        size--;
        turns.values().removeIf(turn -> turn.events.isEmpty());
        return false;
    }

    private int droppable(Turn turn) {
        return turn.events.size() - (turn == writing ? 1 : 0);
    }

    /** The next namespace whose first Event may be tried now; it goes behind the others. */
    synchronized Optional<Turn> next(long now) {
        for (Map.Entry<String, Turn> entry : turns.entrySet()) {
            Turn turn = entry.getValue();
            if (turn.isDue(now)) {
                turns.remove(entry.getKey());
                turns.put(entry.getKey(), turn);
                writing = turn;
                return Optional.of(turn);
            }
        }
        return Optional.empty();
    }

    /** The first Event of this namespace was written or given up. */
    synchronized void done(Turn turn) {
        writing = null;
        turn.events.removeFirst();
        turn.inProgress = null;
        turn.failures = 0;
        turn.waits = false;
        size--;
        turns.values().removeIf(each -> each.events.isEmpty());
    }

    /** The first Event of this namespace is tried again after the delay. */
    synchronized void retry(Turn turn, long now, Duration delay) {
        writing = null;
        turn.waits = true;
        turn.notBeforeNanos = now + delay.toNanos();
    }

    /** All namespaces wait for the delay: the API server does not answer. */
    synchronized void retryAll(long now, Duration delay) {
        turns.values().forEach(turn -> retry(turn, now, delay));
    }

    /** The time until the first retry; empty if nothing is queued. */
    synchronized Optional<Duration> untilNext(Time time) {
        long now = time.nanoTime();
        return turns.values().stream()
                .map(turn -> turn.isDue(now) ? Duration.ZERO : Duration.ofNanos(turn.notBeforeNanos - now))
                .min(Duration::compareTo);
    }
}

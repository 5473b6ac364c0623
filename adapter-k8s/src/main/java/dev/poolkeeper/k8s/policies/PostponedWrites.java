package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects whose status could not be written, each with its own growing back-off, so that one that is always refused
 * does not delay the others. A new standing of an object is written at once. Not thread-safe.
 */
final class PostponedWrites {

    private static final Backoff WAITS = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final Time time;
    private final Map<PolicyObject.Id, Postponed> postponed = new HashMap<>();

    private record Postponed(Standing standing, int failures, long since) {}

    PostponedWrites(Time time) {
        this.time = time;
    }

    /** The write failed and has to be retried. */
    void failed(Standing standing) {
        PolicyObject.Id id = standing.object().id();
        Postponed before = postponed.get(id);
        postponed.put(id, new Postponed(standing, before == null ? 1 : before.failures() + 1, now()));
    }

    void succeeded(Standing standing) {
        postponed.remove(standing.object().id());
    }

    /** Forgets objects that no longer exist. */
    void retain(Set<PolicyObject.Id> ids) {
        postponed.keySet().retainAll(ids);
    }

    /** Whether this write has to wait for its back-off. */
    boolean mustWait(Standing standing) {
        Postponed found = postponed.get(standing.object().id());
        return found != null && left(found).isPositive() && found.standing().equals(standing);
    }

    /** The time until the first retry is due; empty if there is none. */
    Optional<Duration> untilNext() {
        return postponed.values().stream().map(this::left).min(Duration::compareTo);
    }

    private Duration left(Postponed found) {
        return WAITS.before(found.failures()).minusNanos(now() - found.since());
    }

    private long now() {
        return time.nanoTime();
    }
}

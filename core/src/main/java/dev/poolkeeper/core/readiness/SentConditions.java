package dev.poolkeeper.core.readiness;

import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the conditions sent to Pods until the watch shows them. Watches lag behind; without this the same condition
 * would be sent twice. Used by one thread.
 */
final class SentConditions {

    /** How long a written False takes precedence while the watch still shows the previous condition. */
    private static final Duration WATCH_LAG = Duration.ofSeconds(30);

    /** How long a Pod is left alone after the API server held another version than the watch shows. */
    private static final Duration AFTER_OUTDATED = Duration.ofSeconds(5);

    private final Map<String, Sent> byUid = new HashMap<>();

    /** @param condition null if the API server held another version of the Pod than the one seen */
    private record Sent(PodState seen, @Nullable ReadinessCondition condition, Instant until) {}

    /** A True is final: it counts however long the watch shows nothing newer. */
    void written(PodState seen, ReadinessCondition condition, Instant now) {
        Instant until = condition.met() ? Instant.MAX : now.plus(WATCH_LAG);
        byUid.put(seen.id().uid(), new Sent(seen, condition, until));
    }

    void outdated(PodState seen, Instant now) {
        byUid.put(seen.id().uid(), new Sent(seen, null, now.plus(AFTER_OUTDATED)));
    }

    /** The Pod's current condition: the last one written, or a newer one from the watch. */
    Optional<ReadinessCondition> current(PodState pod, Instant now) {
        return unseen(pod, now).map(Sent::condition).or(pod::condition);
    }

    /** Whether a condition may be sent to this Pod. */
    boolean isDue(PodState pod, Instant now) {
        return unseen(pod, now).filter(sent -> sent.condition() == null).isEmpty();
    }

    /** The condition sent, if the watch still shows the previous one and the lag is not exceeded. */
    private Optional<Sent> unseen(PodState pod, Instant now) {
        return Optional.ofNullable(byUid.get(pod.id().uid()))
                .filter(sent -> sent.seen().condition().equals(pod.condition()) && now.isBefore(sent.until()));
    }

    /** Forgets all other Pods. */
    void retain(Set<String> uids) {
        byUid.keySet().retainAll(uids);
    }
}

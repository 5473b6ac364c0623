package dev.poolkeeper.core.readiness;

import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was sent about Pods whose watch has not shown it yet. A watch is a moment behind; without this the same
 * condition would be sent twice. Used by one thread.
 */
final class SentConditions {

    /** What was written counts for so long while the watch still shows what was there before. */
    private static final Duration WATCH_LAG = Duration.ofSeconds(30);

    /** So long a Pod is left alone that was found to be another than the watch shows. */
    private static final Duration AFTER_OUTDATED = Duration.ofSeconds(5);

    private final Map<String, Sent> byUid = new HashMap<>();

    /** @param condition null if the API server had another Pod than the one that was seen */
    private record Sent(PodState seen, @Nullable ReadinessCondition condition, Instant until) {}

    void written(PodState seen, ReadinessCondition condition, Instant now) {
        byUid.put(seen.id().uid(), new Sent(seen, condition, now.plus(WATCH_LAG)));
    }

    void outdated(PodState seen, Instant now) {
        byUid.put(seen.id().uid(), new Sent(seen, null, now.plus(AFTER_OUTDATED)));
    }

    /** The condition that the Pod has now: what was written last, or what the watch shows since. */
    Optional<ReadinessCondition> current(PodState pod, Instant now) {
        return unseen(pod, now).map(Sent::condition).or(pod::condition);
    }

    /** Whether something may be sent about this Pod. */
    boolean isDue(PodState pod, Instant now) {
        return unseen(pod, now).filter(sent -> sent.condition() == null).isEmpty();
    }

    /** What was sent, if the watch shows the same condition as before it, and not for too long. */
    private Optional<Sent> unseen(PodState pod, Instant now) {
        return Optional.ofNullable(byUid.get(pod.id().uid()))
                .filter(sent -> sent.seen().condition().equals(pod.condition()) && now.isBefore(sent.until()));
    }

    /** Forgets every other Pod. */
    void retain(List<GatedPod> waiting) {
        Set<String> uids = new HashSet<>();
        waiting.forEach(gated -> uids.add(gated.pod().id().uid()));
        byUid.keySet().retainAll(uids);
    }
}

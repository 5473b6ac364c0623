package dev.poolkeeper.core.readiness;

import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.retry.Backoff;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Pods whose condition could not be written. Each of them waits for a back-off of its own. After several failures
 * in a row, or one request without an answer, its namespace waits, too: then Pods that failed before wait with it, and
 * others only after a request without an answer. Other namespaces are never affected.
 *
 * <p>Used by one thread; {@link #count} may be called from any.
 */
final class Refusals {

    /** The failures in a row after which a namespace waits. */
    private static final int IN_A_ROW = 3;

    private final Backoff backoff;
    private final Map<String, Wait> pods = new ConcurrentHashMap<>();
    private final Map<String, Trouble> namespaces = new HashMap<>();

    /** @param untilNanos on the monotonic clock */
    private record Wait(int failures, long untilNanos) {

        boolean isOver(long now) {
            return untilNanos - now <= 0;
        }
    }

    /** The failures of a namespace since its last success. */
    private static final class Trouble {

        private int inARow;
        private boolean answered = true;
        private @Nullable Wait wait;

        boolean waits(long now) {
            return wait != null && !wait.isOver(now);
        }
    }

    Refusals(Backoff backoff) {
        this.backoff = backoff;
    }

    /** Whether a request may be sent for this Pod now. */
    boolean isDue(PodState pod, long now) {
        Wait wait = pods.get(pod.id().uid());
        Trouble trouble = namespaces.get(pod.id().namespace());
        if (trouble != null && trouble.waits(now) && (wait != null || !trouble.answered)) {
            return false;
        }
        return wait == null || wait.isOver(now);
    }

    /** How often in a row this Pod's condition could not be written. */
    int failures(PodState pod) {
        Wait wait = pods.get(pod.id().uid());
        return wait == null ? 0 : wait.failures();
    }

    /** Whether the last request for a Pod of this namespace failed. */
    boolean isTroubled(String namespace) {
        return namespaces.containsKey(namespace);
    }

    /** Whether this namespace's Pods wait. */
    boolean waits(String namespace, long now) {
        Trouble trouble = namespaces.get(namespace);
        return trouble != null && trouble.waits(now);
    }

    /** @param answered whether the API server answered the request */
    void failed(PodState pod, boolean answered, long now) {
        pods.compute(pod.id().uid(), (uid, before) -> next(before, now));
        Trouble trouble = namespaces.computeIfAbsent(pod.id().namespace(), namespace -> new Trouble());
        trouble.inARow++;
        trouble.answered = answered;
        if (!answered || trouble.inARow >= IN_A_ROW) {
            trouble.inARow = 0;
            trouble.wait = next(trouble.wait, now);
        }
    }

    private Wait next(@Nullable Wait before, long now) {
        int failures = before == null ? 1 : before.failures() + 1;
        return new Wait(failures, now + backoff.before(failures).toNanos());
    }

    /** The API server accepted a request for this Pod, or showed that the Pod changed. */
    void answered(PodState pod) {
        pods.remove(pod.id().uid());
        namespaces.remove(pod.id().namespace());
    }

    /** The number of Pods whose last request failed. */
    int count() {
        return pods.size();
    }

    /** Forgets all other Pods, and the namespaces without any. */
    void retain(Set<String> uids, Set<String> theirNamespaces) {
        pods.keySet().retainAll(uids);
        namespaces.keySet().retainAll(theirNamespaces);
    }
}

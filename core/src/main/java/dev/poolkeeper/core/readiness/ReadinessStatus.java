package dev.poolkeeper.core.readiness;

import java.time.Duration;
import java.util.Map;

/**
 * The status of the readiness gate.
 *
 * @param waiting the number of waiting Pods by the current reason of their condition
 * @param undecided the number of waiting Pods without a condition
 * @param unwritable the number of waiting Pods whose last request the API server refused or did not answer
 * @param longestWait how long the longest-waiting Pod has had its condition, or was seen without one by this leader;
 *     zero for none
 * @param written the number of conditions written by this process, by reason
 * @param refused the number of requests that the API server refused or did not answer
 */
public record ReadinessStatus(
        Map<Readiness.Reason, Integer> waiting,
        int undecided,
        int unwritable,
        Duration longestWait,
        Map<Readiness.Reason, Long> written,
        long refused) {

    public ReadinessStatus {
        waiting = Map.copyOf(waiting);
        written = Map.copyOf(written);
    }
}

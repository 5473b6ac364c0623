package dev.poolkeeper.core.readiness;

import java.time.Duration;
import java.util.Map;

/**
 * How the readiness gate is doing.
 *
 * @param waiting how many Pods wait, by the reason that their condition gives now
 * @param undecided how many of those that wait have no condition yet
 * @param longestWait since when the one that waits longest has its condition; zero for none
 * @param written how many conditions this process has written, by reason
 * @param refused how many requests the API server refused or did not answer
 */
public record ReadinessStatus(
        Map<Readiness.Reason, Integer> waiting,
        int undecided,
        Duration longestWait,
        Map<Readiness.Reason, Long> written,
        long refused) {

    public ReadinessStatus {
        waiting = Map.copyOf(waiting);
        written = Map.copyOf(written);
    }
}

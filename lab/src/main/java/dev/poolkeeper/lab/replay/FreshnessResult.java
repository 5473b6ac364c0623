package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.fake.cloud.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * How quickly changes reached the pools.
 *
 * @param changes how many changes were written
 * @param p50 the median time from a change to its write, by nearest rank; zero without changes
 * @param p90 see {@code p50}
 * @param p99 see {@code p50}
 * @param max the longest of those times, including the time until the end for unwritten changes
 * @param outage the time in which pools held none of their wanted addresses, summed over pools
 * @param missingAddressTime the time in which wanted addresses were missing, summed over addresses
 * @param staleAddressTime the time in which unwanted addresses were held, summed over addresses
 * @param reads the number of reads sent
 * @param writes the number of writes sent
 */
public record FreshnessResult(
        long changes,
        Duration p50,
        Duration p90,
        Duration p99,
        Duration max,
        Duration outage,
        Duration missingAddressTime,
        Duration staleAddressTime,
        long reads,
        long writes) {

    /**
     * Combines the measurements.
     *
     * @param measured the final snapshot
     * @param metrics has the times of the changes that were written
     * @param calls all calls
     * @param end the end of the replay
     */
    public static FreshnessResult of(Freshness.Snapshot measured, UpdateCounts metrics, List<Call> calls, Instant end) {
        List<Duration> written = metrics.changesWritten().stream().sorted().toList();
        Duration longestOpen = measured.oldestChange()
                .map(since -> Duration.between(since, end))
                .orElse(Duration.ZERO);
        return new FreshnessResult(
                written.size(),
                percentile(written, 50),
                percentile(written, 90),
                percentile(written, 99),
                Stream.concat(written.stream(), Stream.of(longestOpen))
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO),
                measured.outage(),
                measured.missingAddressTime(),
                measured.staleAddressTime(),
                count(calls, "GET"),
                count(calls, "PUT"));
    }

    private static Duration percentile(List<Duration> sorted, int percent) {
        int rank = (sorted.size() * percent + 99) / 100;
        return sorted.isEmpty() ? Duration.ZERO : sorted.get(rank - 1);
    }

    private static long count(List<Call> calls, String method) {
        return calls.stream().filter(call -> call.method().equals(method)).count();
    }
}

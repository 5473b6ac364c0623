package dev.poolkeeper.lab.retries;

import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The measurements of a route on real traffic.
 *
 * @param effectiveSuccess the share of requests that succeeded
 * @param effectiveRps requests per second
 * @param actualSuccess the share of attempts that succeeded
 * @param actualRps attempts per second
 * @param p50 the median duration of a request
 * @param p95 its 95th percentile
 * @param p99 its 99th percentile
 * @param attemptP50 the median duration of an attempt
 * @param attemptP99 its 99th percentile
 * @param status the most frequent status of failures
 */
public record Measured(
        double effectiveSuccess,
        double effectiveRps,
        double actualSuccess,
        double actualRps,
        Duration p50,
        Duration p95,
        Duration p99,
        Duration attemptP50,
        Duration attemptP99,
        int status) {

    private static final int SEEDS = 20;

    /** The expected number of attempts of a simulation is limited to this, to keep it short with any policy. */
    private static final double ATTEMPTS = 50_000;

    private static final double LEAST_REQUESTS = 20;
    private static final double MOST_REQUESTS = 5_000;

    /** Below this success, a policy with unlimited attempts would be simulated forever. */
    private static final double LEAST_SUCCESS = 0.001;

    private static final Duration SHORTEST = Duration.ofNanos(1_000);
    private static final double LONGEST_SECONDS = 24 * 3_600;

    /**
     * Simulates the same rate of requests, the same success and durations of attempts, and these settings. The measured
     * requests, retries and waits are not used.
     */
    RetrySimulation predicted(String name, RetrySettings settings) {
        double rps = Math.clamp(effectiveRps, 1e-6, 1e6);
        double success = Math.max(actualSuccess, LEAST_SUCCESS);
        double likelyAttempts = Math.min(settings.policy().attempts() + 1.0, 1 / success);
        double requests = Math.clamp(ATTEMPTS / likelyAttempts, LEAST_REQUESTS, MOST_REQUESTS);
        Duration duration = Duration.ofNanos((long) (Math.min(requests / rps, LONGEST_SECONDS) * 1e9));
        Duration usual = atLeast(SHORTEST, attemptP50);
        Scenario scenario = new Scenario(
                name,
                "",
                1,
                SEEDS,
                duration,
                1,
                new Scenario.Workload(rps, Duration.ZERO, 0, List.of()),
                new Scenario.Backend(
                        success,
                        status,
                        usual,
                        atLeast(usual, attemptP99),
                        OptionalInt.empty(),
                        0,
                        OptionalInt.empty(),
                        0),
                List.of(),
                List.of(new Scenario.NamedPolicy(name, settings, null, Map.of())));
        return RetrySimulation.run(scenario, OptionalLong.empty());
    }

    private static Duration atLeast(Duration least, Duration value) {
        return value.compareTo(least) < 0 ? least : value;
    }
}

package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The result of a policy.
 *
 * @param name the policy's
 * @param success shares of requests, and of attempts in time, that succeeded, 0 to 1
 * @param rps requests and attempts a second
 * @param latency of requests, with their retries and waits
 * @param retriesRefused retries that the budget refused
 * @param amplification attempts for each request
 * @param confidence95 where the true values are, 95 times in 100
 * @param routes the same for each route of the scenario, {@code [DEFAULT]} last; none where it has none
 * @param course what happened over time
 * @param histogram how many requests took how long, in {@link Tally#BUCKETS} buckets
 */
public record PolicyResult(
        String name,
        @JsonUnwrapped(suffix = "Success") Views success,
        @JsonUnwrapped(suffix = "Rps") Views rps,
        @JsonUnwrapped Latency latency,
        long retriesRefused,
        double amplification,
        Confidence confidence95,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PolicyResult> routes,
        @JsonIgnore Tally.Course course,
        @JsonIgnore long[] histogram) {

    public PolicyResult {
        routes = List.copyOf(routes);
    }

    /**
     * One measure as both sides see it.
     *
     * @param effective what the caller sees: requests
     * @param actual what the backend sees: attempts
     */
    public record Views(double effective, double actual) {}

    /**
     * Percentiles of the time that a request takes.
     *
     * @param p50Millis the median
     * @param p95Millis the 95th percentile
     * @param p99Millis the 99th percentile
     */
    public record Latency(double p50Millis, double p95Millis, double p99Millis) {}

    /**
     * Intervals of three of the values; independent requests are assumed.
     *
     * @param effectiveSuccess of the share
     * @param actualSuccess of the share
     * @param amplification of the mean
     */
    public record Confidence(Interval effectiveSuccess, Interval actualSuccess, Interval amplification) {}
}

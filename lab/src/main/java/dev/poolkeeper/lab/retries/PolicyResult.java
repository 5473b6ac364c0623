package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The result of a policy.
 *
 * @param name the name of the policy
 * @param success the shares of requests, and of attempts in time, that succeeded, 0 to 1
 * @param rps requests and attempts per second
 * @param latency the latency of requests, including retries and waits
 * @param retriesRefused the number of retries that the budget refused
 * @param amplification attempts per request
 * @param confidence95 the 95 % confidence intervals of the true values
 * @param routes the same for each route of the scenario, {@code [DEFAULT]} last; empty if it has none
 * @param course what happened over time
 * @param histogram the number of requests by latency, in {@link Tally#BUCKETS} buckets
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
     * One measure from both perspectives.
     *
     * @param effective as seen by the caller: requests
     * @param actual as seen by the backend: attempts
     */
    public record Views(double effective, double actual) {}

    /**
     * Percentiles of the duration of a request.
     *
     * @param p50Millis the median
     * @param p95Millis the 95th percentile
     * @param p99Millis the 99th percentile
     */
    public record Latency(double p50Millis, double p95Millis, double p99Millis) {}

    /**
     * Intervals of three of the values; assumes independent requests.
     *
     * @param effectiveSuccess the interval of the share
     * @param actualSuccess the interval of the share
     * @param amplification the interval of the mean
     */
    public record Confidence(Interval effectiveSuccess, Interval actualSuccess, Interval amplification) {}
}

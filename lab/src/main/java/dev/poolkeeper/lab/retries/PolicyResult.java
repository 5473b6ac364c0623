package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What a policy came to. Effective is what the caller sees, actual what the backend sees.
 *
 * @param name the policy's
 * @param effectiveSuccess share of requests that succeeded, 0 to 1
 * @param actualSuccess share of attempts that succeeded in time, 0 to 1
 * @param effectiveRps requests a second
 * @param actualRps attempts a second
 * @param p50Millis median time of a request, with its retries and waits
 * @param p95Millis 95th percentile of it
 * @param p99Millis 99th percentile of it
 * @param retriesRefused retries that the budget refused
 * @param amplification attempts for each request
 * @param confidence95 where the true values are, 95 times in 100
 * @param course what happened over time
 */
public record PolicyResult(
        String name,
        double effectiveSuccess,
        double actualSuccess,
        double effectiveRps,
        double actualRps,
        double p50Millis,
        double p95Millis,
        double p99Millis,
        long retriesRefused,
        double amplification,
        Confidence confidence95,
        @JsonIgnore Tally.Course course) {

    /**
     * Intervals of three of the values; independent requests are assumed.
     *
     * @param effectiveSuccess of the share
     * @param actualSuccess of the share
     * @param amplification of the mean
     */
    public record Confidence(Interval effectiveSuccess, Interval actualSuccess, Interval amplification) {}
}

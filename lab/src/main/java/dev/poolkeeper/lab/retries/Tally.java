package dev.poolkeeper.lab.retries;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the results of one run, in total and over time: of all requests, or of those of one route. */
public final class Tally {

    /** The number of intervals in the course. */
    static final int STRETCHES = 120;

    /** Latency buckets per decade; the first one ends at a millisecond. */
    static final int BUCKETS_A_DECADE = 10;

    /** Five decades, and one without an upper bound. */
    static final int BUCKETS = 5 * BUCKETS_A_DECADE + 2;

    private final long stretchNanos;
    private final @Nullable Tally whole;
    private final Course course;
    private long[] latencies = new long[1024];
    private int finished;
    private long succeeded;
    private long requests;
    private long attempts;
    private long attemptsSucceeded;
    private long refused;
    private double squaredAttempts;

    /**
     * The counts in each interval of time.
     *
     * @param attempts attempts sent
     * @param retries those that were retries
     * @param succeeded requests that succeeded
     * @param finished requests that ended
     * @param refused retries that the budget refused
     */
    public record Course(long[] attempts, long[] retries, long[] succeeded, long[] finished, long[] refused) {
        Course(int stretches) {
            this(
                    new long[stretches],
                    new long[stretches],
                    new long[stretches],
                    new long[stretches],
                    new long[stretches]);
        }
    }

    Tally(Duration duration) {
        this(duration, null);
    }

    /** @param whole also receives all counts of this one; only its course is recorded */
    Tally(Duration duration, @Nullable Tally whole) {
        this.stretchNanos = Math.max(1, duration.toNanos() / STRETCHES);
        this.whole = whole;
        this.course = new Course(whole == null ? STRETCHES : 0);
    }

    private void count(long[] series, long now) {
        int stretch = (int) (now / stretchNanos);
        if (stretch < series.length) {
            series[stretch]++;
        }
    }

    void requested() {
        requests++;
        if (whole != null) {
            whole.requested();
        }
    }

    void attempted(long now, boolean isRetry) {
        attempts++;
        count(course.attempts, now);
        if (isRetry) {
            count(course.retries, now);
        }
        if (whole != null) {
            whole.attempted(now, isRetry);
        }
    }

    void attemptSucceeded() {
        attemptsSucceeded++;
        if (whole != null) {
            whole.attemptSucceeded();
        }
    }

    void refused(long now) {
        refused++;
        count(course.refused, now);
        if (whole != null) {
            whole.refused(now);
        }
    }

    void finished(long now, boolean success, long latency, int itsAttempts) {
        if (finished == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * finished);
        }
        latencies[finished++] = latency;
        squaredAttempts += (double) itsAttempts * itsAttempts;
        count(course.finished, now);
        if (success) {
            succeeded++;
            count(course.succeeded, now);
        }
        if (whole != null) {
            whole.finished(now, success, latency, itsAttempts);
        }
    }

    /**
     * The result. Requests that never ended count as failed.
     *
     * @param routes the results of each route
     */
    PolicyResult result(String name, Duration duration, List<PolicyResult> routes) {
        long[] sorted = Arrays.copyOf(latencies, finished);
        Arrays.sort(sorted);
        double seconds = duration.toNanos() / 1e9;
        double amplification = share(attempts, requests);
        double variance = requests == 0 ? 0 : squaredAttempts / requests - amplification * amplification;
        return new PolicyResult(
                name,
                new PolicyResult.Views(share(succeeded, requests), share(attemptsSucceeded, attempts)),
                new PolicyResult.Views(requests / seconds, attempts / seconds),
                new PolicyResult.Latency(percentile(sorted, 50), percentile(sorted, 95), percentile(sorted, 99)),
                refused,
                amplification,
                new PolicyResult.Confidence(
                        Interval.ofShare(succeeded, requests),
                        Interval.ofShare(attemptsSucceeded, attempts),
                        Interval.ofMean(amplification, variance, requests)),
                routes,
                course,
                histogram(sorted));
    }

    private static long[] histogram(long[] sorted) {
        long[] counts = new long[BUCKETS];
        for (long nanos : sorted) {
            double bucket = Math.ceil(Math.log10(Math.max(1, nanos) / 1e6) * BUCKETS_A_DECADE);
            counts[(int) Math.clamp(bucket, 0, BUCKETS - 1.0)]++;
        }
        return counts;
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    /** In milliseconds; the smallest value that at least this percentage did not exceed. */
    private static double percentile(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }
}

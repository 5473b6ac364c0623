package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.retries.Measured;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** The measurements of one route since the start that are compared with the prediction. Thread-safe. */
final class RouteRecord {

    private static final int OK = 200;
    private static final int REDIRECT = 300;
    private static final int UNAVAILABLE = 503;

    private final LongAdder requests = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder attempts = new LongAdder();
    private final LongAdder attemptsSucceeded = new LongAdder();
    private final Map<Integer, LongAdder> failures = new ConcurrentSkipListMap<>();
    private final LatencyBuckets requestTimes = new LatencyBuckets();
    private final LatencyBuckets attemptTimes = new LatencyBuckets();

    private static boolean isSuccess(int status) {
        return status >= OK && status < REDIRECT;
    }

    void ended(int status, Duration took) {
        requests.increment();
        if (isSuccess(status)) {
            succeeded.increment();
        }
        requestTimes.add(took);
    }

    /** @param status 0 if there was no response */
    void attempted(int status, Duration took) {
        attempts.increment();
        if (isSuccess(status)) {
            attemptsSucceeded.increment();
        } else if (status > 0) {
            failures.computeIfAbsent(status, ignored -> new LongAdder()).increment();
        }
        attemptTimes.add(took);
    }

    /** @param since the duration of the measurement */
    Measured measured(Duration since) {
        double seconds = Math.max(1e-3, since.toNanos() / 1e9);
        return new Measured(
                share(succeeded, requests),
                requests.sum() / seconds,
                share(attemptsSucceeded, attempts),
                attempts.sum() / seconds,
                requestTimes.percentile(50),
                requestTimes.percentile(95),
                requestTimes.percentile(99),
                attemptTimes.percentile(50),
                attemptTimes.percentile(99),
                mostFrequentFailure());
    }

    private static double share(LongAdder part, LongAdder whole) {
        return whole.sum() == 0 ? 0 : (double) part.sum() / whole.sum();
    }

    private int mostFrequentFailure() {
        return failures.entrySet().stream()
                .max(Comparator.comparingLong(each -> each.getValue().sum()))
                .map(Map.Entry::getKey)
                .orElse(UNAVAILABLE);
    }
}

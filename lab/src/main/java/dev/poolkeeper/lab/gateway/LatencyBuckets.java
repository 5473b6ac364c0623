package dev.poolkeeper.lab.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** A histogram of durations from ten microseconds to a thousand seconds, ten buckets per decade. Thread-safe. */
final class LatencyBuckets {

    private static final int A_DECADE = 10;
    private static final double FIRST_NANOS = 1e4;

    private final LongAdder[] counts =
            Stream.generate(LongAdder::new).limit(8 * A_DECADE + 1).toArray(LongAdder[]::new);

    void add(Duration took) {
        double bucket = Math.ceil(Math.log10(Math.max(1, took.toNanos()) / FIRST_NANOS) * A_DECADE);
        counts[(int) Math.clamp(bucket, 0, counts.length - 1.0)].increment();
    }

    /** The smallest duration that at least this percentage did not exceed; zero if there are none. */
    Duration percentile(int percent) {
        double wanted = Stream.of(counts).mapToLong(LongAdder::sum).sum() * (percent / 100.0);
        if (wanted <= 0) {
            return Duration.ZERO;
        }
        long sum = 0;
        int bucket = -1;
        while (sum < wanted && bucket < counts.length - 1) {
            bucket++;
            sum += counts[bucket].sum();
        }
        return Duration.ofNanos((long) (FIRST_NANOS * Math.pow(10, (double) bucket / A_DECADE)));
    }
}

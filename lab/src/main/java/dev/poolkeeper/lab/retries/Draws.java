package dev.poolkeeper.lab.retries;

import java.util.SplittableRandom;

/**
 * The random draws of one run, with a separate stream for each purpose, so that a policy that draws more does not
 * affect the others.
 */
final class Draws {

    private static final double Z99 = 2.3263478740408408;

    private final SplittableRandom arrivals;
    private final SplittableRandom latencies;
    private final SplittableRandom outcomes;
    private final SplittableRandom jitter;
    private final SplittableRandom routes;
    private double spare = Double.NaN;

    /** Runs with the same seed have the same arrivals on the same routes; other draws differ from run to run. */
    Draws(long seed, int run) {
        arrivals = new SplittableRandom(seed);
        routes = new SplittableRandom(seed).split();
        SplittableRandom own = new SplittableRandom(seed ^ (0x9E3779B97F4A7C15L * (run + 1)));
        latencies = own.split();
        outcomes = own.split();
        jitter = own.split();
    }

    double untilNextArrival(double perSecond) {
        return -Math.log1p(-arrivals.nextDouble()) / perSecond;
    }

    /** @param shares the shares of all routes except the last one, which gets the rest */
    int route(double[] shares) {
        double left = routes.nextDouble();
        for (int i = 0; i < shares.length; i++) {
            left -= shares[i];
            if (left < 0) {
                return i;
            }
        }
        return shares.length;
    }

    boolean succeeds(double probability) {
        return outcomes.nextDouble() < probability;
    }

    double jitter() {
        return jitter.nextDouble();
    }

    /** Lognormal with the given median and 99th percentile. */
    double latency(double p50, double p99) {
        return p50 * Math.exp(Math.log(p99 / p50) / Z99 * gaussian());
    }

    /** Marsaglia's polar method. */
    private double gaussian() {
        if (!Double.isNaN(spare)) {
            double again = spare;
            spare = Double.NaN;
            return again;
        }
        while (true) {
            double x = 2 * latencies.nextDouble() - 1;
            double y = 2 * latencies.nextDouble() - 1;
            double s = x * x + y * y;
            if (s > 0 && s < 1) {
                double scale = Math.sqrt(-2 * Math.log(s) / s);
                spare = y * scale;
                return x * scale;
            }
        }
    }
}

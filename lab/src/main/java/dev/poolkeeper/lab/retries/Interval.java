package dev.poolkeeper.lab.retries;

/**
 * A 95 % confidence interval.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record Interval(double low, double high) {

    private static final double Z = 1.959963984540054;

    /** Wilson's interval, which is valid at 0 and 1. */
    static Interval ofShare(long part, long whole) {
        if (whole == 0) {
            return new Interval(0, 1);
        }
        double p = (double) part / whole;
        double z2 = Z * Z;
        double centre = (p + z2 / (2 * whole)) / (1 + z2 / whole);
        double half = Z / (1 + z2 / whole) * Math.sqrt(p * (1 - p) / whole + z2 / (4.0 * whole * whole));
        return new Interval(part == 0 ? 0 : centre - half, part == whole ? 1 : centre + half);
    }

    static Interval ofMean(double mean, double variance, long samples) {
        double half = samples == 0 ? 0 : Z * Math.sqrt(Math.max(0, variance) / samples);
        return new Interval(mean - half, mean + half);
    }

    boolean contains(double value) {
        return low <= value && value <= high;
    }
}

package dev.poolkeeper.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * One figure.
 *
 * @param id the letter and the parameters, as {@code A1-desired-50000}
 * @param value how much
 * @param unit of what: {@code ms}, {@code us} (microseconds), {@code MB} (10^6 bytes), {@code writes} (as long as so
 *     many writes to one load balancer take) or {@code times} (how it grows)
 * @param bytesPerOp bytes allocated by one operation of the benchmark, null where that says nothing
 */
record Measured(
        String id, double value, String unit, @Nullable Long bytesPerOp) {}

package dev.poolkeeper.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * A measured figure.
 *
 * @param id the letter and the parameters, such as {@code A1-desired-50000}
 * @param value the value
 * @param unit {@code ms}, {@code us} (microseconds), {@code MB} (10^6 bytes), {@code writes} (the duration of a write
 *     to a load balancer) or {@code times} (a growth factor)
 * @param bytesPerOp bytes allocated per operation of the benchmark, null if not meaningful
 */
record Measured(
        String id, double value, String unit, @Nullable Long bytesPerOp) {}

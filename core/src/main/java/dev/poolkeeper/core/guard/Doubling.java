package dev.poolkeeper.core.guard;

import java.time.Duration;

/**
 * Waits that double.
 *
 * @param first the first wait, greater than 0
 * @param longest the longest one
 */
public record Doubling(Duration first, Duration longest) {

    /** @throws IllegalArgumentException unless 0 &lt; first &lt;= longest */
    public Doubling {
        if (!first.isPositive() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "waits need 0 < first <= longest, got first=%s, longest=%s".formatted(first, longest));
        }
    }

    /** @param failures how many there were before, 0 for the first wait */
    public Duration after(int failures) {
        Duration wait = first;
        for (int i = 0; i < failures && wait.compareTo(longest) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(longest) < 0 ? wait : longest;
    }
}

package dev.poolkeeper.core.engine;

import java.time.Duration;

/** When updates start. */
public sealed interface Pace {

    /** Ticks every 30 s, as in the design document. */
    Pace TICK = new Tick(Duration.ofSeconds(30));

    /** Between ticks; after a failed attempt a pool waits until the next multiple of this. */
    Duration interval();

    /** How long a pool waits after its first change to batch further changes; zero for no wait. */
    default Duration gather() {
        return Duration.ZERO;
    }

    /**
     * At ticks (design document, <em>Retry Timing</em>).
     *
     * @param interval between ticks, counted from the first listing of the term as leader; greater than 0
     */
    record Tick(Duration interval) implements Pace {

        /** @throws IllegalArgumentException if the interval is not greater than 0 */
        public Tick {
            if (!interval.isPositive()) {
                throw new IllegalArgumentException("interval must be greater than 0, got " + interval);
            }
        }
    }

    /**
     * As soon as a load balancer is free, the most urgent pool first: pools that have waited too long, then pools that
     * hold none of their wanted addresses, then pools that miss the larger share of them.
     *
     * @param gather how long a pool waits after its first change to batch further changes; zero for no wait
     * @param longestWait the wait after which a pool takes precedence over all pools that became due later; greater
     *     than 0
     * @param interval after a failed attempt a pool waits until the next multiple of this, counted from the start of
     *     the term as leader; greater than 0
     */
    record Eager(Duration gather, Duration longestWait, Duration interval) implements Pace {

        /** The daemon's defaults. */
        public static final Eager DEFAULT =
                new Eager(Duration.ofSeconds(1), Duration.ofMinutes(2), Duration.ofSeconds(30));

        /** @throws IllegalArgumentException if a value is out of its bounds */
        public Eager {
            if (gather.isNegative() || !longestWait.isPositive() || !interval.isPositive()) {
                throw new IllegalArgumentException(
                        "gather must be 0 or more, longestWait and interval greater than 0, got %s, %s and %s"
                                .formatted(gather, longestWait, interval));
            }
        }
    }
}

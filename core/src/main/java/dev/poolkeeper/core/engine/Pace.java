package dev.poolkeeper.core.engine;

import java.time.Duration;

/** When updates start. */
public sealed interface Pace {

    /** At ticks (design document, <em>Retry Timing</em>): the caller ticks the engine at an interval. */
    Pace TICK = new Tick();

    /** See {@link #TICK}. */
    record Tick() implements Pace {}

    /**
     * As soon as a load balancer is free, the most urgent pool first: pools that have waited for too long, then those
     * that hold nothing of what is wanted, then those that lack the larger share of it.
     *
     * @param gather how long a pool waits after its first change, for others to come; zero for not at all
     * @param longestWait after which a pool goes before all that became due later; greater than 0
     * @param interval after a failed attempt a pool waits until the next multiple of this, counted from the start of
     *     the term as leader; greater than 0
     */
    record Eager(Duration gather, Duration longestWait, Duration interval) implements Pace {

        /** What the daemon does where its configuration says nothing. */
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

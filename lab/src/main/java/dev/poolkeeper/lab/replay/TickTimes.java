package dev.poolkeeper.lab.replay;

/**
 * The times of a replay's ticks: multiples of the interval, in milliseconds since the start; {@link #NEVER} if a long
 * cannot hold the time.
 */
final class TickTimes {

    /** No tick. */
    static final long NEVER = Long.MAX_VALUE;

    private final long interval;

    TickTimes(long interval) {
        this.interval = interval;
    }

    /** The first tick at or after the given time. */
    long notBefore(long millis) {
        long count = Math.max(1, millis / interval + (millis % interval == 0 ? 0 : 1));
        return count > NEVER / interval ? NEVER : count * interval;
    }

    /** The tick after the given one. */
    long after(long tick) {
        return tick > NEVER - interval ? NEVER : tick + interval;
    }
}

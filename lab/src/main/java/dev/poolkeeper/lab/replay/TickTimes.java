package dev.poolkeeper.lab.replay;

/**
 * The ticks of a replay: at 1, 2, … times the interval. Times are in milliseconds since the start; one that a long
 * cannot hold is never.
 */
final class TickTimes {

    /** No tick. */
    static final long NEVER = Long.MAX_VALUE;

    private final long interval;

    TickTimes(long interval) {
        this.interval = interval;
    }

    /** The first tick that is not before the given time, nor before the first one. */
    long notBefore(long millis) {
        long count = Math.max(1, millis / interval + (millis % interval == 0 ? 0 : 1));
        return count > NEVER / interval ? NEVER : count * interval;
    }

    /** The tick after the given one. */
    long after(long tick) {
        return tick > NEVER - interval ? NEVER : tick + interval;
    }
}

package dev.poolkeeper.core.engine;

import java.time.Duration;
import java.time.Instant;

/**
 * What is in progress of {@link Engine#step}, and when ticks are due: when a term begins, and from then on at multiples
 * of the interval. Thread-safe.
 */
final class Steps {

    private final Duration interval;
    private final Object lock;
    private Instant first = Instant.MIN;
    private Instant nextTick = Instant.MIN;
    private boolean stepping;
    private boolean askedMeanwhile;
    private boolean woken;

    /** @param lock guards it */
    Steps(Duration interval, Object lock) {
        this.interval = interval;
        this.lock = lock;
    }

    /** Whether no step was in progress; if one was, it will be known at its end that another one was asked for. */
    boolean begin() {
        synchronized (lock) {
            askedMeanwhile = stepping;
            boolean begins = !stepping;
            stepping = true;
            woken = false;
            return begins;
        }
    }

    /** Returns whether another step was asked for in the meantime. */
    boolean end() {
        synchronized (lock) {
            stepping = false;
            return askedMeanwhile;
        }
    }

    /** Its owner was told nothing so far. */
    void listens() {
        synchronized (lock) {
            woken = false;
        }
    }

    /** Whether its owner has not been told since the last step began that another one is due. */
    boolean wakes() {
        synchronized (lock) {
            boolean first = !woken;
            woken = true;
            return first;
        }
    }

    /** A tick is due now, and further ones at multiples of the interval. */
    void restart() {
        synchronized (lock) {
            nextTick = Instant.MIN;
        }
    }

    boolean isTickDue(Instant now) {
        return !now.isBefore(nextTick());
    }

    /** A tick begins. */
    void ticks(Instant now) {
        synchronized (lock) {
            if (nextTick.equals(Instant.MIN)) {
                first = now;
            }
            long past = Duration.between(first, now).dividedBy(interval);
            nextTick = first.plus(interval.multipliedBy(past + 1));
        }
    }

    Instant nextTick() {
        synchronized (lock) {
            return nextTick;
        }
    }
}

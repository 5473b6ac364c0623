package dev.poolkeeper.core.engine;

import java.time.Duration;
import java.time.Instant;

/**
 * What is in progress of {@link Engine#step}, and when ticks are due: when a term begins, and from then on at multiples
 * of the interval. Thread-safe.
 */
final class Steps {

    private final Duration interval;
    private Instant first = Instant.MIN;
    private Instant nextTick = Instant.MIN;
    private boolean stepping;
    private boolean askedMeanwhile;
    private boolean woken;
    private boolean listing;

    Steps(Duration interval) {
        this.interval = interval;
    }

    /** Whether no step was in progress; if one was, it will be known at its end that another one was asked for. */
    synchronized boolean begin() {
        askedMeanwhile = stepping;
        boolean begins = !stepping;
        stepping = true;
        woken = false;
        return begins;
    }

    /** Returns whether another step was asked for in the meantime. */
    synchronized boolean end() {
        stepping = false;
        return askedMeanwhile;
    }

    /** Its owner was told nothing so far. */
    synchronized void listens() {
        woken = false;
    }

    /** Whether its owner has not been told since the last step began that another one is due. */
    synchronized boolean wakes() {
        boolean first = !woken;
        woken = true;
        return first;
    }

    /** Whether no listing was in progress. */
    synchronized boolean beginsListing() {
        boolean begins = !listing;
        listing = true;
        return begins;
    }

    synchronized void endsListing() {
        listing = false;
    }

    synchronized boolean isListing() {
        return listing;
    }

    /** A tick is due now, and further ones at multiples of the interval. */
    synchronized void restart() {
        nextTick = Instant.MIN;
    }

    synchronized boolean isTickDue(Instant now) {
        return !now.isBefore(nextTick);
    }

    /** A tick begins. */
    synchronized void ticks(Instant now) {
        if (nextTick.equals(Instant.MIN)) {
            first = now;
        }
        long past = Duration.between(first, now).dividedBy(interval);
        nextTick = first.plus(interval.multipliedBy(past + 1));
    }

    synchronized Instant nextTick() {
        return nextTick;
    }
}

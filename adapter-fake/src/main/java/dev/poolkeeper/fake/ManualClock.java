package dev.poolkeeper.fake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. Thread-safe. */
public final class ManualClock implements InstantSource {

    private volatile Instant now;

    /** Starts at an instant that no real clock shows. */
    public ManualClock() {
        this(Instant.EPOCH);
    }

    public ManualClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }

    /** Moves to an instant, which may be earlier: real clocks jump too. */
    public void set(Instant instant) {
        now = instant;
    }
}

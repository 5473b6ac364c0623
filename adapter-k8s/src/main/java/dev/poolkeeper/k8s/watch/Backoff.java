package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.Time;
import java.time.Duration;

/** Waits that double up to a limit, each with up to as much again by chance. Not thread-safe. */
final class Backoff {

    private final WatchSettings settings;
    private final Time time;
    private Duration next;

    Backoff(WatchSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
        this.next = settings.firstBackoff();
    }

    Duration next() {
        Duration base = next;
        Duration doubled = base.multipliedBy(2);
        next = doubled.compareTo(settings.longestBackoff()) < 0 ? doubled : settings.longestBackoff();
        return base.plusNanos((long) (base.toNanos() * time.draw()));
    }

    void reset() {
        next = settings.firstBackoff();
    }
}

package dev.poolkeeper.core.tick;

import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The resource lock as the lanes hold it together: the first one acquires it, the last one gives it back. It is never
 * held for longer than a minute at a stretch: after that no call starts under it, and no lane joins, until those that
 * run have ended and others had their chance. Thread-safe.
 */
final class SharedHold {

    /** After this no new call starts. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final ResourceLock resourceLock;
    private final InstantSource clock;
    private ResourceLock.@Nullable Hold hold;
    private Instant until = Instant.MIN;
    private int users;

    SharedHold(ResourceLock resourceLock, InstantSource clock) {
        this.resourceLock = resourceLock;
        this.clock = clock;
    }

    /** Takes part in the hold, if there is one to be had. Who did must {@link #leave}. */
    synchronized boolean join() {
        if (users == 0) {
            hold = resourceLock.tryAcquire().orElse(null);
            until = clock.instant().plus(LONGEST);
        }
        if (hold == null) {
            return false;
        }
        users++;
        if (mayStart()) {
            return true;
        }
        leave();
        return false;
    }

    /** Whether a call may start: the lock is held, and has not been for too long. */
    synchronized boolean mayStart() {
        return hold != null && hold.isHeld() && clock.instant().isBefore(until);
    }

    synchronized void leave() {
        ResourceLock.Hold last = --users == 0 ? hold : null;
        if (last != null) {
            hold = null;
            last.close();
        }
    }
}

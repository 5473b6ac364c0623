package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The resource lock as the lanes of one term hold it together: the first one acquires it, the last one releases it. It
 * is never held for longer than a minute at a stretch: after that no call starts under it, and no lane joins, until
 * those that run have ended. After a hold of more than ten seconds it stays free for five: a writer that asks once and
 * backs off gets its turn. Thread-safe. Its lock is held across the requests that acquire and release, and is no
 * monitor: those pin the carrier of a virtual thread up to JDK 23.
 */
final class SharedHold {

    /** After this no new call starts. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /** A hold that lasted no longer leaves others time enough. */
    private static final Duration SHORT = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final ResourceLock resourceLock;
    private final boolean isShared;
    private final Term term;
    private final InstantSource clock;
    private final ReentrantLock guard = new ReentrantLock();
    private volatile ResourceLock.@Nullable Hold hold;
    private volatile Instant acquired = Instant.MIN;
    private volatile Instant leftToOthers = Instant.MIN;
    private int users;

    SharedHold(ResourceLock resourceLock, Term term, InstantSource clock) {
        this.resourceLock = resourceLock;
        this.isShared = !resourceLock.equals(ResourceLock.NONE);
        this.term = term;
        this.clock = clock;
    }

    /**
     * Takes part in the hold, if it can be had. If so, the caller must then call {@link #leave}.
     *
     * @param onRefused called if it cannot be had, and before another lane can get it; quick
     */
    boolean join(Runnable onRefused) {
        guard.lock();
        try {
            boolean joined = tryJoin();
            if (!joined) {
                onRefused.run();
            }
            return joined;
        } finally {
            guard.unlock();
        }
    }

    private boolean tryJoin() {
        if (users == 0 && term.isCurrent() && !clock.instant().isBefore(leftToOthers)) {
            ResourceLock.Hold held = resourceLock.tryAcquire().orElse(null);
            acquired = clock.instant(); // before the hold can be seen
            hold = held;
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

    /**
     * Whether a call may start: this process leads, the lock is held, and has not been for too long. Never waits: what
     * was found before a write must not grow old while another lane acquires the lock.
     */
    boolean mayStart() {
        ResourceLock.Hold current = hold;
        return current != null
                && term.isCurrent()
                && current.isHeld()
                && (!isShared || clock.instant().isBefore(acquired.plus(LONGEST)));
    }

    void leave() {
        guard.lock();
        try {
            ResourceLock.Hold last = --users == 0 ? hold : null;
            if (last != null) {
                hold = null;
                last.close();
                Instant released = clock.instant();
                if (isShared && Duration.between(acquired, released).compareTo(SHORT) > 0) {
                    leftToOthers = released.plus(PAUSE);
                }
            }
        } finally {
            guard.unlock();
        }
    }

    /** When the lock may be had again where it was left to others for a while. */
    Optional<Instant> leftToOthersUntil() {
        return Optional.of(leftToOthers).filter(clock.instant()::isBefore);
    }
}

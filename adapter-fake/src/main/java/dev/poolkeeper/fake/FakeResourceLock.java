package dev.poolkeeper.fake;

import dev.poolkeeper.ports.ResourceLock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A resource lock in memory that another writer can hold, during given windows of time or until {@link #release}. */
public final class FakeResourceLock implements ResourceLock {

    /**
     * A window of time in which another writer holds the lock.
     *
     * @param from the start, inclusive
     * @param until the end, exclusive
     */
    public record Window(Instant from, Instant until) {
        boolean contains(Instant instant) {
            return !instant.isBefore(from) && instant.isBefore(until);
        }
    }

    private final InstantSource clock;
    private final List<Window> windows;
    private boolean takenByAnother;
    private @Nullable FakeHold current;

    /** Free until {@link #takeAway}. */
    public FakeResourceLock() {
        this(new FakeTime(), List.of());
    }

    /** @param windows when another writer holds the lock, according to the given clock */
    public FakeResourceLock(InstantSource clock, List<Window> windows) {
        this.clock = clock;
        this.windows = List.copyOf(windows);
    }

    /** Lets another writer take the lock; the previous holder loses it. */
    public synchronized void takeAway() {
        takenByAnother = true;
        current = null;
    }

    /** Lets the other writer release the lock. */
    public synchronized void release() {
        takenByAnother = false;
    }

    public synchronized boolean isHeld() {
        return current != null;
    }

    @Override
    public synchronized Optional<Hold> tryAcquire() {
        Instant now = clock.instant();
        if (current != null || takenByAnother || windows.stream().anyMatch(window -> window.contains(now))) {
            return Optional.empty();
        }
        FakeHold hold = new FakeHold();
        current = hold;
        return Optional.of(hold);
    }

    private synchronized void release(FakeHold hold) {
        if (current == hold) {
            current = null;
        }
    }

    private synchronized boolean isCurrent(FakeHold hold) {
        return current == hold;
    }

    private final class FakeHold implements Hold {
        @Override
        public boolean isHeld() {
            return isCurrent(this);
        }

        @Override
        public void close() {
            release(this);
        }
    }
}

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
 * The resource lock, shared by the lanes of one term: the first lane acquires it, the last one releases it. After one
 * minute of continuous holding, no call starts under it and no lane joins until the running lanes have left. After a
 * hold of more than ten seconds the lock stays free for five, so that a writer that retries with backoff gets its turn.
 * Thread-safe. The internal lock is held across the requests that acquire and release; it is not a monitor, because
 * monitors pin the carrier of a virtual thread up to JDK 23.
 */
final class SharedLock {

    /** Like the term, and also over while the lock may not be used. */
    final Term fence = Term.during(this::mayStart);

    private final ResourceLock resourceLock;
    private final boolean isShared;
    private final Term term;
    private final InstantSource clock;
    private final ReentrantLock guard = new ReentrantLock();
    private volatile ResourceLock.@Nullable Hold hold;
    private volatile Instant acquired = Instant.MIN;
    private volatile Instant leftToOthers = Instant.MIN;
    private int users;

    SharedLock(ResourceLock resourceLock, Term term, InstantSource clock) {
        this.resourceLock = resourceLock;
        this.isShared = !resourceLock.equals(ResourceLock.NONE);
        this.term = Term.during(() -> SafePorts.ask("Term", false, term::isCurrent));
        this.clock = clock;
    }

    /**
     * Joins the hold if possible. On success the caller must later call {@link #leave}.
     *
     * @param onRefused called if the lock is not available, before another lane can acquire it; must be quick
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
            ResourceLock.Hold held = SafePorts.ask(
                            "ResourceLock", Optional.<ResourceLock.Hold>empty(), resourceLock::tryAcquire)
                    .orElse(null);
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
     * Whether a call may start: this process is the leader, and the lock is held and has not been held for too long.
     * Never waits, because the contents read before a write must not become stale while another lane acquires the lock.
     */
    boolean mayStart() {
        ResourceLock.Hold current = hold;
        return current != null
                && term.isCurrent()
                && SafePorts.ask("ResourceLock.Hold", false, current::isHeld)
                && (!isShared || clock.instant().isBefore(acquired.plus(ResourceLock.MAX_HOLD)));
    }

    void leave() {
        guard.lock();
        try {
            ResourceLock.Hold last = --users == 0 ? hold : null;
            if (last != null) {
                hold = null;
                SafePorts.tell("ResourceLock.Hold", last::close);
                Instant released = clock.instant();
                if (isShared && Duration.between(acquired, released).compareTo(ResourceLock.SHORT_HOLD) > 0) {
                    leftToOthers = released.plus(ResourceLock.TURN_OF_OTHERS);
                }
            }
        } finally {
            guard.unlock();
        }
    }

    /** See {@link ResourceLock#holder}. */
    Optional<ResourceLock.Holder> holder() {
        return SafePorts.ask("ResourceLock", Optional.empty(), resourceLock::holder);
    }

    /** Whether this process has the hold, which lanes leave now if no call may start any more. Never waits. */
    boolean isOurs() {
        return hold != null;
    }

    /** When the lock may be acquired again, if it is currently left free for others. */
    Optional<Instant> leftToOthersUntil() {
        return Optional.of(leftToOthers).filter(clock.instant()::isBefore);
    }
}

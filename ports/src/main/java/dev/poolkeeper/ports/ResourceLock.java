package dev.poolkeeper.ports;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The lock that every writer to the load balancers honours (design document, <em>Locking And Queue Safety</em>:
 * {@code azureResourceLocker}). Implementations are thread-safe.
 */
public interface ResourceLock {

    /** No call starts under a hold after this time. */
    Duration MAX_HOLD = Duration.ofMinutes(1);

    /** After a longer hold the lock stays free for {@link #TURN_OF_OTHERS}. */
    Duration SHORT_HOLD = Duration.ofSeconds(10);

    /** Enough for a writer that retries with backoff to get its turn. */
    Duration TURN_OF_OTHERS = Duration.ofSeconds(5);

    /** A lock that is always free, for a process that is the only writer. */
    ResourceLock NONE = () -> Optional.of(new Hold() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void close() {}
    });

    /** Acquires the lock if no other writer holds it. Never waits for another holder. */
    Optional<Hold> tryAcquire();

    /**
     * The other writer that this process last saw holding the lock; never this process itself. Empty if there is none,
     * or none is known. Makes no call.
     */
    default Optional<Holder> holder() {
        return Optional.empty();
    }

    /**
     * A holder of the lock.
     *
     * @param identity its identity in the lock
     * @param since when it acquired the lock, according to the lock itself; empty if not recorded
     * @param until when its hold expires if it is not renewed
     */
    record Holder(String identity, Optional<Instant> since, Instant until) {}

    /** A held lock; closing it releases it. The implementation handles errors on release. */
    interface Hold extends AutoCloseable {

        /** Whether it is still held. Once false, no further request may start under this hold. */
        boolean isHeld();

        @Override
        void close();
    }
}

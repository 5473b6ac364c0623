package dev.poolkeeper.ports;

import java.time.Instant;
import java.util.Optional;

/**
 * The lock that every writer to the load balancers honours (design document, <em>Locking And Queue Safety</em>:
 * {@code azureResourceLocker}). Implementations are thread-safe.
 */
public interface ResourceLock {

    /** Always free, for a process that is the only writer. */
    ResourceLock NONE = () -> Optional.of(new Hold() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void close() {}
    });

    /** The lock, if no other writer holds it. Never waits for another holder. */
    Optional<Hold> tryAcquire();

    /** Who holds the lock, as far as this process has seen; empty if it is free or not known. Makes no call. */
    default Optional<Holder> holder() {
        return Optional.empty();
    }

    /**
     * A holder of the lock.
     *
     * @param identity how it signs
     * @param since when it says that it acquired the lock; empty where it does not say
     * @param until when its hold expires if it is not renewed
     */
    record Holder(String identity, Optional<Instant> since, Instant until) {}

    /** The lock while it is held; closing it releases it. Errors on releasing it are the implementation's. */
    interface Hold extends AutoCloseable {

        /** Whether it is still held. Once false, no further request may start under this hold. */
        boolean isHeld();

        @Override
        void close();
    }
}

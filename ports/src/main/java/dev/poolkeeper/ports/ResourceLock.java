package dev.poolkeeper.ports;

import java.util.Optional;

/**
 * The lock that every writer to the load balancers honours (design document, <em>Locking And Queue Safety</em>:
 * {@code azureResourceLocker}). Implementations are thread-safe.
 */
public interface ResourceLock {

    /** The lock, if nobody else holds it. Never waits for another holder. */
    Optional<Hold> tryAcquire();

    /** The lock while it is held; closing it gives it back. Errors on giving it back are the implementation's. */
    interface Hold extends AutoCloseable {

        /** Whether it is still held. Once false, no further request may start under this hold. */
        boolean isHeld();

        @Override
        void close();
    }
}

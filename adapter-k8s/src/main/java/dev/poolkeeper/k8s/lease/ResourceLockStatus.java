package dev.poolkeeper.k8s.lease;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the last attempt to acquire the resource lock went.
 *
 * @param holder who held the lock after it, empty where nobody knows
 * @param error what went wrong, empty where nothing did
 */
public record ResourceLockStatus(Optional<String> holder, Optional<String> error) {

    /** Nobody ever asked for it. */
    public static final ResourceLockStatus NONE = new ResourceLockStatus(Optional.empty(), Optional.empty());

    static ResourceLockStatus heldBy(@Nullable String holder) {
        return new ResourceLockStatus(Optional.ofNullable(holder), Optional.empty());
    }

    static ResourceLockStatus failed(LeaseStoreException e) {
        return new ResourceLockStatus(Optional.empty(), Optional.ofNullable(e.getMessage()));
    }
}

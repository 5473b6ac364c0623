package dev.poolkeeper.k8s.lease;

import java.util.UUID;

/** Identities of Lease holders. */
public final class HolderIdentity {

    /** The Go updater's identity; another process that uses it defeats the lock. */
    static final String GO_UPDATER = "cloud-controller-manager";

    private HolderIdentity() {}

    /**
     * An identity that no other process has, not even the next one on the same host.
     *
     * @param host the name of the host or pod, for readability
     * @param unique a random value drawn for this process
     */
    public static String of(String host, UUID unique) {
        return "poolkeeper_" + host + "_" + unique;
    }

    /** @throws IllegalArgumentException if the identity is blank or the Go updater's */
    static String require(String identity) {
        if (identity.isBlank() || identity.equals(GO_UPDATER)) {
            throw new IllegalArgumentException(
                    "a holder identity must be unique to this process, not blank and not %s, got \"%s\""
                            .formatted(GO_UPDATER, identity));
        }
        return identity;
    }
}

package dev.poolkeeper.k8s.lease;

import java.util.UUID;

/** Names that holders of Leases go by. */
public final class HolderIdentity {

    /** The name of the Go updater's holder; another process that uses it defeats the lock. */
    static final String GO_UPDATER = "cloud-controller-manager";

    private HolderIdentity() {}

    /**
     * A name that no other process has, also not the next one of the same host.
     *
     * @param host the host's or pod's name, for people
     * @param unique drawn at random for this process
     */
    public static String of(String host, UUID unique) {
        return "poolkeeper_" + host + "_" + unique;
    }

    /** @throws IllegalArgumentException if it is blank or the Go updater's */
    static String require(String identity) {
        if (identity.isBlank() || identity.equals(GO_UPDATER)) {
            throw new IllegalArgumentException(
                    "a holder identity must be unique to this process, not blank and not %s, got \"%s\""
                            .formatted(GO_UPDATER, identity));
        }
        return identity;
    }
}

package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

/**
 * One Pod, and no other that later has its name.
 *
 * @param namespace its namespace
 * @param name its name
 * @param uid its uid
 */
public record PodId(String namespace, String name, String uid) {

    public PodId {
        requireNonNull(namespace, "namespace");
        requireNonNull(name, "name");
        requireNonNull(uid, "uid");
    }

    /** {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}

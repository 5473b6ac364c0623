package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

/**
 * The identity of a Pod, distinct from a later Pod of the same name.
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

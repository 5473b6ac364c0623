package dev.poolkeeper.core.readiness;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import java.util.Optional;

/** The addresses that nodes contribute to pools. Thread-safe; returns immediately. */
@FunctionalInterface
public interface NodeAddresses {

    /**
     * An empty set if the node is excluded or deleted; an empty {@code Optional} if the API server never reported it.
     */
    Optional<AddressSet> of(String node, IpFamily family);
}

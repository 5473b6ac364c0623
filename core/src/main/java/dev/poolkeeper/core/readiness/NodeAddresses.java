package dev.poolkeeper.core.readiness;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import java.util.Optional;

/** Which addresses nodes bring into pools. Thread-safe; answers at once. */
@FunctionalInterface
public interface NodeAddresses {

    /** None if the node is excluded or deleted; empty if the API server never spoke of it. */
    Optional<AddressSet> of(String node, IpFamily family);
}

package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;

/** A Service in one family. */
public record Share(ServiceName service, IpFamily family) {

    /** The name of its pool. */
    ArmName pool() {
        return family.poolName(service);
    }

    /** @param slice of the same Service */
    boolean isListedBy(EndpointSliceState slice) {
        return slice.addressType().equals(family == IpFamily.IPV4 ? "IPv4" : "IPv6");
    }
}

package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a pool's {@code loadBalancerBackendAddresses}.
 *
 * @param address its IP address, null for an entry without one (as for a network interface)
 * @param json the entry's JSON from ARM; null if it has only an address
 */
public record PoolEntry(
        @Nullable IpAddress address, @Nullable ObjectNode json) {}

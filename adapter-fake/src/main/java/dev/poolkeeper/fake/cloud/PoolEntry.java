package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a pool's {@code loadBalancerBackendAddresses}.
 *
 * @param address its IP address, null for an entry without one (a network interface's)
 * @param json the entry as ARM shows it; null for one that has nothing but its address
 */
public record PoolEntry(
        @Nullable IpAddress address, @Nullable ObjectNode json) {}

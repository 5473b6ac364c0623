package dev.poolkeeper.core.endpoints;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;

/**
 * What a pool should hold.
 *
 * @param pool the pool, in the spelling found at ARM
 * @param services the local Services whose pool it is, sorted
 * @param wanted the addresses of all of them together, whether their sets are complete or not
 */
public record WantedPool(PoolKey pool, List<ServiceName> services, AddressSet wanted) {}

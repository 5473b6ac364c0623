package dev.poolkeeper.azure;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import java.util.List;

/**
 * A load balancer of this cluster as a listing shows it.
 *
 * @param pools its pools, without what a write needs
 */
record ListedLoadBalancer(ArmName name, List<BackendPool> pools) {}

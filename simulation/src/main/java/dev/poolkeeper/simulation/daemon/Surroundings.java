package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.simulation.arm.SimulatedArm;
import dev.poolkeeper.simulation.cluster.ApiServer;
import dev.poolkeeper.simulation.cluster.LeaseServer;
import dev.poolkeeper.simulation.time.Timeline;

/**
 * What daemons share.
 *
 * @param timeline time
 * @param apiServer the cluster
 * @param election the Lease of the leader election
 * @param resourceLock the Lease of the resource lock
 * @param arm the load balancers
 */
public record Surroundings(
        Timeline timeline, ApiServer apiServer, LeaseServer election, LeaseServer resourceLock, SimulatedArm arm) {}

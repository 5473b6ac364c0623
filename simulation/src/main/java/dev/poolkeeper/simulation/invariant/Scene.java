package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.cluster.WaitingPods;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.List;

/** The state that invariants check. */
public interface Scene {

    Timeline timeline();

    ResourceManager arm();

    /** The true state of the cluster, past and present. */
    Truth truth();

    /** Whether this pool's load balancer belongs to the cluster. */
    boolean owns(PoolKey pool);

    /** The holders of the resource lock over time. */
    LockHistory resourceLock();

    /** The other writer to the load balancers. */
    OtherController otherController();

    /** The Pods with a readiness gate. */
    WaitingPods pods();

    /** The running processes. */
    List<SimulatedDaemon> daemons();

    /** Reports a violation; the first one counts. */
    void violated(Invariant invariant, String story);
}

package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.cluster.WaitingPods;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.List;

/** What invariants look at. */
public interface Scene {

    Timeline timeline();

    ResourceManager arm();

    /** What was ever true of the cluster. */
    Truth truth();

    /** Whether this pool's load balancer belongs to the cluster. */
    boolean owns(PoolKey pool);

    /** Who held the resource lock when. */
    LockHistory resourceLock();

    /** Who else writes to the load balancers. */
    OtherController otherController();

    /** The Pods with a readiness gate. */
    WaitingPods pods();

    /** The processes that live. */
    List<SimulatedDaemon> daemons();

    /** Something that must not happen did; the first one counts. */
    void violated(Invariant invariant, String story);
}

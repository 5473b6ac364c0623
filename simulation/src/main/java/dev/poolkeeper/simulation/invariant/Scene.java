package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.List;

/** What invariants look at. */
public interface Scene {

    Timeline timeline();

    ResourceManager arm();

    /** What was ever true of the cluster. */
    Truth truth();

    /** The processes that live. */
    List<SimulatedDaemon> daemons();

    /** Something that must not happen did; the first one counts. */
    void violated(Invariant invariant, String story);
}

package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.simulation.cluster.Network;
import dev.poolkeeper.simulation.time.MachineClock;

/** Where daemons run, one after another. */
public final class Machine {

    private final String name;
    private final MachineClock clock;
    private final Network network;
    private long stoodStillUntil = -1;

    /**
     * @param name its name
     * @param clock its clocks
     * @param network its way to the API server
     */
    public Machine(String name, MachineClock clock, Network network) {
        this.name = name;
        this.clock = clock;
        this.network = network;
    }

    public String name() {
        return name;
    }

    public MachineClock clock() {
        return clock;
    }

    public Network network() {
        return network;
    }

    /** It is suspended now, its monotonic clock too. */
    public void suspend() {
        stoodStillUntil = Long.MAX_VALUE;
    }

    /** It goes on. */
    public void resume(long nowNanos, long nanos) {
        clock.suspended(nanos);
        stoodStillUntil = nowNanos;
    }

    /** Whether its monotonic clock stood still at some time after this one. */
    public boolean stoodStillSince(long nanos) {
        return stoodStillUntil > nanos;
    }
}

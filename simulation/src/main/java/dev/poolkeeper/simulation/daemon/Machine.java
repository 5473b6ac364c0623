package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.simulation.cluster.Network;
import dev.poolkeeper.simulation.time.MachineClock;

/** Where daemons run, one after another. */
public final class Machine {

    private final String name;
    private final MachineClock clock;
    private final Network network;
    private boolean suspended;
    private boolean wrongRate;
    private long outOfStepUntil = -1;

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
        suspended = true;
    }

    /** It goes on. */
    public void resume(long nowNanos) {
        suspended = false;
        outOfStepUntil = nowNanos;
    }

    /** Its clocks run this many times as fast as they should; 1 for as ever. */
    public void runClocks(double timesAsFast, long nowNanos) {
        clock.run(timesAsFast);
        if (wrongRate) {
            outOfStepUntil = nowNanos;
        }
        wrongRate = timesAsFast != 1;
    }

    /**
     * Whether at some time after this one its monotonic clock showed less or more of what passed than a leader election
     * bears: it stood still, or ran so fast or so slow that its rate and another machine's differ by more than
     * {@code leaseDuration} and {@code renewDeadline} do.
     */
    public boolean wasOutOfStepSince(long nanos) {
        return suspended || wrongRate || outOfStepUntil > nanos;
    }
}

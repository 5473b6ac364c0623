package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.simulation.cluster.Network;
import dev.poolkeeper.simulation.host.ConfigurationFile;
import dev.poolkeeper.simulation.time.MachineClock;

/** A machine on which daemons run, one after another. */
public final class Machine {

    private final String name;
    private final MachineClock clock;
    private final Network network;
    private final ConfigurationFile configuration;
    private boolean suspended;
    private boolean wrongRate;
    private long outOfStepUntil = -1;

    /**
     * @param name its name
     * @param clock its clocks
     * @param network its connection to the API server
     * @param configuration the configuration file of its daemons
     */
    public Machine(String name, MachineClock clock, Network network, ConfigurationFile configuration) {
        this.name = name;
        this.clock = clock;
        this.network = network;
        this.configuration = configuration;
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

    public ConfigurationFile configuration() {
        return configuration;
    }

    /** Suspends it, including its monotonic clock. */
    public void suspend() {
        suspended = true;
    }

    /** Resumes it. */
    public void resume(long nowNanos) {
        suspended = false;
        outOfStepUntil = nowNanos;
    }

    /** Sets the speed of its clocks; 1 for normal. */
    public void runClocks(double timesAsFast, long nowNanos) {
        clock.run(timesAsFast);
        if (wrongRate) {
            outOfStepUntil = nowNanos;
        }
        wrongRate = timesAsFast != 1;
    }

    /**
     * Whether at some time after this one its monotonic clock deviated more than leader election tolerates: it stood
     * still, or its rate differed from another machine's by more than the ratio of {@code leaseDuration} to
     * {@code renewDeadline}.
     */
    public boolean wasOutOfStepSince(long nanos) {
        return suspended || wrongRate || outOfStepUntil > nanos;
    }
}

package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.cluster.Network;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.daemon.Machine;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.host.ConfigurationFile;
import dev.poolkeeper.simulation.host.DaemonConfiguration;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.MachineClock;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The machines and the process on each, if any. */
final class Hosts {

    /** The largest number of machines in a run. */
    static final int MOST = 3;

    /** A machine and its process. */
    static final class Host {
        final Machine machine;

        @Nullable
        SimulatedDaemon daemon;

        Host(Machine machine) {
            this.machine = machine;
        }
    }

    private final World world;
    private final DaemonConfiguration configuration;
    private final DaemonFlaws flaws;
    private final Consumer<Observation> observer;
    private final Chance chance;
    private final List<Host> all = new ArrayList<>();
    private int incarnations;

    Hosts(
            World world,
            DaemonConfiguration configuration,
            DaemonFlaws flaws,
            Consumer<Observation> observer,
            Chance chance,
            int count) {
        this.world = world;
        this.configuration = configuration;
        this.flaws = flaws;
        this.observer = observer;
        this.chance = chance;
        for (int i = 0; i < count; i++) {
            MachineClock clock = new MachineClock(
                    world.timeline,
                    0.9 + 0.2 * chance.draw(),
                    chance.between(0, 1L << 50),
                    Duration.ofSeconds(chance.between(-300, 300)));
            all.add(new Host(new Machine(
                    world.prefix + "machine-" + i,
                    clock,
                    new Network(chance.forked(1000 + i)),
                    new ConfigurationFile(text(configuration), flaws.has(Flaw.IGNORES_OPERATORS)))));
        }
    }

    /** Of the share that the brake lets go only the file counts, which is read at each start. */
    private String text(DaemonConfiguration usual) {
        return flaws.has(Flaw.NEVER_BRAKES) || flaws.has(Flaw.BRAKES_EARLY)
                ? usual.text()
                        .replace(
                                "safetyBrake:\n  percent: 50",
                                "safetyBrake:\n  percent: " + (flaws.has(Flaw.NEVER_BRAKES) ? 100 : 5))
                : usual.text();
    }

    List<Host> all() {
        return all;
    }

    List<SimulatedDaemon> daemons() {
        List<SimulatedDaemon> daemons = new ArrayList<>(all.size());
        for (Host host : all) {
            SimulatedDaemon daemon = host.daemon;
            if (daemon != null) {
                daemons.add(daemon);
            }
        }
        return daemons;
    }

    /** A random host with a process, more often than not the leader; null if there is none. */
    @Nullable
    Host pick(Chance draws) {
        List<Host> alive = all.stream().filter(host -> host.daemon != null).toList();
        if (alive.isEmpty()) {
            return null;
        }
        if (draws.happens(0.7)) {
            for (Host host : alive) {
                SimulatedDaemon daemon = host.daemon;
                if (daemon != null && daemon.isLeader()) {
                    return host;
                }
            }
        }
        return draws.pick(alive);
    }

    /** Starts a process with a unique identity. */
    void start(Host host) {
        start(host, null);
    }

    private void start(Host host, @Nullable String identity) {
        if (host.daemon == null) {
            String name = world.prefix + "daemon-" + ++incarnations;
            SimulatedDaemon daemon = new SimulatedDaemon(
                    name,
                    identity == null ? name : identity,
                    configuration,
                    host.machine,
                    world.apiServer,
                    world.arm,
                    flaws,
                    observer,
                    chance.forked(incarnations),
                    world.timeline,
                    daemons().stream().anyMatch(SimulatedDaemon::isLeader));
            host.daemon = daemon;
            daemon.start();
        }
    }

    void kill(Host host) {
        SimulatedDaemon daemon = host.daemon;
        if (daemon != null) {
            host.daemon = null;
            daemon.kill();
        }
    }

    /** Kills the process and restarts it later. */
    void restart(Host host, long millis) {
        kill(host);
        world.timeline.after(millis * Timeline.MILLIS, () -> start(host));
    }

    /**
     * Kills the process; its successor uses the identity of a process running on another host, or if there is none,
     * that of the killed one.
     */
    void restartAsTheOther(Host host, long millis) {
        SimulatedDaemon killed = host.daemon;
        kill(host);
        world.timeline.after(millis * Timeline.MILLIS, () -> {
            List<SimulatedDaemon> others = daemons();
            SimulatedDaemon namesake = others.isEmpty() ? killed : others.get(0);
            start(host, namesake == null ? null : namesake.identity());
        });
    }

    int incarnations() {
        return incarnations;
    }
}

package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.ApiServer;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.host.DaemonConfiguration;
import dev.poolkeeper.simulation.host.ShippedDaemon;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.time.VirtualTime;
import dev.poolkeeper.simulation.wire.Tap;
import dev.poolkeeper.simulation.wire.Wire;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** One process of the shipped daemon, with its wires and those who look on. */
public final class SimulatedDaemon {

    private final String name;
    private final String identity;
    private final Machine machine;
    private final DaemonFlaws flaws;
    private final Witness witness;
    private final VirtualProcess process;
    private final Knowledge knowledge;
    private final ArmConditions armConditions;
    private final Wire objects;
    private final ShippedDaemon shipped;
    private boolean stopping;

    /**
     * @param name a name that no other process ever had
     * @param identity the name that it goes by where it holds a Lease; another process may go by it too
     * @param wasLed whether another process leads when it starts
     */
    public SimulatedDaemon(
            String name,
            String identity,
            Machine machine,
            ApiServer apiServer,
            ResourceManager arm,
            DaemonFlaws flaws,
            Witness witness,
            Chance chance,
            Timeline timeline,
            boolean wasLed) {
        this.name = name;
        this.identity = identity;
        this.machine = machine;
        this.flaws = flaws;
        this.witness = witness;
        this.process = new VirtualProcess(timeline, error -> witness.failed(this, error));
        this.knowledge = new Knowledge(timeline::now);
        this.armConditions = new ArmConditions(arm);
        ArmTap armTap = new ArmTap(this, witness);
        Wire armWire = new Wire(process, arm.wayOf(name), armConditions, armTap);
        this.objects = new Wire(
                process, machine.network().wayTo(apiServer.service()), machine.network(), new KubeTap(this, witness));
        Wire leases = new Wire(process, machine.network().wayTo(apiServer.service()), machine.network(), Tap.NONE);
        this.shipped = new ShippedDaemon(
                configuration(flaws),
                process,
                identity,
                new VirtualTime(process, machine.clock(), chance.forked(1)),
                new FlawedArmWay(armWire, flaws),
                objects,
                new FlawedLeaseWay(leases, flaws, identity, wasLed),
                new ObservingModule(this, flaws, armTap, witness, chance.forked(2)));
    }

    private static DaemonConfiguration configuration(DaemonFlaws flaws) {
        if (flaws.has(Flaw.FORGETS_ON_RELIST)) {
            return DaemonConfiguration.DEFAULT.with(
                    engine -> engine.withoutGuards()); // the brake would hold what it takes for gone
        }
        return flaws.has(Flaw.NEVER_RESYNCS)
                ? DaemonConfiguration.DEFAULT.with(engine -> engine.withResync(Duration.ZERO))
                : DaemonConfiguration.DEFAULT;
    }

    // --- its life ---

    public void start() {
        witness.started(this);
        shipped.start();
    }

    /** No warning, no cleaning up. */
    public void kill() {
        witness.killed(this);
        process.kill();
    }

    /** As on SIGTERM: calls in progress go on until the grace period ends, then the Leases are given back. */
    public void stop(Runnable onStopped) {
        if (!stopping) {
            stopping = true;
            shipped.stop(onStopped);
        }
    }

    /** Everything of some kind is about to be read again. */
    void readsAll() {
        shipped.instance(FlawedListener.class).readsAll();
    }

    // --- for those who look ---

    public String name() {
        return name;
    }

    /** What it goes by in the Leases that it holds. */
    public String identity() {
        return identity;
    }

    public Machine machine() {
        return machine;
    }

    public VirtualProcess process() {
        return process;
    }

    public Knowledge knowledge() {
        return knowledge;
    }

    public Engine engine() {
        return shipped.engine();
    }

    /** The clock that its engine goes by. */
    public InstantSource clock() {
        return shipped.clock();
    }

    /** Its way to ARM. */
    public ArmConditions arm() {
        return armConditions;
    }

    /** Its watches that are open, oldest first. */
    public List<Wire.Exchange> watches() {
        return objects.open().stream()
                .filter(exchange ->
                        String.valueOf(exchange.call().uri().getQuery()).contains("watch=true"))
                .toList();
    }

    /** Whether its election says that it leads. */
    public boolean isLeader() {
        return shipped.isLeader();
    }

    boolean has(Flaw flaw) {
        return flaws.has(flaw);
    }

    @Override
    public String toString() {
        return name;
    }
}

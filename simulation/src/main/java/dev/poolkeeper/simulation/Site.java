package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.cluster.WaitingPods;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.invariant.Invariant;
import dev.poolkeeper.simulation.invariant.Invariants;
import dev.poolkeeper.simulation.invariant.Scene;
import dev.poolkeeper.simulation.invariant.Truth;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One cluster with its daemons, its load balancers in the resource group, and its invariants. */
final class Site implements Scene {

    final World world;
    final Truth truth;
    final Invariants invariants;
    final Director director;
    private final BiConsumer<Invariant, String> onViolation;
    private @Nullable Hosts hosts;
    private @Nullable Saboteur saboteur;

    /** @param onViolation receives a violated invariant and a description of the violation */
    Site(World world, BiConsumer<Invariant, String> onViolation) {
        this.world = world;
        this.onViolation = onViolation;
        this.truth = new Truth(world.apiServer);
        this.invariants = new Invariants(this);
        this.director = new Director(world);
    }

    /** Must be called first; sets the machines. */
    void runsOn(Hosts machines, Mode mode) {
        hosts = machines;
        saboteur = new Saboteur(world, machines, director, mode);
    }

    Hosts hosts() {
        return Objects.requireNonNull(hosts);
    }

    Saboteur saboteur() {
        return Objects.requireNonNull(saboteur);
    }

    @Override
    public Timeline timeline() {
        return world.timeline;
    }

    @Override
    public ResourceManager arm() {
        return world.arm;
    }

    @Override
    public Truth truth() {
        return truth;
    }

    @Override
    public boolean owns(PoolKey pool) {
        return world.loadBalancers.contains(pool.loadBalancer());
    }

    @Override
    public LockHistory resourceLock() {
        return world.resourceLock.history();
    }

    @Override
    public OtherController otherController() {
        return world.otherController;
    }

    @Override
    public WaitingPods pods() {
        return world.pods;
    }

    @Override
    public List<SimulatedDaemon> daemons() {
        return hosts().daemons();
    }

    @Override
    public void violated(Invariant invariant, String story) {
        onViolation.accept(invariant, story);
    }
}

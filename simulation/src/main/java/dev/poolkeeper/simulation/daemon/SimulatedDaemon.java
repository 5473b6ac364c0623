package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.DriftSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Cause.Hold;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.ApiServer;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.host.DaemonConfiguration;
import dev.poolkeeper.simulation.host.ShippedDaemon;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.time.VirtualTime;
import dev.poolkeeper.simulation.wire.Wire;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One process of the shipped daemon, with its connections and observers. */
public final class SimulatedDaemon {

    private final String name;
    private final String identity;
    private final Machine machine;
    private final DaemonFlaws flaws;
    private final Consumer<Observation> observer;
    private final VirtualProcess process;
    private final Knowledge knowledge;
    private final SeenPools seen;
    private final PoolCalls calls = new PoolCalls();
    private final LeaseTap leaseTap;
    private final ArmConditions armConditions;
    private final Wire objects;
    private final ShippedDaemon shipped;
    private final int driftTimes;
    private final boolean opensGates;
    private boolean stopping;
    private @Nullable String heldRemoval;
    private boolean agreed;

    /**
     * @param name a name that no other process has had
     * @param identity its identity as a Lease holder; another process may use it too
     * @param wasLed whether another process is leader when it starts
     */
    public SimulatedDaemon(
            String name,
            String identity,
            DaemonConfiguration configuration,
            Machine machine,
            ApiServer apiServer,
            ResourceManager arm,
            DaemonFlaws flaws,
            Consumer<Observation> observer,
            Chance chance,
            Timeline timeline,
            boolean wasLed) {
        this.name = name;
        this.identity = identity;
        this.machine = machine;
        this.flaws = flaws;
        this.observer = observer;
        this.process = new VirtualProcess(timeline, error -> observed(new Observation.Failed(this, error)));
        this.knowledge = new Knowledge(timeline, machine);
        this.seen = new SeenPools(timeline::now);
        this.leaseTap = new LeaseTap(machine.clock());
        this.armConditions = new ArmConditions(arm);
        ArmTap armTap = new ArmTap(this);
        Wire armWire = new Wire(process, arm.wayOf(name), armConditions, armTap);
        this.objects =
                new Wire(process, machine.network().wayTo(apiServer.service()), machine.network(), new KubeTap(this));
        Wire leases = new Wire(process, machine.network().wayTo(apiServer.service()), machine.network(), leaseTap);
        DaemonConfiguration flawed = flawed(configuration, flaws);
        this.driftTimes = drift(configuration).times();
        this.opensGates = configuration.text().contains("readinessGate:");
        this.shipped = new ShippedDaemon(
                flawed,
                machine.configuration(),
                process,
                identity,
                new VirtualTime(process, machine.clock(), chance.forked(1)),
                new FlawedArmWay(armWire, flaws),
                new FlawedObjectsWay(new FlawedGates(objects, flaws, process, knowledge), flaws),
                new FlawedLeaseWay(leases, process, flaws, identity, wasLed),
                new ObservingModule(this, flaws, armTap, chance.forked(2)));
    }

    private static DaemonConfiguration flawed(DaemonConfiguration configuration, DaemonFlaws flaws) {
        if (flaws.has(Flaw.FORGETS_ON_RELIST)) {
            return configuration.with(
                    engine -> engine.withoutGuards()); // the brake would hold removals of forgotten addresses
        }
        if (flaws.has(Flaw.BRAKES_FOR_LONG)) {
            return withBrake(
                    configuration,
                    brake -> new BrakeSettings(
                            brake.percent(), brake.minAddresses(), brake.hold().multipliedBy(10), brake.window()));
        }
        if (flaws.has(Flaw.STARTS_AT_TICKS)) {
            return configuration.with(engine -> engine.withPace(Pace.TICK));
        }
        if (flaws.has(Flaw.ASKS_AGAIN_SOON)) {
            Backoff usual = configuration
                    .configuration()
                    .engine()
                    .guards()
                    .orElseThrow()
                    .forbiddenWaits();
            Backoff same = new Backoff(usual.initial(), usual.initial());
            return configuration.with(
                    engine -> engine.withGuards(engine.guards().orElseThrow().withForbiddenWaits(same)));
        }
        if (flaws.has(Flaw.NEVER_BACKS_OFF)) {
            DriftSettings usual = drift(configuration);
            DriftSettings never = new DriftSettings(Integer.MAX_VALUE, usual.waits(), usual.calmAfter());
            return configuration.with(
                    engine -> engine.withGuards(engine.guards().orElseThrow().withDrift(never)));
        }
        return flaws.has(Flaw.NEVER_RESYNCS)
                ? configuration.with(engine -> engine.withResync(Duration.ZERO))
                : configuration;
    }

    private static DriftSettings drift(DaemonConfiguration configuration) {
        return configuration.configuration().engine().guards().orElseThrow().drift();
    }

    private static DaemonConfiguration withBrake(
            DaemonConfiguration configuration, UnaryOperator<BrakeSettings> change) {
        return configuration.with(engine -> {
            GuardSettings guards = engine.guards().orElseThrow();
            return engine.withGuards(
                    new GuardSettings(change.apply(guards.brake()), guards.drift(), guards.forbiddenWaits()));
        });
    }

    // --- life cycle ---

    public void start() {
        observed(new Observation.Started(this));
        shipped.start();
    }

    /** Ends it without warning or clean-up. */
    public void kill() {
        observed(new Observation.Killed(this));
        process.kill();
    }

    /** As on SIGTERM: calls in progress continue until the grace period ends, then the Leases are released. */
    public void stop(Runnable onStopped) {
        if (!stopping) {
            stopping = true;
            shipped.stop(onStopped);
        }
    }

    /** Sets {@code safetyBrake.agreed} in its file to the id in its latest notice of a held removal. */
    public void agreeToHeldRemoval() {
        if (heldRemoval != null) {
            agreed = true;
            machine.configuration().agreeTo(heldRemoval);
        }
    }

    /** Those of threads that end with its death are none. */
    void published(Fact fact) {
        if (process.isAlive()) {
            observed(new Observation.Published(this, fact));
            calls.note(fact, process.timeline().now());
        }
    }

    void observed(Observation observation) {
        observer.accept(observation);
    }

    void reported(ServiceEvent event) {
        if (event.cause() instanceof Hold hold && hold.removal().isPresent()) {
            heldRemoval = hold.removal().get();
        }
    }

    /** Some kind is about to be listed again. */
    void readsAll() {
        shipped.instance(FlawedListener.class).readsAll();
    }

    // --- for observers ---

    public String name() {
        return name;
    }

    /** Its identity in the Leases that it holds. */
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

    /** The content of pools as ARM sent it. */
    public SeenPools seen() {
        return seen;
    }

    /** Its reads and writes, up to and without the one that a fact in hand is about. */
    public PoolCalls calls() {
        return calls;
    }

    /** Whether it holds the resource lock, by the Leases that the API server accepted and its own clock. */
    public boolean holdsResourceLock() {
        return machine.clock().nanoTime() < leaseTap.heldUntil();
    }

    /** When it sent the latest renewal of its leadership that the API server accepted, by its monotonic clock. */
    public long leadershipRenewed() {
        return leaseTap.election().renewed();
    }

    /** Whether it may have to wait for the resource lock, by its own clock and the responses to its requests. */
    public boolean mayWaitForResourceLock() {
        return leaseTap.mayWait();
    }

    /** Whether it was asked to stop. */
    public boolean isStopping() {
        return stopping;
    }

    /** The whole content of its pages. */
    public String statusPage() {
        AdminServer.Content pages = shipped.pages();
        return pages.status().get() + " " + pages.alive().get() + " "
                + pages.ready().get();
    }

    /** Each Service, pool and text in its memory, with the fields that lead to it. */
    public Map<Object, String> holdings() {
        return Holdings.of(shipped.daemon(), engine());
    }

    /** Whether an operator has paused all its writes, as far as it has read its configuration. */
    public boolean isPausedByOperator() {
        return machine.configuration().wasReadAsPaused();
    }

    /** Whether it opens the readiness gates of Pods. */
    public boolean opensGates() {
        return opensGates;
    }

    /** How often a pool must have been changed back before it is written less often. */
    public int driftTimes() {
        return driftTimes;
    }

    /** Whether an operator ever approved a removal that it held. */
    public boolean hasAgreed() {
        return agreed;
    }

    public Engine engine() {
        return shipped.engine();
    }

    /** The clock that its engine uses. */
    public InstantSource clock() {
        return shipped.clock();
    }

    /** Its connection to ARM. */
    public ArmConditions arm() {
        return armConditions;
    }

    /** Its open watches, oldest first. */
    public List<Wire.Exchange> watches() {
        return objects.open().stream()
                .filter(exchange ->
                        String.valueOf(exchange.call().uri().getQuery()).contains("watch=true"))
                .toList();
    }

    /** Whether its leader election reports that it leads. */
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

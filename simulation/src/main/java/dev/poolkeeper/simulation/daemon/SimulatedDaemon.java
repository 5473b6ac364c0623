package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Lanes;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.watch.ReducedStore;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import dev.poolkeeper.simulation.arm.ArmLink;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.SimulatedProcess;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One process of the daemon: the real engine, leader election, resource lock and retry model, started and stopped as
 * {@code poolkeeper run} does it, on simulated wires.
 */
public final class SimulatedDaemon {

    private static final long SOON = 50 * Timeline.MILLIS;
    private static final long GRACE = 25 * Timeline.SECONDS;

    /** With a budget that is configured, so that both layers are under it; its size is that of the default. */
    private static final RetrySettings RETRIES = RetrySettings.of(RetryPolicy.DEFAULT, BudgetSettings.DEFAULT);

    private final String name;
    private final String identity;
    private final Machine machine;
    private final Surroundings surroundings;
    private final DaemonTimes times;
    private final DaemonFlaws flaws;
    private final Witness witness;
    private final SimulatedProcess process;
    private final Knowledge knowledge;
    private final List<SimulatedWatch> watches = new ArrayList<>();
    private final LeaderElection election;
    private final Engine engine;
    private final EndpointIndex view = new EndpointIndex();
    private final ArmLink arm;
    private final Calls calls;
    private final Time clock;
    private boolean believesToLead;
    private boolean stopping;
    private Timeline.Event nextTurn;

    /**
     * @param name a name that no other process ever had
     * @param identity the name that it goes by where it holds a Lease; another process may go by it too
     */
    public SimulatedDaemon(
            String name,
            String identity,
            Machine machine,
            Surroundings surroundings,
            DaemonTimes times,
            DaemonFlaws flaws,
            Witness witness,
            Chance chance) {
        this.name = name;
        this.identity = identity;
        this.machine = machine;
        this.surroundings = surroundings;
        this.times = times;
        this.flaws = flaws;
        this.witness = witness;
        Timeline timeline = surroundings.timeline();
        this.process = new SimulatedProcess(timeline, error -> witness.failed(this, error));
        this.knowledge = new Knowledge(timeline::now);
        this.nextTurn = timeline.after(0, () -> {});
        SimulatedTime time = new SimulatedTime(process, machine.clock(), chance.forked(1));
        RetryModel retries = new RetryModel(RETRIES, new SimulatedTime(process, machine.clock(), chance.forked(2)));
        this.clock = time.steady();
        Wires wires = new Wires(this, witness);
        this.arm = new ArmLink(
                surroundings.arm(),
                process,
                name,
                timeline,
                clock,
                new ObservedRetries(flaws.has(Flaw.RETRIES_FOR_EVER) ? new EndlessRetries() : retries.calls(), wires),
                address -> "node",
                wires,
                flaws.arm());
        this.calls = new Calls(this, new FlawedPools(arm, flaws, process::start, chance.forked(4)), witness);
        this.election = new LeaderElection(
                new FlawedLease(
                        surroundings.election().link(process, machine.network(), chance.forked(5)), identity, flaws),
                identity,
                times.election(),
                time,
                new Leadership());
        this.engine = Engine.builder(view, calls, new FlawedDirectory(arm, flaws, knowledge, chance.forked(8)), clock)
                .settings(settings(times.engine(), flaws))
                .resourceLock(new LeaseResourceLock(
                        surroundings.resourceLock().link(process, machine.network(), chance.forked(6)),
                        identity,
                        times.resourceLock(),
                        time))
                .events(wires::event)
                .metrics(wires.metrics())
                .budgetAcrossTicks(
                        flaws.has(Flaw.ENDLESS_BUDGET) || flaws.has(Flaw.RETRIES_FOR_EVER)
                                ? wires.observed(RetryBudget.ENDLESS)
                                : wires.observed(retries.acrossTicks()))
                .lanes(Lanes.sideBySide(process::start))
                .hasSynced(this::hasSynced)
                .build();
        ClusterListener cluster = new FlawedListener(view, flaws, process::start);
        for (Kind kind : Kind.values()) {
            watches.add(new SimulatedWatch(
                    kind,
                    surroundings.apiServer(),
                    process,
                    timeline,
                    machine.network(),
                    chance.forked(10 + kind.ordinal()),
                    store(kind, cluster),
                    new ClusterWire(),
                    flaws.has(Flaw.FORGETS_ON_RELIST)));
        }
    }

    private static ReducedStore<Object> store(Kind kind, ClusterListener cluster) {
        return switch (kind) {
            case NODE ->
                new ReducedStore<>(
                        state -> cluster.nodeChanged((NodeState) state),
                        state -> cluster.nodeDeleted(((NodeState) state).name()));
            case SERVICE ->
                new ReducedStore<>(
                        state -> cluster.serviceChanged((ServiceState) state),
                        state -> cluster.serviceDeleted(((ServiceState) state).name()));
            case SLICE ->
                new ReducedStore<>(
                        state -> cluster.sliceChanged((EndpointSliceState) state),
                        state -> cluster.sliceDeleted((EndpointSliceState) state));
        };
    }

    private final class ClusterWire implements SimulatedWatch.Wire {
        @Override
        public void seen(Sighting sighting) {
            knowledge.seen(sighting);
        }

        @Override
        public void listed(Kind kind, Set<String> keys) {
            knowledge.listed(kind, keys);
        }

        @Override
        public void relisting(Kind kind, int status) {
            witness.watchEnded(SimulatedDaemon.this, status);
        }
    }

    private final class Leadership implements LeadershipListener {
        @Override
        public void started(Term electionTerm) {
            believesToLead = true;
            engine.startLeading(
                    flaws.has(Flaw.BELIEVES_IN_LEADERSHIP) ? Term.during(() -> believesToLead) : electionTerm);
            witness.leads(SimulatedDaemon.this, true);
        }

        @Override
        public void lost() {
            if (!flaws.has(Flaw.BELIEVES_IN_LEADERSHIP)) {
                believesToLead = false;
                engine.stopLeading();
            }
            witness.leads(SimulatedDaemon.this, false);
        }
    }

    private boolean hasSynced() {
        return watches.stream().allMatch(SimulatedWatch::hasSynced);
    }

    // --- its life ---

    public void start() {
        witness.started(this);
        watches.forEach(SimulatedWatch::start);
        if (!flaws.has(Flaw.NEVER_STANDS_AGAIN)
                || surroundings.election().holder().isEmpty()) {
            process.start(election::start);
        }
        engine.onListingAsked(this::turnSoon);
        engine.onStartDue(this::startWhenDue);
        process.start(this::turnLoop);
        tickLater();
    }

    private void tickLater() {
        process.after(machine.clock().trueNanos(times.interval().toNanos()), () -> {
            process.start(this::tick);
            tickLater();
        });
    }

    private static EngineSettings settings(EngineSettings usual, DaemonFlaws flaws) {
        if (flaws.has(Flaw.FORGETS_ON_RELIST)) {
            return usual.withoutGuards(); // the brake would hold what it takes for gone
        }
        return flaws.has(Flaw.NEVER_RESYNCS) ? usual.withResync(Duration.ZERO) : usual;
    }

    private void startWhenDue() {
        engine.nextStart().ifPresent(at -> {
            long wait = Math.max(0, Duration.between(clock.instant(), at).toNanos());
            process.after(machine.clock().trueNanos(wait), () -> process.start(this::tick));
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the witness hears of errors
    private void tick() {
        if (stopping) {
            return;
        }
        CompletableFuture<Void> tick = engine.tick();
        tick.whenComplete((done, error) -> {
            if (error != null && process.isAlive() && !SimulatedProcessErrors.isDeath(error)) {
                witness.failed(this, error);
            }
        });
    }

    private void turnLoop() {
        if (stopping) {
            return;
        }
        if (!hasSynced()) {
            planTurn(SOON);
            return;
        }
        engine.listIfDue();
        long wait = Duration.between(clock.instant(), clampedNextTurn()).toNanos();
        planTurn(Math.max(SOON, Math.min(wait, 30 * Timeline.SECONDS)));
    }

    private Instant clampedNextTurn() {
        Instant latest = clock.instant().plusSeconds(60);
        Instant next = engine.nextListing();
        return next.isAfter(latest) ? latest : next.isBefore(Instant.EPOCH) ? Instant.EPOCH : next;
    }

    private void planTurn(long nanos) {
        nextTurn.cancel();
        nextTurn = process.startAfter(nanos, this::turnLoop);
    }

    private void turnSoon() {
        if (hasSynced() && engine.hasListed() && process.isAlive() && !stopping) {
            planTurn(SOON);
        }
    }

    /** No warning, no cleaning up. */
    public void kill() {
        witness.killed(this);
        process.kill();
    }

    /** As on SIGTERM: calls under way go on until the grace period ends, then the Leases are given back. */
    public void stop(Runnable onStopped) {
        stopping = true;
        process.start(() -> {
            election.stopLeading();
            engine.shutdown();
            long end = surroundings.timeline().now() + GRACE;
            while (calls.underWay() > 0 && surroundings.timeline().now() < end) {
                if (!process.sleep(200 * Timeline.MILLIS)) {
                    break;
                }
            }
            if (calls.underWay() == 0) {
                election.release();
            } else {
                election.abandon();
            }
            onStopped.run();
        });
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

    public SimulatedProcess process() {
        return process;
    }

    public Knowledge knowledge() {
        return knowledge;
    }

    public Engine engine() {
        return engine;
    }

    /** The clock that its engine goes by. */
    public InstantSource clock() {
        return clock;
    }

    public ArmLink arm() {
        return arm;
    }

    /** Whether its election says that it leads. */
    public boolean isLeader() {
        return process.isAlive() && election.isLeader();
    }

    boolean has(Flaw flaw) {
        return flaws.has(flaw);
    }

    @Override
    public String toString() {
        return name;
    }
}

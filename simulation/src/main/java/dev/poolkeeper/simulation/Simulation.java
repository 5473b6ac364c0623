package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.Hosts.Host;
import dev.poolkeeper.simulation.arm.ArmFault;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.daemon.Witness;
import dev.poolkeeper.simulation.host.DaemonConfiguration;
import dev.poolkeeper.simulation.host.DaemonLog;
import dev.poolkeeper.simulation.host.InPlace;
import dev.poolkeeper.simulation.invariant.Invariant;
import dev.poolkeeper.simulation.invariant.Invariants;
import dev.poolkeeper.simulation.invariant.Scene;
import dev.poolkeeper.simulation.invariant.Truth;
import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.report.RunFiles;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import dev.poolkeeper.simulation.schedule.Step;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run. Everything happens in the thread that calls {@link #run}, and in the same way each time: the schedule's seed
 * decides whatever the schedule itself leaves open.
 */
public final class Simulation implements Scene, ResourceManager.Observer {

    private static final long BOUND = 150 * Timeline.SECONDS;
    private static final long TURN = 160 * Timeline.SECONDS;
    private static final long QUIET = 30 * Timeline.SECONDS;
    private static final long REPAIR = 105 * Timeline.SECONDS;
    private static final long FAILOVER = 23 * Timeline.SECONDS;

    private final Schedule schedule;
    private final Timeline timeline = new Timeline();
    private final Coverage coverage = new Coverage();
    private final List<String> lines = new ArrayList<>();
    private final RunFiles files = new RunFiles();
    private final boolean traced;
    private final String only;
    private final Chance chance;
    private final World world;
    private final Truth truth;
    private final Invariants invariants;
    private final Hosts hosts;
    private final Director director;
    private final Saboteur saboteur;
    private @Nullable Violation violation;
    private long changes;
    private long writes;
    private final long clusterRevision;

    private Simulation(Schedule schedule, DaemonFlaws flaws, boolean traced, String only) {
        this.only = only;
        this.schedule = schedule;
        this.traced = traced;
        this.chance = new Chance(schedule.seed()).forked(schedule.mode() == Mode.SAFETY ? 1 : 2);
        this.world = new World(timeline, chance.forked(1), this);
        this.truth = new Truth(world.apiServer);
        this.invariants = new Invariants(this);
        this.hosts =
                new Hosts(world, DaemonConfiguration.of(schedule.model()), flaws, new Recorder(), chance.forked(2));
        this.director = new Director(world);
        this.saboteur = new Saboteur(world, hosts, director, schedule.mode());
        if (traced) {
            world.apiServer.observe(change -> files.changed(timeline.now(), change));
        }
        world.furnish(chance.forked(3));
        world.resourceLock.history().observe(this::lockTaken);
        this.clusterRevision = world.apiServer.revision();
        if (traced) {
            files.inventory(world.arm);
            world.arm.observeFaults(window -> files.fault(timeline.now(), window));
            world.apiServer.observe(change ->
                    line("cluster: %s %s %s", change.deleted() ? "deleted" : "is", change.kind(), change.state()));
        }
    }

    /**
     * Runs a schedule.
     *
     * @param flaws bugs to be planted
     * @param traced whether every event is written down
     */
    public static RunResult run(Schedule schedule, DaemonFlaws flaws, boolean traced) {
        return new Simulation(schedule, flaws, traced, "").run();
    }

    /**
     * Runs a schedule and looks at some invariants only.
     *
     * @param only how the names of those invariants begin
     */
    static RunResult run(Schedule schedule, DaemonFlaws flaws, String only) {
        return new Simulation(schedule, flaws, false, only).run();
    }

    /** The names and promises of all invariants. */
    public static List<Invariant> invariants() {
        return new Simulation(new Schedule(0, Mode.SAFETY, 0, List.of()), DaemonFlaws.NONE, false, "").invariants.all();
    }

    private RunResult run() {
        try (InPlace place = InPlace.open();
                DaemonLog log = DaemonLog.open(invariants::logged)) {
            return runInPlace();
        }
    }

    private RunResult runInPlace() {
        for (Step step : schedule.steps()) {
            timeline.at(step.atMillis() * Timeline.MILLIS, () -> carryOut(step));
        }
        coverage.reached("model " + schedule.model());
        line("the model is %s", schedule.model());
        coverage.reached(replicas(hosts.all().size()));
        hosts.all().forEach(hosts::start);
        if (schedule.mode() == Mode.LIVENESS) {
            timeline.at(schedule.quietFromMillis() * Timeline.MILLIS, this::heal);
            world.arm.endOperationsBy(schedule.quietFromMillis() * Timeline.MILLIS);
        }
        timeline.run(schedule.lengthMillis() * Timeline.MILLIS, () -> {
            invariants.afterEvent();
            return violation != null;
        });
        Violation found = violation;
        hosts.all().forEach(host -> {
            if (host.daemon != null) {
                host.daemon.process().kill();
            }
        });
        timeline.end();
        return new RunResult(
                schedule,
                Optional.ofNullable(found),
                timeline.happened(),
                changes + world.apiServer.revision() - clusterRevision,
                writes,
                coverage,
                lines,
                files);
    }

    static String replicas(int count) {
        return count == 1 ? "one replica" : count + " replicas";
    }

    private void carryOut(Step step) {
        changes += step.kind().isFault() || step.kind().name().startsWith("POOL") ? 1 : 0;
        line("%s", step.kind());
        coverage.reached((step.kind().isFault() ? "fault " : "life ") + step.kind());
        if (step.kind().isFault()) {
            saboteur.carryOut(step);
        } else {
            director.carryOut(step);
        }
    }

    // --- liveness ---

    private void heal() {
        boolean killed = chance.happens(0.5);
        line("faults and changes stop%s", killed ? "; every process is killed and comes back" : "");
        saboteur.heal();
        director.tidyUp();
        if (killed) {
            hosts.all().forEach(host -> hosts.restart(host, 100));
        }
        invariants.weighRetries(Math.max(1, hosts.incarnations()), schedule.quietFromMillis() / 60_000 + 1);
        world.otherController.startOver(chance.forked(10));
        timeline.after(TURN, invariants::demandTurn);
        timeline.after(BOUND, () -> {
            line("everything has to be as it should");
            invariants.demandConvergence(killed);
            invariants.demandQuiet(true);
        });
        timeline.after(BOUND + QUIET, () -> {
            invariants.demandConvergence(killed);
            invariants.demandQuiet(false);
            Host leader = leader();
            if (leader != null && hosts.all().size() > 1 && chance.happens(0.4)) {
                line("the leader is killed for good");
                coverage.reached("demanded failover");
                hosts.kill(leader);
                timeline.after(FAILOVER, invariants::demandLeader);
            } else {
                line("somebody changes a pool by hand");
                coverage.reached("demanded repair");
                director.foreignWrite(chance.forked(9));
            }
        });
        timeline.after(BOUND + QUIET + REPAIR, invariants::demandRepair);
    }

    private @Nullable Host leader() {
        for (Host host : hosts.all()) {
            SimulatedDaemon daemon = host.daemon;
            if (daemon != null && daemon.isLeader()) {
                return host;
            }
        }
        return null;
    }

    // --- the scene ---

    @Override
    public Timeline timeline() {
        return timeline;
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
    public LockHistory resourceLock() {
        return world.resourceLock.history();
    }

    @Override
    public OtherController otherController() {
        return world.otherController;
    }

    @Override
    public List<SimulatedDaemon> daemons() {
        return hosts.daemons();
    }

    @Override
    public void violated(Invariant invariant, String story) {
        if (violation == null
                && invariant.isAskedOf(schedule.model())
                && invariant.name().startsWith(only)) {
            violation = new Violation(invariant.name(), invariant.promise(), timeline.now() / Timeline.MILLIS, story);
            line("VIOLATION of %s: %s", invariant.name(), story);
            if (traced) {
                daemons()
                        .forEach(daemon -> line(
                                "%s says of itself: %s", daemon, daemon.engine().status()));
            }
        }
    }

    @Override
    public void met(ArmFault fault) {
        coverage.reached(Saboteur.name(fault));
    }

    @Override
    public void written(PoolImage before, PoolImage after, String writer) {
        line(
                "arm: %s holds %s %s, written by %s",
                after.key(), after.addresses(), String.valueOf(after.etag()), writer);
        invariants.written(before, after, writer);
    }

    private void lockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        line("the resource lock is held by %s", now.holder());
        if (now.holder().equals(OtherController.NAME)) {
            coverage.reached("another controller has its turn");
        }
        invariants.lockTaken(before, now);
    }

    private void line(String text, Object... arguments) {
        if (traced) {
            lines.add("%9.3f s  ".formatted(timeline.now() / (double) Timeline.SECONDS) + text.formatted(arguments));
        }
    }

    /** Writes down what daemons do, counts what they reach, and passes it on. */
    private final class Recorder implements Witness {

        @Override
        public void started(SimulatedDaemon daemon) {
            line("%s starts on %s", daemon, daemon.machine().name());
            invariants.started(daemon);
        }

        @Override
        public void killed(SimulatedDaemon daemon) {
            line("%s is killed", daemon);
            invariants.killed(daemon);
        }

        @Override
        public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
            line("%s begins to %s %s", daemon, write ? "write" : "read", pool);
            invariants.callBegins(daemon, write, pool);
        }

        @Override
        public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
            line("%s is answered to its %s of %s: %s", daemon, write ? "write" : "read", pool, text(reply));
            coverage.reached("call " + (write ? "write " : "read ") + outcome(reply));
            invariants.callEnds(daemon, write, pool, reply);
        }

        @Override
        public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
            if (attempt > 0) {
                line("%s sends its %s again, attempt %d", daemon, purpose, attempt + 1);
                coverage.reached("call retried inside");
            }
            if (purpose == Purpose.WRITE && !daemon.isLeader()) {
                coverage.reached("a write under way outlives the leadership");
            }
            saboteur.requestSent(daemon, chance);
            invariants.sent(daemon, purpose, pool, attempt);
        }

        @Override
        public void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {
            coverage.reached("status " + status);
            invariants.answered(daemon, purpose, pool, status);
        }

        @Override
        public void shut(SimulatedDaemon daemon, boolean writes, Instant until) {
            line("%s shuts its gate of %s until %s", daemon, writes ? "writes" : "reads", until);
            invariants.shut(daemon, writes, until);
        }

        @Override
        public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
            writes++;
            line("%s writes %s into %s if it is %s", daemon, wanted.addresses(), read.key(), String.valueOf(ifMatch));
            if (wanted.entries().isEmpty()) {
                coverage.reached("a pool is emptied");
            }
            invariants.put(daemon, read, wanted, ifMatch);
        }

        @Override
        public void writeOver(SimulatedDaemon daemon, PoolKey pool) {
            invariants.writeOver(daemon, pool);
        }

        @Override
        public void withdrew(SimulatedDaemon daemon, boolean admitted) {
            coverage.reached(admitted ? "budget admits" : "budget refuses");
            invariants.withdrew(daemon, admitted);
        }

        @Override
        public void deposited(SimulatedDaemon daemon) {
            invariants.deposited(daemon);
        }

        @Override
        public void event(SimulatedDaemon daemon, ServiceEvent event) {
            line("%s tells %s %s: %s", daemon, event.service(), event.reason(), event.message());
            coverage.reached(
                    "event " + event.reason() + (event.reason() == ServiceEvent.Reason.HELD ? held(event) : ""));
            invariants.event(daemon, event);
        }

        @Override
        public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
            coverage.reached("counted " + count);
            invariants.counted(daemon, count, pool);
        }

        @Override
        public void failed(SimulatedDaemon daemon, Throwable error) {
            invariants.failed(daemon, error);
        }

        @Override
        public void leads(SimulatedDaemon daemon, boolean now) {
            line("%s %s", daemon, now ? "leads" : "leads no longer");
            coverage.reached(now ? "leadership won" : "leadership lost");
            invariants.leads(daemon, now);
        }

        @Override
        public void watchEnded(SimulatedDaemon daemon, int status) {
            coverage.reached("watch ended with " + status);
            invariants.watchEnded(daemon, status);
        }
    }

    private static String held(ServiceEvent event) {
        String message = event.message();
        return message.startsWith("Removal")
                ? " by the brake"
                : message.contains("changed back")
                        ? " in a fight"
                        : message.contains("several") ? " as ambiguous" : " as forbidden";
    }

    private static String outcome(Reply<BackendPool> reply) {
        return reply instanceof Reply.Failed<BackendPool>(Failure failure)
                ? failure instanceof Failure.Throttled throttled && !throttled.sent()
                        ? "refused at the gate"
                        : failure.getClass().getSimpleName()
                : "Ok";
    }

    private static String text(Reply<BackendPool> reply) {
        return switch (reply) {
            case Reply.Ok<BackendPool>(BackendPool pool) -> pool.addresses() + " " + pool.etag();
            case Reply.Failed<BackendPool>(Failure failure) -> failure.describe();
        };
    }
}

package dev.poolkeeper.simulation;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Reason;
import dev.poolkeeper.simulation.Hosts.Host;
import dev.poolkeeper.simulation.arm.ArmFault;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.daemon.GatePatch;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.host.DaemonConfiguration;
import dev.poolkeeper.simulation.host.DaemonLog;
import dev.poolkeeper.simulation.host.InPlace;
import dev.poolkeeper.simulation.invariant.Invariant;
import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.report.RunFiles;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import dev.poolkeeper.simulation.schedule.Step;
import dev.poolkeeper.simulation.schedule.StepKind;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run. Everything runs on the thread that calls {@link #run}, and is repeatable: the schedule's seed decides
 * everything that the schedule leaves open.
 */
public final class Simulation implements ResourceManager.Observer {

    /** Until a silent watch is noticed, a node that was missing from then on is given up, and the pool is written. */
    private static final long BOUND = 165 * Timeline.SECONDS;

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
    private final ResourceManager arm;

    /** The main cluster. */
    private final Site home;

    /** The main cluster and, in some runs, a second one in the same resource group. */
    private final List<Site> sites = new ArrayList<>();

    private @Nullable Violation violation;
    private long changes;
    private long writes;
    private final long clusterRevision;

    private Simulation(Schedule schedule, DaemonFlaws flaws, boolean traced, String only) {
        this.only = only;
        this.schedule = schedule;
        this.traced = traced;
        this.chance = new Chance(schedule.seed()).forked(schedule.mode() == Mode.SAFETY ? 1 : 2);
        this.arm = new ResourceManager(timeline, chance.forked(1).forked(1), this);
        this.home = addSite("", chance.forked(1));
        Chance machines = chance.forked(2);
        home.runsOn(hosts(home, machines, machines.pick(1, 2, 2, 2, Hosts.MOST), flaws), schedule.mode());
        if (traced) {
            home.world.apiServer.observe(change -> files.changed(timeline.now(), change));
        }
        home.world.furnish(
                chance.forked(3), schedule.setup().size(), schedule.setup().crowded());
        if (schedule.setup().neighbour()) {
            Site neighbour = addSite("east-", chance.forked(4));
            neighbour.runsOn(hosts(neighbour, chance.forked(5), 1, flaws), schedule.mode());
            neighbour.world.furnish(chance.forked(6), 0.4, false);
        }
        this.clusterRevision = home.world.apiServer.revision();
        if (traced) {
            files.inventory(arm);
            arm.observeFaults(window -> files.fault(timeline.now(), window));
            sites.forEach(site -> site.world.apiServer.observe(change ->
                    line("cluster: %s %s %s", change.deleted() ? "deleted" : "is", change.kind(), change.text())));
        }
    }

    private Site addSite(String prefix, Chance draws) {
        Site site = new Site(new World(timeline, draws, arm, prefix), this::violated);
        site.world.resourceLock.history().observe(new LockHistory.Observer() {
            @Override
            public void taken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {
                lockTaken(site, before, now);
            }

            @Override
            public void released(LockHistory.Hold hold, int seconds) {
                site.invariants.observe(new Observation.LockReleased(hold, seconds));
            }
        });
        sites.add(site);
        return site;
    }

    private Hosts hosts(Site site, Chance draws, int count, DaemonFlaws flaws) {
        DaemonConfiguration configuration =
                DaemonConfiguration.of(schedule.setup(), site.world.name(), site.world.possibleLoadBalancers());
        return new Hosts(site.world, configuration, flaws, observed -> observe(site, observed), draws, count);
    }

    /**
     * Runs a schedule.
     *
     * @param flaws planted bugs
     * @param traced whether to record every event
     */
    public static RunResult run(Schedule schedule, DaemonFlaws flaws, boolean traced) {
        return new Simulation(schedule, flaws, traced, "").run();
    }

    /**
     * Runs a schedule and checks only some invariants.
     *
     * @param only the prefix of the names of those invariants
     */
    static RunResult run(Schedule schedule, DaemonFlaws flaws, String only) {
        return new Simulation(schedule, flaws, false, only).run();
    }

    /** All invariants, with their names and promises. */
    public static List<Invariant> invariants() {
        return new Simulation(new Schedule(0, Mode.SAFETY, 0, List.of()), DaemonFlaws.NONE, false, "")
                .home.invariants.all();
    }

    private RunResult run() {
        try (InPlace place = InPlace.open();
                DaemonLog log = DaemonLog.open(line -> home.invariants.observe(new Observation.Logged(line)))) {
            return runInPlace();
        }
    }

    private RunResult runInPlace() {
        for (Step step : schedule.steps()) {
            timeline.at(step.atMillis() * Timeline.MILLIS, () -> carryOut(step));
        }
        coverage.reached("model " + schedule.setup().model());
        coverage.reached(replicas(home.hosts().all().size()));
        if (sites.size() > 1) {
            coverage.reached("two clusters");
        }
        if (schedule.setup().gates()) {
            coverage.reached("readiness gates");
        }
        if (schedule.setup().policies()) {
            coverage.reached("policy objects");
        }
        switch (schedule.setup().selection()) {
            case ALL -> {}
            case NAMED -> coverage.reached("load balancers by name");
            case TAGGED -> coverage.reached("load balancers by tag");
        }
        if (schedule.setup().limited()) {
            coverage.reached("own rate limits");
        }
        if (schedule.setup().wary()) {
            coverage.reached("wary of other writers");
        }
        if (schedule.setup().crowded()) {
            coverage.reached("crowded nodes");
        }
        if (schedule.setup().capitals()) {
            coverage.reached("ids in capitals");
            arm.spellIdsInCapitals();
        }
        line("update model: %s", schedule.setup().model());
        sites.forEach(site -> site.hosts().all().forEach(site.hosts()::start));
        if (schedule.mode() == Mode.LIVENESS) {
            timeline.at(schedule.quietFromMillis() * Timeline.MILLIS, this::heal);
            arm.endOperationsBy(schedule.quietFromMillis() * Timeline.MILLIS);
        }
        timeline.run(schedule.lengthMillis() * Timeline.MILLIS, () -> {
            sites.forEach(site -> site.invariants.afterEvent());
            return violation != null;
        });
        Violation found = violation;
        sites.forEach(site -> site.daemons().forEach(daemon -> daemon.process().kill()));
        timeline.end();
        return new RunResult(
                schedule,
                Optional.ofNullable(found),
                timeline.happened(),
                changes + home.world.apiServer.revision() - clusterRevision,
                writes,
                coverage,
                lines,
                files);
    }

    static String replicas(int count) {
        return count == 1 ? "one replica" : count + " replicas";
    }

    static String name(StepKind kind) {
        return (kind.isFault() ? "fault " : "life ") + kind;
    }

    private void carryOut(Step step) {
        changes += step.kind().isFault() || step.kind().name().startsWith("POOL") ? 1 : 0;
        line("%s", step.kind());
        coverage.reached(name(step.kind()));
        if (step.kind().isFault()) {
            siteOf(step).saboteur().carryOut(step);
        } else {
            siteOf(step).director.carryOut(step);
        }
    }

    /** If there are two clusters, one step in five applies to the second one. */
    private Site siteOf(Step step) {
        boolean isNext = sites.size() > 1 && new Chance(step.salt()).forked(1).happens(0.2);
        return isNext ? sites.get(1) : home;
    }

    // --- liveness ---

    private void heal() {
        boolean killed = chance.happens(0.5);
        line("faults and changes stop%s", killed ? "; every process is killed and restarted" : "");
        for (Site site : sites) {
            site.saboteur().heal();
            site.director.tidyUp();
            if (killed) {
                site.hosts().all().forEach(host -> site.hosts().restart(host, 100));
            }
            site.invariants.weighRetries(
                    Math.max(1, site.hosts().incarnations()), schedule.quietFromMillis() / 60_000 + 1);
            site.world.otherController.startOver(chance.forked(10));
            timeline.after(TURN, site.invariants::demandTurn);
            timeline.after(BOUND, () -> {
                site.invariants.demandConvergence(killed);
                if (schedule.setup().gates()) {
                    site.invariants.demandGates();
                }
                site.invariants.demandQuiet(true);
            });
            timeline.after(BOUND + QUIET, () -> {
                site.invariants.demandConvergence(killed);
                site.invariants.demandQuiet(false);
            });
            timeline.after(BOUND + QUIET + REPAIR, site.invariants::demandRepair);
        }
        timeline.after(BOUND, () -> line("the desired state must be reached by now"));
        timeline.after(BOUND + QUIET, this::disturbOnce);
    }

    private void disturbOnce() {
        Host leader = leader();
        if (chance.happens(0.2)) {
            line("all Services are deleted, and all pools but one");
            coverage.reached("demanded memory");
            home.director.deleteServices();
            timeline.after(REPAIR, home.invariants::demandMemory);
        } else if (leader != null && home.hosts().all().size() > 1 && chance.happens(0.4)) {
            line("the leader is killed and not restarted");
            coverage.reached("demanded failover");
            home.hosts().kill(leader);
            timeline.after(FAILOVER, home.invariants::demandLeader);
        } else {
            line("an operator changes a pool manually");
            coverage.reached("demanded repair");
            home.director.foreignWrite(chance.forked(9));
        }
    }

    private @Nullable Host leader() {
        for (Host host : home.hosts().all()) {
            SimulatedDaemon daemon = host.daemon;
            if (daemon != null && daemon.isLeader()) {
                return host;
            }
        }
        return null;
    }

    // --- observation ---

    private void violated(Invariant invariant, String story) {
        boolean counts = invariant.isAskedOf(schedule.setup().model())
                && invariant.name().startsWith(only);
        if (violation == null && counts) {
            violation = new Violation(invariant.name(), invariant.promise(), timeline.now() / Timeline.MILLIS, story);
            line("VIOLATION of %s: %s", invariant.name(), story);
            if (traced) {
                sites.forEach(site -> site.daemons()
                        .forEach(daemon ->
                                line("status of %s: %s", daemon, daemon.engine().status())));
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
        sites.stream()
                .filter(site -> site.owns(after.key()))
                .forEach(site -> site.invariants.observe(new Observation.Written(before, after, writer)));
    }

    private void lockTaken(Site site, LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        line("the resource lock is acquired by %s", now.holder());
        if (now.holder().equals(OtherController.NAME)) {
            coverage.reached("another controller has its turn");
        }
        site.invariants.observe(new Observation.LockTaken(before, now));
    }

    private void line(String text, Object... arguments) {
        if (traced) {
            lines.add("%9.3f s  ".formatted(timeline.now() / (double) Timeline.SECONDS) + text.formatted(arguments));
        }
    }

    /** Records and counts what a daemon does, and passes it on to the invariants. */
    private void observe(Site site, Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> record(daemon, fact);
            case Observation.Started(SimulatedDaemon daemon) ->
                line("%s starts on %s", daemon, daemon.machine().name());
            case Observation.Killed(SimulatedDaemon daemon) -> line("%s is killed", daemon);
            case Observation.Leads(SimulatedDaemon daemon, boolean now) -> {
                line("%s %s", daemon, now ? "leads" : "no longer leads");
                coverage.reached(now ? "leadership won" : "leadership lost");
            }
            case Observation.Reported(SimulatedDaemon daemon, ServiceEvent event) -> {
                line("%s emits for %s %s: %s", daemon, event.service(), event.reason(), event.message());
                coverage.reached("event " + event.reason() + (event.reason() == Reason.HELD ? held(event) : ""));
            }
            case Observation.Withdrew(SimulatedDaemon daemon, boolean admitted) -> withdrew(admitted);
            case Observation.ListingEnded(SimulatedDaemon daemon, boolean well) ->
                line("%s has listed the load balancers%s", daemon, well ? "" : " in vain");
            case Observation.Sent(var daemon, var purpose, var pool, int attempt) -> {
                if (attempt > 0) {
                    line("%s retries its %s, attempt %d", daemon, purpose, attempt + 1);
                    coverage.reached("call retried inside");
                }
                site.saboteur().requestSent(daemon, chance);
            }
            case Observation.Put put -> record(put);
            case Observation.Answered answered -> record(answered);
            case Observation.Shut(SimulatedDaemon daemon, boolean writes, Instant until) ->
                line("%s closes its gate for %s until %s", daemon, writes ? "writes" : "reads", until);
            case Observation.Busy(var daemon, var loadBalancer, var until) ->
                line("%s closes its gate for writes to %s until %s", daemon, loadBalancer, until);
            case Observation.QuotaLeft(var daemon, var kind, long left, var isCut)
            when left < 100 -> line("%s reads that %d are left of %s", daemon, left, kind);
            case Observation.GateSent(SimulatedDaemon daemon, GatePatch patch) -> {
                line("%s sets the gate of %s to %s", daemon, patch.uid(), patch);
                coverage.reached("gate " + (patch.open() ? "opened: " : "shut: ") + patch.reason());
            }
            case Observation.StatusSent sent -> {
                line("%s writes the status of %s", sent.daemon(), sent.policy());
                coverage.reached("status of a policy written");
            }
            case Observation.WatchEnded ended -> coverage.reached("watch ended with " + ended.status());
            default -> {}
        }
        site.invariants.observe(observed);
    }

    private void record(SimulatedDaemon daemon, Fact fact) {
        switch (fact) {
            case Fact.Began began -> {
                line("%s starts to read %s", daemon, fact.pool());
                if (began.isRetry()) {
                    withdrew(true);
                }
            }
            case Fact.Writes writes -> line("%s starts to write %s", daemon, fact.pool());
            case Fact.CallEnded call -> {
                String name = call instanceof Fact.WriteEnded ? "write" : "read";
                line("%s receives the response to its %s of %s: %s", daemon, name, fact.pool(), text(call.reply()));
                coverage.reached("call " + name + " " + outcome(call.reply()));
            }
            case Fact.Updated updated -> coverage.reached("counted SUCCEEDED");
            case Fact.GaveUp gaveUp -> coverage.reached("counted FAILED");
            case Fact.Retrying retrying -> coverage.reached("counted RETRIED");
            case Fact.RetryRefused refused -> {
                coverage.reached("counted REFUSED");
                withdrew(false);
            }
            default -> {}
        }
    }

    private void withdrew(boolean admitted) {
        coverage.reached(admitted ? "budget admits" : "budget refuses");
    }

    private void record(Observation.Put put) {
        writes++;
        line(
                "%s writes %s into %s with If-Match %s",
                put.daemon(), put.wanted().addresses(), put.read().key(), String.valueOf(put.ifMatch()));
        if (put.wanted().entries().isEmpty()) {
            coverage.reached("a pool is emptied");
        }
    }

    private void record(Observation.Answered answered) {
        int status = answered.status();
        coverage.reached("status " + status);
        if (answered.purpose() == Purpose.WRITE && !answered.daemon().isLeader()) {
            coverage.reached("a write in progress outlives the leadership");
        }
        if (status == 0 || status >= 400) {
            String pool = answered.pool() == null ? "" : " of " + answered.pool();
            line("%s receives %s to its %s%s", answered.daemon(), status(status), answered.purpose(), pool);
        }
    }

    private static String held(ServiceEvent event) {
        String guard = event.cause() instanceof ServiceEvent.Cause.Hold hold ? hold.guard() : "";
        return switch (guard) {
            case "SAFETY_BRAKE" -> " by the brake";
            case "DRIFT" -> " in a fight";
            case "AMBIGUOUS" -> " as ambiguous";
            default -> " as forbidden";
        };
    }

    private static String status(int status) {
        return status == 0 ? "no response" : "status " + status;
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

package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.ArmName;
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
import dev.poolkeeper.simulation.daemon.GatePatch;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.daemon.Subject;
import dev.poolkeeper.simulation.daemon.Witness;
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
                site.invariants.lockReleased(hold, seconds);
            }
        });
        sites.add(site);
        return site;
    }

    private Hosts hosts(Site site, Chance draws, int count, DaemonFlaws flaws) {
        DaemonConfiguration configuration =
                DaemonConfiguration.of(schedule.setup(), site.world.name(), site.world.possibleLoadBalancers());
        return new Hosts(site.world, configuration, flaws, new Recorder(site), draws, count);
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
                DaemonLog log = DaemonLog.open(home.invariants::logged)) {
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
                .forEach(site -> site.invariants.written(before, after, writer));
    }

    private void lockTaken(Site site, LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        line("the resource lock is acquired by %s", now.holder());
        if (now.holder().equals(OtherController.NAME)) {
            coverage.reached("another controller has its turn");
        }
        site.invariants.lockTaken(before, now);
    }

    private void line(String text, Object... arguments) {
        if (traced) {
            lines.add("%9.3f s  ".formatted(timeline.now() / (double) Timeline.SECONDS) + text.formatted(arguments));
        }
    }

    /** Records and counts what the daemons do, and passes it on to the invariants. */
    private final class Recorder implements Witness {

        private final Site site;

        Recorder(Site site) {
            this.site = site;
        }

        @Override
        public void started(SimulatedDaemon daemon) {
            line("%s starts on %s", daemon, daemon.machine().name());
            site.invariants.started(daemon);
        }

        @Override
        public void killed(SimulatedDaemon daemon) {
            line("%s is killed", daemon);
            site.invariants.killed(daemon);
        }

        @Override
        public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
            line("%s starts to %s %s", daemon, write ? "write" : "read", pool);
            site.invariants.callBegins(daemon, write, pool);
        }

        @Override
        public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
            line("%s receives the response to its %s of %s: %s", daemon, write ? "write" : "read", pool, text(reply));
            coverage.reached("call " + (write ? "write " : "read ") + outcome(reply));
            site.invariants.callEnds(daemon, write, pool, reply);
        }

        @Override
        public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
            if (attempt > 0) {
                line("%s retries its %s, attempt %d", daemon, purpose, attempt + 1);
                coverage.reached("call retried inside");
            }
            site.saboteur().requestSent(daemon, chance);
            site.invariants.sent(daemon, purpose, pool, attempt);
        }

        @Override
        public void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {
            coverage.reached("status " + status);
            if (purpose == Purpose.WRITE && !daemon.isLeader()) {
                coverage.reached("a write in progress outlives the leadership");
            }
            if (status == 0 || status >= 400) {
                line("%s receives %s to its %s%s", daemon, status(status), purpose, pool == null ? "" : " of " + pool);
            }
            site.invariants.answered(daemon, purpose, pool, status);
        }

        @Override
        public void shut(SimulatedDaemon daemon, boolean writes, Instant until) {
            line("%s closes its gate for %s until %s", daemon, writes ? "writes" : "reads", until);
            site.invariants.shut(daemon, writes, until);
        }

        @Override
        public void quotaLeft(SimulatedDaemon daemon, String kind, long left, boolean isCut) {
            if (left < 100) {
                line("%s reads that %d are left of %s", daemon, left, kind);
            }
            site.invariants.quotaLeft(daemon, kind, left, isCut);
        }

        @Override
        public void busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) {
            line("%s closes its gate for writes to %s until %s", daemon, loadBalancer, until);
            site.invariants.busy(daemon, loadBalancer, until);
        }

        @Override
        public void repeatableFrom(SimulatedDaemon daemon, Purpose purpose, PoolKey pool, Instant until) {
            site.invariants.repeatableFrom(daemon, purpose, pool, until);
        }

        @Override
        public void isDue(SimulatedDaemon daemon, Subject subject, boolean worked) {
            site.invariants.isDue(daemon, subject, worked);
        }

        @Override
        public void asked(SimulatedDaemon daemon, Subject subject) {
            site.invariants.asked(daemon, subject);
        }

        @Override
        public void watches(SimulatedDaemon daemon, Subject subject, long from, long received) {
            site.invariants.watches(daemon, subject, from, received);
        }

        @Override
        public void listingBegins(SimulatedDaemon daemon) {
            site.invariants.listingBegins(daemon);
        }

        @Override
        public void listingEnds(SimulatedDaemon daemon, boolean well) {
            line("%s has listed the load balancers%s", daemon, well ? "" : " in vain");
            site.invariants.listingEnds(daemon, well);
        }

        @Override
        public void polled(SimulatedDaemon daemon, String operation, Instant until, long since) {
            site.invariants.polled(daemon, operation, until, since);
        }

        @Override
        public void polledAgain(SimulatedDaemon daemon, String operation) {
            site.invariants.polledAgain(daemon, operation);
        }

        @Override
        public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
            writes++;
            line(
                    "%s writes %s into %s with If-Match %s",
                    daemon, wanted.addresses(), read.key(), String.valueOf(ifMatch));
            if (wanted.entries().isEmpty()) {
                coverage.reached("a pool is emptied");
            }
            site.invariants.put(daemon, read, wanted, ifMatch);
        }

        @Override
        public void writeOver(SimulatedDaemon daemon, PoolKey pool) {
            site.invariants.writeOver(daemon, pool);
        }

        @Override
        public void withdrew(SimulatedDaemon daemon, boolean admitted) {
            coverage.reached(admitted ? "budget admits" : "budget refuses");
            site.invariants.withdrew(daemon, admitted);
        }

        @Override
        public void deposited(SimulatedDaemon daemon) {
            site.invariants.deposited(daemon);
        }

        @Override
        public void event(SimulatedDaemon daemon, ServiceEvent event) {
            line("%s emits for %s %s: %s", daemon, event.service(), event.reason(), event.message());
            coverage.reached(
                    "event " + event.reason() + (event.reason() == ServiceEvent.Reason.HELD ? held(event) : ""));
            site.invariants.event(daemon, event);
        }

        @Override
        public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
            coverage.reached("counted " + count);
            site.invariants.counted(daemon, count, pool);
        }

        @Override
        public void failed(SimulatedDaemon daemon, Throwable error) {
            site.invariants.failed(daemon, error);
        }

        @Override
        public void leads(SimulatedDaemon daemon, boolean now) {
            line("%s %s", daemon, now ? "leads" : "no longer leads");
            coverage.reached(now ? "leadership won" : "leadership lost");
            site.invariants.leads(daemon, now);
        }

        @Override
        public void gateSent(SimulatedDaemon daemon, GatePatch patch) {
            line("%s sets the gate of %s to %s", daemon, patch.uid(), patch);
            coverage.reached("gate " + (patch.open() ? "opened: " : "shut: ") + patch.reason());
            site.invariants.gateSent(daemon, patch);
        }

        @Override
        public void gateAccepted(SimulatedDaemon daemon, GatePatch patch) {
            site.invariants.gateAccepted(daemon, patch);
        }

        @Override
        public void statusSent(SimulatedDaemon daemon, String policy, boolean isNews, boolean isDated) {
            line("%s writes the status of %s", daemon, policy);
            coverage.reached("status of a policy written");
            site.invariants.statusSent(daemon, policy, isNews, isDated);
        }

        @Override
        public void watchEnded(SimulatedDaemon daemon, int status) {
            coverage.reached("watch ended with " + status);
            site.invariants.watchEnded(daemon, status);
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

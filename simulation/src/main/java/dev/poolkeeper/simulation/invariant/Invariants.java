package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.daemon.GatePatch;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.daemon.Subject;
import dev.poolkeeper.simulation.daemon.Witness;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All invariants; passes every notification on to each. */
public final class Invariants implements Witness {

    private final Convergence converges;
    private final Convergence recovers;
    private final Convergence repairs;
    private final Quiescence quiescence;
    private final CalmAfterOverload calm;
    private final Failover failover;
    private final TurnOfOthers turns;
    private final Gates gates;
    private final Memory memory;
    private final TrueReports reports;

    /** An array, because it is iterated after every event. */
    private final Invariant[] all;

    public Invariants(Scene scene) {
        converges = Convergence.afterFaults(scene);
        recovers = Convergence.afterCrash(scene);
        repairs = Convergence.afterDrift(scene);
        quiescence = new Quiescence(scene);
        calm = new CalmAfterOverload(scene);
        failover = new Failover(scene);
        turns = new TurnOfOthers(scene);
        gates = new Gates(scene);
        memory = new Memory(scene);
        reports = new TrueReports(scene);
        all = new Invariant[] {
            new NoThreadDies(scene),
            new SingleWriter(scene),
            new ConditionalWrites(scene),
            new Provenance(scene),
            new NoPrematureRemoval(scene),
            new NoEmptyingByIgnorance(scene),
            new Serialization(scene),
            new RetryAfterIsKept(scene),
            new BoundedRetries(scene),
            new MonotoneIntent(scene),
            new Bookkeeping(scene),
            new Pauses(scene),
            new WholeAdditions(scene),
            new Brake(scene),
            new TrueOutcome(scene),
            new ResourceLockIsHeld(scene),
            new Secrets(scene),
            new BoundedWait(scene),
            new NoSilentDifference(scene),
            new DriftBackOffIsRight(scene),
            new ForbiddenIsLeftAlone(scene),
            turns,
            new Neighbours(scene),
            gates,
            new Policies(scene),
            new KeepsAsking(scene),
            reports,
            new PaceIsKept(scene),
            new LeaseAsFound(scene),
            new GatesInTime(scene),
            new HoldsAreReported(scene),
            new BrakeLetsGo(scene),
            converges,
            quiescence,
            recovers,
            repairs,
            failover,
            memory,
            calm
        };
    }

    public List<Invariant> all() {
        return List.of(all);
    }

    /** Called some time after faults and changes stopped. */
    public void demandConvergence(boolean everybodyWasKilled) {
        (everybodyWasKilled ? recovers : converges).check();
    }

    /** Called some time after a manual change. */
    public void demandRepair() {
        repairs.check();
    }

    /** Called some time after all Services were deleted. */
    public void demandMemory() {
        memory.check();
    }

    public void demandLeader() {
        failover.check();
    }

    /** Called some time after faults stopped and another controller then asked for the resource lock. */
    public void demandTurn() {
        turns.check();
    }

    /** The API server accepted a holder of the resource lock. */
    public void lockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        tell(invariant -> invariant.lockTaken(before, now));
    }

    /** A daemon released the resource lock, and left this duration in its Lease; 0 for none. */
    public void lockReleased(LockHistory.Hold hold, int seconds) {
        tell(invariant -> invariant.lockReleased(hold, seconds));
    }

    /** Called some time after faults and changes stopped. */
    public void demandGates() {
        gates.check();
    }

    /** Starts or ends a period in which the daemons should be idle. */
    public void demandQuiet(boolean now) {
        boolean isDemanded = now && !converges.mayBeLate();
        quiescence.demand(isDemanded);
        calm.demandCalm(isDemanded);
        if (isDemanded) {
            reports.check();
        }
    }

    /** Checks the bounds of retries over the whole run so far. */
    public void weighRetries(int processes, long minutes) {
        calm.weigh(processes, minutes);
    }

    public void afterEvent() {
        for (Invariant invariant : all) {
            invariant.afterEvent();
        }
    }

    /** A daemon logged a line. */
    public void logged(String line) {
        tell(invariant -> invariant.logged(line));
    }

    /** The content of a pool changed. */
    public void written(PoolImage before, PoolImage after, String writer) {
        tell(invariant -> invariant.written(before, after, writer));
    }

    private void tell(Consumer<Invariant> news) {
        for (Invariant invariant : all) {
            news.accept(invariant);
        }
    }

    @Override
    public void started(SimulatedDaemon daemon) {
        tell(invariant -> invariant.started(daemon));
    }

    @Override
    public void killed(SimulatedDaemon daemon) {
        tell(invariant -> invariant.killed(daemon));
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        tell(invariant -> invariant.callBegins(daemon, write, pool));
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        tell(invariant -> invariant.callEnds(daemon, write, pool, reply));
    }

    @Override
    public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        tell(invariant -> invariant.sent(daemon, purpose, pool, attempt));
    }

    @Override
    public void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {
        tell(invariant -> invariant.answered(daemon, purpose, pool, status));
    }

    @Override
    public void shut(SimulatedDaemon daemon, boolean writes, Instant until) {
        tell(invariant -> invariant.shut(daemon, writes, until));
    }

    @Override
    public void quotaLeft(SimulatedDaemon daemon, String kind, long left, boolean isCut) {
        tell(invariant -> invariant.quotaLeft(daemon, kind, left, isCut));
    }

    @Override
    public void busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) {
        tell(invariant -> invariant.busy(daemon, loadBalancer, until));
    }

    @Override
    public void repeatableFrom(SimulatedDaemon daemon, Purpose purpose, PoolKey pool, Instant until) {
        tell(invariant -> invariant.repeatableFrom(daemon, purpose, pool, until));
    }

    @Override
    public void isDue(SimulatedDaemon daemon, Subject subject, boolean worked) {
        tell(invariant -> invariant.isDue(daemon, subject, worked));
    }

    @Override
    public void asked(SimulatedDaemon daemon, Subject subject) {
        tell(invariant -> invariant.asked(daemon, subject));
    }

    @Override
    public void polled(SimulatedDaemon daemon, String operation, Instant until, long since) {
        tell(invariant -> invariant.polled(daemon, operation, until, since));
    }

    @Override
    public void polledAgain(SimulatedDaemon daemon, String operation) {
        tell(invariant -> invariant.polledAgain(daemon, operation));
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        tell(invariant -> invariant.put(daemon, read, wanted, ifMatch));
    }

    @Override
    public void writeOver(SimulatedDaemon daemon, PoolKey pool) {
        tell(invariant -> invariant.writeOver(daemon, pool));
    }

    @Override
    public void withdrew(SimulatedDaemon daemon, boolean admitted) {
        tell(invariant -> invariant.withdrew(daemon, admitted));
    }

    @Override
    public void deposited(SimulatedDaemon daemon) {
        tell(invariant -> invariant.deposited(daemon));
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        tell(invariant -> invariant.event(daemon, event));
    }

    @Override
    public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
        tell(invariant -> invariant.counted(daemon, count, pool));
    }

    @Override
    public void failed(SimulatedDaemon daemon, Throwable error) {
        tell(invariant -> invariant.failed(daemon, error));
    }

    @Override
    public void watches(SimulatedDaemon daemon, Subject subject, long from, long received) {
        tell(invariant -> invariant.watches(daemon, subject, from, received));
    }

    @Override
    public void listingBegins(SimulatedDaemon daemon) {
        tell(invariant -> invariant.listingBegins(daemon));
    }

    @Override
    public void listingEnds(SimulatedDaemon daemon, boolean well) {
        tell(invariant -> invariant.listingEnds(daemon, well));
    }

    @Override
    public void leads(SimulatedDaemon daemon, boolean now) {
        tell(invariant -> invariant.leads(daemon, now));
    }

    @Override
    public void gateSent(SimulatedDaemon daemon, GatePatch patch) {
        tell(invariant -> invariant.gateSent(daemon, patch));
    }

    @Override
    public void gateAccepted(SimulatedDaemon daemon, GatePatch patch) {
        tell(invariant -> invariant.gateAccepted(daemon, patch));
    }

    @Override
    public void statusSent(SimulatedDaemon daemon, String policy, boolean isNews, boolean isDated) {
        tell(invariant -> invariant.statusSent(daemon, policy, isNews, isDated));
    }

    @Override
    public void watchEnded(SimulatedDaemon daemon, int status) {
        tell(invariant -> invariant.watchEnded(daemon, status));
    }
}

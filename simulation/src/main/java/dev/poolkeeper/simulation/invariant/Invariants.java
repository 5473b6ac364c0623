package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.Observation;
import java.util.List;

/** All invariants, each of which observes what happens. */
public final class Invariants {

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

    public void observe(Observation observed) {
        for (Invariant invariant : all) {
            invariant.observe(observed);
        }
    }

    /** Called after every event, when every thread waits. */
    public void afterEvent() {
        for (Invariant invariant : all) {
            invariant.afterEvent();
        }
    }
}

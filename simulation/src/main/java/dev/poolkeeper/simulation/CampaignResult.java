package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.arm.ArmFault;
import dev.poolkeeper.simulation.schedule.StepKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of many runs.
 *
 * @param runs the number of runs
 * @param minutes the length of each run, in simulated minutes
 * @param events the number of events in all runs: steps, requests, timers
 * @param leastChanges the smallest number of changes and faults in a run without violation
 * @param writes the number of writes sent
 * @param coverage the branches that were reached
 * @param failures the runs that violated an invariant, in order
 * @param seedsNotRun the number of seeds that were not simulated, because there were enough failures or it was stopped
 */
public record CampaignResult(
        long runs,
        int minutes,
        long events,
        long leastChanges,
        long writes,
        Coverage coverage,
        List<RunResult> failures,
        long seedsNotRun) {

    /** With fewer runs, branches that were not reached are not reported. */
    public static final long ENOUGH_RUNS = 100;

    /** The expected branches, in addition to the steps and the faults of ARM. */
    private static final List<String> BRANCHES = List.of(
            "a pool is emptied",
            "another controller has its turn",
            "a write in progress outlives the leadership",
            "budget admits",
            "budget refuses",
            "call read HttpError",
            "call read NotFound",
            "call read Throttled",
            "call read refused at the gate",
            "call retried inside",
            "call write Cancelled",
            "call write Conflict",
            "call write HttpError",
            "call write NotFound",
            "call write Other",
            "call write PreconditionFailed",
            "call write Throttled",
            "call write refused at the gate",
            "counted FAILED",
            "counted REFUSED",
            "counted RETRIED",
            "counted SUCCEEDED",
            "crowded nodes",
            "demanded memory",
            "event LoadBalancerBackendPoolUpdateHeld as ambiguous",
            "event LoadBalancerBackendPoolUpdateHeld as forbidden",
            "event LoadBalancerBackendPoolUpdateHeld by the brake",
            "event LoadBalancerBackendPoolUpdateHeld in a fight",
            "gate opened: InPool",
            "gate opened: NoLocalService",
            "gate opened: NodeNotEligible",
            "gate shut: WaitingForPool",
            "ids in capitals",
            "leadership lost",
            "leadership won",
            "load balancers by name",
            "load balancers by tag",
            "model DESIRED_STATE",
            "model DIFF",
            "own rate limits",
            "status of a policy written",
            "two clusters",
            "wary of other writers",
            "watch ended with 0",
            "watch ended with 200",
            "watch ended with 410");

    /** What enough runs encounter again and again: the steps that are faults, and the faults of ARM. */
    private static final Set<String> FAULTS = Stream.concat(
                    Arrays.stream(StepKind.values()).filter(StepKind::isFault).map(Simulation::name),
                    Arrays.stream(ArmFault.values()).map(Saboteur::name))
            .collect(Collectors.toSet());

    /** The branches that no run, or fewer than one in a hundred, reached; empty for few runs. */
    public List<String> missing() {
        return runs < ENOUGH_RUNS
                ? List.of()
                : toBeReached().stream().filter(this::isMissing).toList();
    }

    private boolean isMissing(String what) {
        long expected = FAULTS.contains(what) ? Math.ceilDiv(runs, 100) : 1;
        return coverage.runs(what) < expected;
    }

    /** The number of runs that reached each expected branch and fault. */
    public Map<String, Long> reached() {
        Map<String, Long> reached = new TreeMap<>();
        toBeReached().forEach(what -> reached.put(what, coverage.runs(what)));
        return reached;
    }

    /** Each kind of step, each fault of ARM encountered by a request, and each expected branch. */
    static List<String> toBeReached() {
        List<String> all = new ArrayList<>(BRANCHES);
        for (int count = 1; count <= Hosts.MOST; count++) {
            all.add(Simulation.replicas(count));
        }
        for (StepKind kind : StepKind.values()) {
            all.add(Simulation.name(kind));
        }
        for (ArmFault fault : ArmFault.values()) {
            all.add(Saboteur.name(fault));
        }
        return all;
    }

    /** Whether no invariant was violated and every expected branch was reached. */
    public boolean isGood() {
        return failures.isEmpty() && missing().isEmpty();
    }

    /** Collects results; thread-safe. */
    static final class Builder {
        private final Coverage coverage = new Coverage();
        private final List<RunResult> failures = new ArrayList<>();
        private long runs;
        private long events;
        private long writes;
        private long leastChanges = Long.MAX_VALUE;

        synchronized void add(RunResult run) {
            runs++;
            events += run.events();
            writes += run.writes();
            coverage.add(run.coverage());
            if (run.violation().isPresent()) {
                failures.add(run);
            } else {
                leastChanges = Math.min(leastChanges, run.changes());
            }
        }

        synchronized int failures() {
            return failures.size();
        }

        synchronized CampaignResult build(int minutes, long seedsNotRun) {
            return new CampaignResult(
                    runs, minutes, events, leastChanges, writes, coverage, Campaign.inOrder(failures), seedsNotRun);
        }
    }
}

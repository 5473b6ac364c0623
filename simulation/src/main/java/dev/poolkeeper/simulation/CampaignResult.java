package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.arm.ArmFault;
import dev.poolkeeper.simulation.schedule.StepKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What many runs came to.
 *
 * @param runs how many there were
 * @param minutes how long each was, in simulated minutes
 * @param events events in all runs: steps, requests, timers
 * @param leastChanges the fewest changes and faults of a run that held
 * @param writes writes that were sent
 * @param coverage what was reached
 * @param missing what no run, or fewer than one in a hundred, reached; empty for few runs
 * @param failures the runs that broke an invariant, in order
 */
public record CampaignResult(
        long runs,
        int minutes,
        long events,
        long leastChanges,
        long writes,
        Coverage coverage,
        List<String> missing,
        List<RunResult> failures) {

    /** With fewer runs than this nothing is said about what they did not reach. */
    public static final long ENOUGH_RUNS = 100;

    /** What was to be reached, beside the steps and the faults of ARM. */
    private static final List<String> BRANCHES = List.of(
            "a pool is emptied",
            "another controller has its turn",
            "a write under way outlives the leadership",
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
            "event LoadBalancerBackendPoolUpdateHeld as ambiguous",
            "event LoadBalancerBackendPoolUpdateHeld as forbidden",
            "event LoadBalancerBackendPoolUpdateHeld by the brake",
            "gate opened: InPool",
            "gate opened: NoLocalService",
            "gate opened: NodeNotEligible",
            "gate shut: WaitingForPool",
            "leadership lost",
            "leadership won",
            "load balancers by name",
            "model DESIRED_STATE",
            "model DIFF",
            "own rate limits",
            "status of a policy written",
            "two clusters",
            "watch ended with 0",
            "watch ended with 200",
            "watch ended with 410");

    /** How many runs reached each fault and branch, of all that were to be reached. */
    public Map<String, Long> reached() {
        Map<String, Long> reached = new TreeMap<>();
        toBeReached().forEach(what -> reached.put(what, coverage.runs(what)));
        return reached;
    }

    /** Each kind of step, each fault of ARM as a request met it, and each branch of interest. */
    static List<String> toBeReached() {
        List<String> all = new ArrayList<>(BRANCHES);
        for (int count = 1; count <= Hosts.MOST; count++) {
            all.add(Simulation.replicas(count));
        }
        for (StepKind kind : StepKind.values()) {
            all.add((kind.isFault() ? "fault " : "life ") + kind);
        }
        for (ArmFault fault : ArmFault.values()) {
            all.add(Saboteur.name(fault));
        }
        return all;
    }

    /** Whether nothing was broken, and nothing of note was left out. */
    public boolean isGood() {
        return failures.isEmpty() && missing.isEmpty();
    }

    /** Takes results from any thread. */
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

        synchronized CampaignResult build(int minutes) {
            List<String> missing = runs < ENOUGH_RUNS
                    ? List.of()
                    : toBeReached().stream().filter(this::isMissing).toList();
            return new CampaignResult(
                    runs, minutes, events, leastChanges, writes, coverage, missing, Campaign.inOrder(failures));
        }

        private boolean isMissing(String what) {
            boolean isFault = what.startsWith("fault ") || what.startsWith("met ");
            return isFault ? coverage.runs(what) * 100 < runs : coverage.runs(what) == 0;
        }
    }
}

package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.schedule.Schedule;
import dev.poolkeeper.simulation.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shortens a failing schedule: removes ever smaller parts of it, as long as the same invariant is still violated (delta
 * debugging; Zeller and Hildebrandt, <em>Simplifying and Isolating Failure-Inducing Input</em>, 2002).
 */
public final class Shrinker {

    /** The limit of runs for one schedule. */
    private static final int MOST_RUNS = 600;

    private final DaemonFlaws flaws;
    private final String invariant;
    private int runs;

    private Shrinker(DaemonFlaws flaws, String invariant) {
        this.flaws = flaws;
        this.invariant = invariant;
    }

    /**
     * Returns a short schedule that violates the same invariant.
     *
     * @throws IllegalArgumentException if the run did not fail
     */
    public static Schedule shrink(RunResult failed, DaemonFlaws flaws) {
        String invariant = failed.violation()
                .orElseThrow(() -> new IllegalArgumentException("only a failed run can be shrunk"))
                .invariant();
        return new Shrinker(flaws, invariant).shrink(failed);
    }

    private Schedule shrink(RunResult failed) {
        Schedule whole = failed.schedule();
        long end = failed.violation().orElseThrow().atMillis();
        Schedule best = whole.keeping(
                whole.steps().stream().filter(step -> step.atMillis() <= end).toList());
        if (!fails(best)) {
            return whole;
        }
        int parts = 2;
        while (best.steps().size() > 1 && parts <= best.steps().size() && runs < MOST_RUNS) {
            Schedule smaller = withoutAPart(best, parts);
            if (smaller == null) {
                parts = parts == best.steps().size()
                        ? parts + 1
                        : Math.min(2 * parts, best.steps().size());
            } else {
                best = smaller;
                parts = Math.max(2, parts - 1);
            }
        }
        return best;
    }

    private @Nullable Schedule withoutAPart(Schedule schedule, int parts) {
        List<Step> steps = schedule.steps();
        for (int part = 0; part < parts && runs < MOST_RUNS; part++) {
            int from = (int) ((long) steps.size() * part / parts);
            int to = (int) ((long) steps.size() * (part + 1) / parts);
            List<Step> kept = new ArrayList<>(steps.subList(0, from));
            kept.addAll(steps.subList(to, steps.size()));
            Schedule smaller = schedule.keeping(kept);
            if (to > from && fails(smaller)) {
                return smaller;
            }
        }
        return null;
    }

    private boolean fails(Schedule schedule) {
        runs++;
        return Simulation.run(schedule, flaws, false)
                .violation()
                .filter(violation -> violation.invariant().equals(invariant))
                .isPresent();
    }
}

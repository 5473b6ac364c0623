package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.pool.Plan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The writes that a dry run omitted, as text. Thread-safe. */
public final class DryRunPlans {

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    /** Adds a plan that is not written. */
    public void add(Plan plan) {
        lines.add(
                "Dry run  would write %s: add %s, remove %s".formatted(plan.pool(), plan.additions(), plan.removals()));
    }

    /** One line per plan, in order. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}

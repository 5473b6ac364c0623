package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Combines several guards: an update is held back if one of them holds it back. As thread-safe as the guards. */
public final class Guards implements Guard {

    private final List<Guard> guards;

    /** @param guards asked in this order until one holds the plan */
    public Guards(List<Guard> guards) {
        this.guards = List.copyOf(guards);
    }

    @Override
    public Verdict judge(Plan plan) {
        Plan allowed = plan;
        Verdict verdict = Verdict.GO;
        for (Guard guard : guards) {
            switch (guard.judge(allowed)) {
                case Verdict.Go go -> {}
                case Verdict.Hold hold -> {
                    return hold;
                }
                case Verdict.GoWithLess less -> {
                    verdict = less;
                    allowed = allowed.withPlanned(less.planned());
                    if (allowed.isDone()) {
                        return less;
                    }
                }
            }
        }
        return verdict;
    }

    /** What these guards let through of each plan. */
    public List<Plan> released(Collection<Plan> plans) {
        List<Plan> released = new ArrayList<>(plans.size());
        for (Plan plan : plans) {
            switch (judge(plan)) {
                case Verdict.Go go -> released.add(plan);
                case Verdict.GoWithLess less -> {
                    Plan rest = plan.withPlanned(less.planned());
                    if (!rest.isDone()) {
                        released.add(rest);
                    }
                }
                case Verdict.Hold hold -> {}
            }
        }
        return released;
    }
}

package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Combines several guards: an update is held back if one of them holds it back. As thread-safe as the guards. */
public final class Guards implements Guard {

    private final List<Guard> guards;

    /** @param guards asked in this order until one holds the plan */
    public Guards(List<Guard> guards) {
        this.guards = List.copyOf(guards);
    }

    @Override
    public Verdict judge(Plan plan) {
        Plan rest = plan;
        Optional<Held> because = Optional.empty();
        for (Guard guard : guards) {
            switch (guard.judge(rest)) {
                case Verdict.Go go -> {}
                case Verdict.Hold hold -> {
                    return hold;
                }
                case Verdict.GoWithLess less -> {
                    rest = rest.withPlanned(less.planned());
                    because = Optional.of(less.because());
                    if (rest.isDone()) {
                        return new Verdict.Hold(less.because());
                    }
                }
            }
        }
        Plan allowed = rest;
        return because.<Verdict>map(held -> new Verdict.GoWithLess(allowed.planned(), held))
                .orElse(Verdict.GO);
    }

    /** What these guards let through of each plan. */
    public List<Plan> released(Collection<Plan> plans) {
        List<Plan> rest = new ArrayList<>(plans.size());
        for (Plan plan : plans) {
            switch (judge(plan)) {
                case Verdict.Go go -> rest.add(plan);
                case Verdict.GoWithLess less -> rest.add(plan.withPlanned(less.planned()));
                case Verdict.Hold hold -> {}
            }
        }
        return rest;
    }
}

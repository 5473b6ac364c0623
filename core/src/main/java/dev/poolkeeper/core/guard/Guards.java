package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
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
        Plan allowed = plan;
        Optional<Held> because = Optional.empty();
        for (Guard guard : guards) {
            switch (guard.judge(allowed)) {
                case Verdict.Go go -> {}
                case Verdict.Hold hold -> {
                    return hold;
                }
                case Verdict.GoWithLess less -> {
                    allowed = allowed.withPlanned(less.planned());
                    because = Optional.of(less.because());
                    if (allowed.isDone()) {
                        return new Verdict.GoWithLess(allowed.planned(), less.because());
                    }
                }
            }
        }
        AddressSet planned = allowed.planned();
        return because.<Verdict>map(held -> new Verdict.GoWithLess(planned, held))
                .orElse(Verdict.GO);
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

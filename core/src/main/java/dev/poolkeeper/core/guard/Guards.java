package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Combines several guards: an update is held back if one of them holds it back. As thread-safe as the guards. */
public final class Guards implements Guard {

    private final List<Guard> guards;

    /**
     * @param guards asked in this order until one holds the plan; a guard that judges all of a tick's plans together
     *     comes last
     */
    public Guards(List<Guard> guards) {
        this.guards = List.copyOf(guards);
    }

    @Override
    public Verdict judge(Plan plan) {
        return ask(Guard::judge, plan);
    }

    @Override
    public Verdict look(Plan plan) {
        return ask(Guard::look, plan);
    }

    private Verdict ask(BiFunction<Guard, Plan, Verdict> question, Plan plan) {
        Plan rest = plan;
        Optional<Held> because = Optional.empty();
        for (Guard guard : guards) {
            switch (question.apply(guard, rest)) {
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

    @Override
    public void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
        Collection<Plan> rest = release;
        for (Iterator<Guard> all = guards.iterator(); all.hasNext(); ) {
            Guard guard = all.next();
            guard.tickBegins(plans, rest);
            rest = all.hasNext() ? released(guard, rest) : rest; // unused after the last one
        }
    }

    private static Collection<Plan> released(Guard guard, Collection<Plan> plans) {
        List<Plan> rest = new ArrayList<>(plans.size());
        for (Plan plan : plans) {
            switch (guard.judge(plan)) {
                case Verdict.Go go -> rest.add(plan);
                case Verdict.GoWithLess less -> rest.add(plan.withPlanned(less.planned()));
                case Verdict.Hold hold -> {}
            }
        }
        return rest;
    }

    @Override
    public void wasRead(Plan plan) {
        guards.forEach(guard -> guard.wasRead(plan));
    }

    @Override
    public void writeBegins(Plan plan) {
        guards.forEach(guard -> guard.writeBegins(plan));
    }

    @Override
    public void writeEnded(PoolKey pool) {
        guards.forEach(guard -> guard.writeEnded(pool));
    }

    @Override
    public void wasWritten(Plan plan) {
        guards.forEach(guard -> guard.wasWritten(plan));
    }

    @Override
    public void wasOverwritten(Plan plan) {
        guards.forEach(guard -> guard.wasOverwritten(plan));
    }

    @Override
    public void succeeded(PoolKey pool, boolean write) {
        guards.forEach(guard -> guard.succeeded(pool, write));
    }

    @Override
    public void failed(PoolKey pool, boolean write, Failure failure) {
        guards.forEach(guard -> guard.failed(pool, write, failure));
    }
}

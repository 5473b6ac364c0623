package dev.poolkeeper.core.examples;

import dev.poolkeeper.core.facts.Fact;
import java.util.function.Consumer;

/** One line for each write and each update that is given up: {@code Engine.builder(…).facts(new AuditLog(…))}. */
record AuditLog(Consumer<String> lines) implements Consumer<Fact> {

    @Override
    public void accept(Fact fact) {
        switch (fact) {
            case Fact.Written(var attempt, var plan, int number, var sinceChange) ->
                lines.accept("%s +%s -%s attempt %s after %s ms"
                        .formatted(attempt.pool(), plan.additions(), plan.removals(), number, sinceChange.toMillis()));
            case Fact.GaveUp gaveUp ->
                lines.accept(gaveUp.pool() + " gave up: " + gaveUp.failure().describe());
            default -> {}
        }
    }
}

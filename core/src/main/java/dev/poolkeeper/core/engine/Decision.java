package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What becomes of a pool, and what is to be said about it. Decisions are functions of a pool and of what happened; they
 * do no I/O and read no clock.
 *
 * @param pool the pool from now on
 * @param facts what happened, in order
 */
record Decision(Pool pool, List<Fact> facts) {

    Decision {
        facts = List.copyOf(facts);
    }

    /** Nothing is said. */
    static Decision of(Pool pool) {
        return new Decision(pool, List.of());
    }

    /** The same, with a further change of the pool. */
    Decision with(UnaryOperator<Pool> change) {
        return new Decision(change.apply(pool), facts);
    }

    /** The same, with a further fact. */
    Decision saying(Fact fact) {
        List<Fact> more = new ArrayList<>(facts);
        more.add(fact);
        return new Decision(pool, more);
    }

    /** This decision, and then another one. */
    Decision then(Function<Pool, Decision> next) {
        Decision second = next.apply(pool);
        List<Fact> all = new ArrayList<>(facts);
        all.addAll(second.facts);
        return new Decision(second.pool, all);
    }

    /** Appends what is to be said; the next delivery includes it. */
    Pool told(Facts appended) {
        facts.forEach(appended::append);
        return pool;
    }
}

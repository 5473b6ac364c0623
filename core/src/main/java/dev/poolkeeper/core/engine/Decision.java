package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What becomes of a pool, what is to be said about it, and what its attempt does next. Decisions are functions of a
 * pool and of what happened; they do no I/O and read no clock.
 *
 * @param pool the pool from now on
 * @param facts what happened, in order
 * @param next what the attempt does next, if there is one
 */
record Decision(Pool pool, List<Fact> facts, Next next) {

    /** What an attempt does. */
    sealed interface Next {

        Next END = new End(false);

        /**
         * It reads the pool, if the guards and the retry budget allow it.
         *
         * @param group what it tries
         * @param isWhole whether all that was taken is tried, so that the pool is held no more
         */
        record Read(OperationGroup group, boolean isWhole) implements Next {}

        /**
         * It asks the guards about a plan.
         *
         * @param group what it tries from now on
         * @param found the pool as read
         * @param plan made from that
         */
        record Ask(OperationGroup group, BackendPool found, Plan plan) implements Next {

            /** Whether there is nothing to write, so that no guard need be asked. */
            boolean isDone() {
                return plan.isDone() && found.isSettled();
            }

            /** The same with fewer changes. */
            Ask with(AddressSet planned) {
                return new Ask(group, found, plan.withPlanned(planned));
            }
        }

        /**
         * It writes.
         *
         * @param found the pool as read
         * @param rest why a part of the update is held, which the plan leaves out; empty for none
         */
        record Write(BackendPool found, Plan plan, Optional<HoldCause> rest) implements Next {}

        /**
         * It is over.
         *
         * @param isAsked whether what waits, being held, is let go unless a guard holds it
         */
        record End(boolean isAsked) implements Next {}
    }

    Decision {
        facts = List.copyOf(facts);
    }

    /** Nothing is said, and the attempt is over. */
    static Decision of(Pool pool) {
        return new Decision(pool, List.of(), Next.END);
    }

    /** The same, with a further change of the pool. */
    Decision with(UnaryOperator<Pool> change) {
        return new Decision(change.apply(pool), facts, next);
    }

    /** The same, with a further fact. */
    Decision saying(Fact fact) {
        List<Fact> more = new ArrayList<>(facts);
        more.add(fact);
        return new Decision(pool, more, next);
    }

    /** The same, and the attempt does this next. */
    Decision next(Next other) {
        return new Decision(pool, facts, other);
    }

    /** This decision, and then another one. */
    Decision then(Function<Pool, Decision> another) {
        Decision second = another.apply(pool);
        List<Fact> all = new ArrayList<>(facts);
        all.addAll(second.facts);
        return new Decision(second.pool, all, second.next);
    }

    /** Appends what is to be said; the next delivery includes it. */
    Pool told(Facts appended) {
        facts.forEach(appended::append);
        return pool;
    }
}

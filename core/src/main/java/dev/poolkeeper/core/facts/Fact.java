package dev.poolkeeper.core.facts;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a pool. What people and programs read about it is made from these values. Facts about one
 * pool are published in order. Immutable.
 */
public sealed interface Fact {

    PoolKey pool();

    /** One attempt to update a pool: a read, and at most one write. Compared by identity. */
    final class Attempt {

        private final PoolKey pool;
        private final @Nullable Object trace;

        /** @param trace what its calls are traced under; null for none */
        public Attempt(PoolKey pool, @Nullable Object trace) {
            this.pool = pool;
            this.trace = trace;
        }

        public PoolKey pool() {
            return pool;
        }

        /** What its calls are traced under; null for none. */
        public @Nullable Object trace() {
            return trace;
        }
    }

    /** A fact about an attempt. Those about one attempt lie between its begin and its end. */
    sealed interface OfAttempt extends Fact {

        Attempt attempt();

        @Override
        default PoolKey pool() {
            return attempt().pool();
        }
    }

    /**
     * An operation that an attempt was for.
     *
     * @param service its Service
     * @param number how many attempts were made for it, this one included
     * @param notBefore when the next one may begin; empty for the next update, and if there is none
     */
    record Tried(ServiceName service, int number, Optional<Instant> notBefore) {}

    /** A read or a write begins, or came back: when, by the engine's steady clock. It may be told of much later. */
    sealed interface OfCall extends OfAttempt {

        Instant at();
    }

    /** A read or a write begins. */
    sealed interface CallBegins extends OfCall {}

    /** A read or a write came back, perhaps after the end of the term: what it says then has no consequences. */
    sealed interface CallEnded extends OfCall {

        /** The pool as read or as found after the write, or the failure. */
        Reply<BackendPool> reply();
    }

    /**
     * It begins with its read.
     *
     * @param isRetry whether an attempt for one of its operations has failed before
     */
    record Began(Attempt attempt, Instant at, boolean isRetry) implements CallBegins {}

    /** The read came back. */
    record ReadEnded(Attempt attempt, Instant at, Reply<BackendPool> reply) implements CallEnded {}

    /** It is about to write. */
    record Writes(Attempt attempt, Instant at, Plan plan) implements CallBegins {}

    /**
     * The write came back.
     *
     * @param plan what was to be written
     */
    record WriteEnded(Attempt attempt, Instant at, Plan plan, Reply<BackendPool> reply) implements CallEnded {}

    /**
     * Another writer changed the pool during our write: it is updated again.
     *
     * @param plan what was to be written
     * @param found what it holds instead
     */
    record Overwritten(Attempt attempt, Plan plan, AddressSet found) implements OfAttempt {}

    /**
     * The pool was seen to hold what was written.
     *
     * @param plan what was written
     * @param number how many attempts were made for its operations at most
     * @param sinceChange the time since the first change that it includes and no update had taken up before; since the
     *     first if a guard had held all
     */
    record Written(Attempt attempt, Plan plan, int number, Duration sinceChange) implements OfAttempt {}

    /**
     * A retry found that the pool holds what is wanted.
     *
     * @param services the Services of its operations
     * @param number how many attempts were made for them at most
     */
    record FoundAsWanted(Attempt attempt, List<ServiceName> services, int number) implements OfAttempt {}

    /**
     * The update succeeded, which is reported.
     *
     * @param services the Services that are told
     * @param plan what was written, or would be in a dry run; empty if the pool held it
     */
    record Updated(Attempt attempt, List<ServiceName> services, Optional<Plan> plan) implements OfAttempt {}

    /**
     * The attempt failed, and these operations were queued again.
     *
     * @param bound how many attempts there are at most
     */
    record Retrying(Attempt attempt, Failure failure, List<Tried> tried, long bound) implements OfAttempt {}

    /**
     * The attempt failed, and these operations are not tried again.
     *
     * @param isExhausted whether that is because there were as many attempts as there may be
     * @param bound how many attempts there are at most
     */
    record GaveUp(Attempt attempt, Failure failure, List<Tried> tried, long bound, boolean isExhausted)
            implements OfAttempt {}

    /** The attempt failed because these operations are out of date; no one is informed. */
    record Dropped(Attempt attempt, Failure failure, List<Tried> tried) implements OfAttempt {}

    /** It ended. */
    record Ended(Attempt attempt) implements OfAttempt {}

    /** A retry stays queued because the retry budget refused it. */
    record RetryRefused(PoolKey pool) implements Fact {}

    /** The update of the pool is held, for another cause than before. */
    record HoldBegan(PoolKey pool, List<ServiceName> services, HoldCause because) implements Fact {}

    /** The update of the pool is no longer held. */
    record HoldEnded(PoolKey pool, HoldCause because, Instant since) implements Fact {}

    /** It is reported on a Service, for the first time, that this cause holds its pool. */
    record HoldReported(PoolKey pool, ServiceName service, HoldCause because) implements Fact {}

    /**
     * The pool holds what is wanted after a change in the cluster.
     *
     * @param took the time since the change; greater than zero
     */
    record ChangeWritten(PoolKey pool, Duration took) implements Fact {}
}

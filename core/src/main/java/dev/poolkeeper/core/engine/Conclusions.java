package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Backlog;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Applies the decisions about an update to its pool, and publishes what they say. Once the term has ended nothing is
 * requeued or said. Thread-safe.
 */
final class Conclusions {

    private final Assembly assembly;
    private final OperationQueue queue;
    private final Pacing pacing;
    private final Outcomes outcomes;

    Conclusions(Assembly assembly, OperationQueue queue, Pacing pacing) {
        this.assembly = assembly;
        this.queue = queue;
        this.pacing = pacing;
        this.outcomes =
                new Outcomes(assembly.settings().model(), assembly.settings().maxRetries());
    }

    /** The attempt is over with this. */
    private void end(PoolKey key, Function<Pool, Decision> decision) {
        decide(key, pool -> decision.apply(pool).with(it -> it.withBacklog(Backlog::finished)));
    }

    private void decide(PoolKey key, Function<Pool, Decision> decision) {
        queue.change(key, pool -> decision.apply(pool).told(assembly.facts()));
        assembly.facts().deliver();
    }

    /** The group without the operations of Services that are no longer local or now have another pool. */
    Optional<OperationGroup> relevant(OperationGroup group) {
        List<PendingOperation> relevant = Outcomes.relevant(assembly.known().get(group.pool()), group.operations());
        return relevant.isEmpty() ? Optional.empty() : Optional.of(new OperationGroup(group.pool(), relevant));
    }

    /** Of a group of several Services the operations of the paused ones are held; the others go on. */
    OperationGroup withoutPaused(OperationGroup group) {
        List<PendingOperation> going = UpdateModel.withoutPaused(
                group.operations(), assembly.known().get(group.pool()).wants());
        if (going.isEmpty() || going.size() == group.operations().size()) {
            return group;
        }
        List<PendingOperation> paused = new ArrayList<>(group.operations());
        paused.removeAll(going);
        OperationGroup rest = new OperationGroup(group.pool(), paused);
        holdPart(rest, Pauses.of(rest.services().get(0)));
        return new OperationGroup(group.pool(), going);
    }

    /** The pool was read: the group with the further operations that this update includes; empty if none applies. */
    Optional<OperationGroup> takeUp(OperationGroup group) {
        return relevant(pacing.takeUp(group)).map(this::withoutPaused);
    }

    /** The reason to hold the whole update, judged without reading the pool. */
    Optional<Held> heldAsKnown(OperationGroup group) {
        Pool pool = assembly.known().get(group.pool());
        return assembly.guards().flatMap(active -> active.holds(pool, group));
    }

    /** What guards hold may be tried, unless they still hold it; another reason than before is reported. */
    void releaseUnlessHeld() {
        queue.heldByGuards().forEach(this::releaseUnlessHeld);
    }

    /** The same of this pool. */
    void releaseUnlessHeld(PoolKey key) {
        Backlog backlog = assembly.known().get(key).backlog();
        if (backlog.isHeldByGuard() && !isStillHeld(key, backlog.waiting())) {
            queue.change(key, pool -> pool.withBacklog(it -> it.released(now())));
        }
    }

    private boolean isStillHeld(PoolKey key, List<PendingOperation> waiting) {
        if (waiting.isEmpty()) {
            return false;
        }
        OperationGroup group = new OperationGroup(key, waiting);
        Optional<Held> because = heldAsKnown(group);
        because.ifPresent(reason -> sayHeld(group, reason));
        return because.isPresent();
    }

    /** The update waits as if it had not been begun. */
    void keep(OperationGroup group) {
        Optional<Instant> rest = pacing.rest();
        end(group.pool(), pool -> Outcomes.kept(pool, group, rest, now()));
    }

    /** The same after an internal error: whatever was in hand. */
    void requeue(PoolKey pool) {
        Optional<Instant> rest = pacing.rest();
        queue.change(pool, it -> Outcomes.requeued(it, rest));
    }

    /** The whole update waits for this. */
    void hold(OperationGroup group, Held because) {
        Optional<Instant> until = pacing.holdUntil(because);
        end(group.pool(), pool -> Outcomes.held(pool, group, because, until, now()));
    }

    /** These operations wait for this; the others of the update go on. */
    private void holdPart(OperationGroup part, Held because) {
        Optional<Instant> until = pacing.holdUntil(because);
        decide(part.pool(), pool -> Outcomes.part(pool, part, because, until, now()));
    }

    /** What the plan leaves out of the update waits for this, which was said. */
    void holdRest(OperationGroup group, Held because) {
        Optional<Instant> until = pacing.holdUntil(because);
        end(group.pool(), pool -> Decision.of(Outcomes.ended(Outcomes.waiting(pool, group, because, until))));
    }

    /** It is said that a part of the update is held, or for another reason than before. */
    void sayHeld(OperationGroup group, Held because) {
        decide(group.pool(), pool -> Holds.hold(pool, group.services(), because, now()));
    }

    /** Nothing holds the pool. */
    void release(PoolKey pool) {
        decide(pool, Holds::release);
    }

    /** The pool already held the wanted addresses. */
    void unchanged(OperationGroup group, Fact.Attempt attempt) {
        end(group.pool(), pool -> outcomes.unchanged(pool, group, attempt));
    }

    /** The pool was written as planned. */
    void updated(OperationGroup group, Plan plan, Fact.Attempt attempt) {
        end(group.pool(), pool -> outcomes.updated(pool, group, plan, attempt));
    }

    void failed(OperationGroup group, Failure failure, Fact.Attempt attempt) {
        Optional<Instant> rest = pacing.rest();
        end(group.pool(), pool -> outcomes.failed(pool, group, failure, now(), rest, attempt));
    }

    private Instant now() {
        return assembly.clock().instant();
    }
}

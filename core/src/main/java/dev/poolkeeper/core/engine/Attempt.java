package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One attempt to update a pool: read, plan and ask the guards, write, verify. The cluster and the pool may change
 * between any two steps. Used by one thread.
 */
final class Attempt {

    private static final Failure NOT_APPLIED = Failure.Other.retriable("the write was accepted but not applied");

    private static final Failure IN_PROGRESS = new Failure.Conflict(new ArmError(
            null, null, "the pool's provisioningState is Updating: another operation on it is in progress", null));

    private final Assembly assembly;
    private final Optional<ActiveGuards> guards;
    private final Term term;
    private final SharedHold hold;
    private final Conclusions conclusions;
    private final Lane lane;
    private final PoolKey key;
    private final Fact.Attempt attempt;
    private final CallContext context;

    /** What it tries; after the read with what arrived in the meantime, and without what no longer applies. */
    private OperationGroup group;

    Attempt(Assembly assembly, Term term, SharedHold hold, Conclusions conclusions, Lane lane, OperationGroup group) {
        this.assembly = assembly;
        this.guards = assembly.guards();
        this.term = term;
        this.hold = hold;
        this.conclusions = conclusions;
        this.lane = lane;
        this.key = group.pool();
        this.group = group;
        this.attempt = new Fact.Attempt(key, assembly.traces().apply(key));
        this.context = new CallContext(hold.fence, group.isRetry(), attempt.trace());
    }

    void run() {
        assembly.facts().publish(new Fact.Began(attempt, context.isRetry()));
        try {
            read();
        } finally {
            assembly.facts().publish(new Fact.Ended(attempt));
        }
    }

    private <T> Reply<T> call(Supplier<Reply<T>> call) {
        return lane.calls.call(now(), hold.fence::isCurrent, call);
    }

    private Instant now() {
        return assembly.clock().instant();
    }

    private void read() {
        Reply<BackendPool> read = call(() -> assembly.ports().pools().read(key, context));
        assembly.facts().publish(new Fact.ReadEnded(attempt, read));
        if (!term.isCurrent()) {
            return;
        }
        switch (read) {
            case Reply.Failed<BackendPool>(Failure failure) -> {
                assembly.known().failed(key, false, failure, now());
                failed(false, failure);
            }
            case Reply.Ok<BackendPool>(BackendPool pool) -> {
                assembly.known().read(pool, now());
                guards.ifPresent(active -> active.forbidden.succeeded(key, false));
                if (pool.provisioning() == ProvisioningState.UPDATING) { // a write would cancel what is in progress
                    conclusions.failed(group, IN_PROGRESS, attempt);
                    return;
                }
                conclusions.takeUp(group).ifPresent(rest -> {
                    group = rest;
                    apply(pool);
                });
            }
        }
    }

    private void apply(BackendPool pool) {
        Plan plan = plan(pool.addresses());
        guards.ifPresent(active -> active.wasRead(plan));
        if (plan.isDone() && pool.isSettled()) {
            conclusions.unchanged(group, attempt);
            return;
        }
        switch (guards.map(active -> active.judge(plan)).orElse(Verdict.GO)) {
            case Verdict.Go go -> carryOut(pool, plan, Optional.empty());
            case Verdict.GoWithLess(AddressSet less, Held because) -> {
                conclusions.sayHeld(group, because);
                carryOut(pool, plan.withPlanned(less), Optional.of(because));
            }
            case Verdict.Hold(Held because) -> conclusions.hold(group, because);
        }
    }

    /** @param held what was found in the pool */
    private Plan plan(AddressSet held) {
        Pool pool = assembly.known().get(key);
        boolean isAsKnown =
                pool.known().filter(known -> known.addresses().equals(held)).isPresent();
        UpdateModel model = assembly.settings().model();
        return isAsKnown ? model.plan(pool, group) : model.plan(pool, group, held);
    }

    /** @param rest the reason to hold the part that the plan leaves out; empty if it leaves nothing out */
    private void carryOut(BackendPool pool, Plan plan, Optional<Held> rest) {
        if (plan.isDone() && pool.isSettled()) {
            rest.ifPresentOrElse(because -> conclusions.holdRest(group, because), () -> conclusions.keep(group));
        } else if (!hold.mayStart()) {
            conclusions.keep(group);
        } else if (assembly.ports().dryRun().isPresent()) {
            assembly.ports().dryRun().get().accept(plan);
            conclusions.updated(group, plan, attempt);
        } else {
            write(pool, plan, rest);
        }
    }

    private void write(BackendPool pool, Plan plan, Optional<Held> rest) {
        assembly.known().writeBegins(key, plan.planned());
        guards.ifPresent(active -> active.brake.writeBegins(plan));
        assembly.facts().publish(new Fact.Writes(attempt, plan));
        Reply<BackendPool> written = call(() -> assembly.ports().pools().write(pool, plan.planned(), context));
        assembly.facts().publish(new Fact.WriteEnded(attempt, plan, written));
        note(plan, written);
        try {
            if (term.isCurrent()) {
                switch (written) {
                    case Reply.Failed<BackendPool>(Failure failure) -> failed(true, failure);
                    case Reply.Ok<BackendPool>(BackendPool found) -> verify(plan, found, rest);
                }
            }
        } finally {
            guards.ifPresent(active -> active.brake.writeEnded(key));
        }
    }

    /**
     * Records how a write ended, even after the term has ended: otherwise the next term would treat it as still in
     * progress.
     */
    private void note(Plan plan, Reply<BackendPool> written) {
        Instant now = now();
        switch (written) {
            case Reply.Failed<BackendPool>(Failure failure) -> assembly.known().failed(key, true, failure, now);
            case Reply.Ok<BackendPool>(BackendPool found) -> {
                assembly.known().written(found, found.addresses().equals(plan.planned()), now);
                if (!found.isSettled()) {
                    assembly.known().failed(key, true, notInForce(found), now);
                } else if (found.addresses().equals(plan.held()) && !plan.isDone()) {
                    assembly.known().failed(key, true, NOT_APPLIED, now);
                }
            }
        }
    }

    /** Compares the contents of the pool after the write with what was written. */
    private void verify(Plan plan, BackendPool found, Optional<Held> rest) {
        guards.ifPresent(active -> active.forbidden.succeeded(key, true));
        if (!found.isSettled()) {
            conclusions.failed(group, notInForce(found), attempt);
        } else if (found.addresses().equals(plan.planned())) {
            landed(plan, rest);
        } else if (found.addresses().equals(plan.held())) {
            conclusions.failed(group, NOT_APPLIED, attempt);
        } else {
            guards.ifPresent(active -> active.wasOverwritten(plan));
            assembly.facts().publish(new Fact.Overwritten(attempt, plan, found.addresses()));
            conclusions.keep(group);
        }
    }

    private void landed(Plan plan, Optional<Held> rest) {
        guards.ifPresent(active -> active.wasWritten(plan));
        Duration sinceChange = Duration.between(group.waitsSince(), now());
        assembly.facts().publish(new Fact.Written(attempt, plan, Outcomes.number(group), sinceChange));
        if (rest.isPresent() && !plan(plan.planned()).isDone()) {
            conclusions.holdRest(group, rest.get());
            conclusions.releaseUnlessHeld(
                    key); // what arrived during the write does not wait, unless it is held as well
        } else {
            rest.ifPresent(unused -> conclusions.release(key));
            conclusions.updated(group, plan, attempt);
        }
    }

    private static Failure notInForce(BackendPool found) {
        return Failure.Other.retriable(
                "the write was accepted, but the pool's provisioningState is " + found.provisioning());
    }

    private void failed(boolean write, Failure failure) {
        if (failure instanceof Failure.Cancelled cancelled && cancelled.fenced()) {
            conclusions.keep(group); // without the lock there is no attempt to count
            return;
        }
        guards.ifPresent(active -> active.forbidden.failed(key, write, failure));
        conclusions.failed(group, failure, attempt);
    }
}

package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.guard.DriftBackOff;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers;
import dev.poolkeeper.core.guard.Guard;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.guard.Guards;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.core.guard.SharedPools;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The guards of an engine that is configured with guards. Thread-safe. */
final class ActiveGuards {

    private final Pools known;
    private final UpdateModel model;

    final ForbiddenLoadBalancers forbidden;
    final DriftBackOff drift;
    final SafetyBrake brake;

    private final Guard all;
    private final Guard looking;
    private volatile boolean paused;

    /** @param waveWait how long removals wait that together exceed a tenth of all addresses; zero for no wait */
    ActiveGuards(GuardSettings settings, Duration waveWait, Pools known, UpdateModel model, InstantSource clock) {
        this.known = known;
        this.model = model;
        this.forbidden = new ForbiddenLoadBalancers(settings.forbiddenWaits(), known, clock);
        this.drift = new DriftBackOff(settings.drift(), known, clock);
        Guards others = new Guards(
                List.of(new Pauses(() -> paused, this::wants), forbidden, drift, new SharedPools(this::wants)));
        this.brake = new SafetyBrake(settings.brake(), waveWait, known, model::plans, others, clock);
        this.all = new Guards(List.of(others, brake));
        this.looking = new Guards(List.of(others, brake::look));
    }

    /** Decides which part of the plan may be done now. */
    Verdict judge(Plan plan) {
        return all.judge(plan);
    }

    /** The reason to hold the whole update, judged without reading the pool. */
    Optional<HoldCause> holds(Pool pool, OperationGroup group) {
        return holds(pool, group, all);
    }

    /** The same for the status. Only looks: nothing is held or let through because of it. */
    Optional<HoldCause> wouldHold(Pool pool, OperationGroup group) {
        return holds(pool, group, looking);
    }

    private Optional<HoldCause> holds(Pool pool, OperationGroup group, Guard guard) {
        return pool.known().flatMap(known -> {
            Plan plan = model.plan(pool, group);
            return holdsWhole(plan, known, guard.judge(plan));
        });
    }

    /** A pool whose last operation failed is written again, with what it holds if no more is allowed. */
    private static Optional<HoldCause> holdsWhole(Plan plan, KnownPool known, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Go go -> Optional.empty();
            case Verdict.Hold(HoldCause because) -> Optional.of(because);
            case Verdict.GoWithLess(AddressSet allowed, HoldCause because) ->
                allowed.equals(plan.held()) && known.provisioning() != ProvisioningState.FAILED
                        ? Optional.of(because)
                        : Optional.empty();
        };
    }

    /** The pool was read and the plan is based on its contents. Called before {@link #judge}. */
    void wasRead(Plan plan) {
        drift.wasRead(plan);
        brake.wasRead(plan);
    }

    /** A write came back. */
    void writeEnded(Plan plan, Reply<BackendPool> reply) {
        ended(plan.pool(), true, reply);
        if (reply instanceof Reply.Ok<BackendPool>(BackendPool found)
                && Decisions.notApplied(plan, found).isEmpty()) {
            if (found.addresses().equals(plan.planned())) {
                drift.wasWritten(plan);
            } else {
                drift.wasOverwritten(plan);
            }
            brake.wasWritten(plan); // what another writer put in place of our removals is unknown until the next read
        }
    }

    /** A call came back. */
    void ended(PoolKey pool, boolean write, Reply<BackendPool> reply) {
        switch (reply) {
            case Reply.Ok<BackendPool> ok -> forbidden.succeeded(pool, write);
            case Reply.Failed<BackendPool>(Failure failure) -> forbidden.failed(pool, write, failure);
        }
    }

    void pause(boolean now) {
        if (paused != now) {
            paused = now;
            brake.lookAgain();
        }
    }

    boolean isPaused() {
        return paused;
    }

    EngineStatus.Holds status() {
        List<ServiceName> pausedServices = known.used()
                .filter(pool -> pool.wants().isAnyPaused())
                .flatMap(pool -> pool.wants().all().stream())
                .filter(Want::paused)
                .map(Want::service)
                .distinct()
                .sorted()
                .toList();
        return new EngineStatus.Holds(paused, brake.braked(), forbidden.forbidden(), drift.fights(), pausedServices);
    }

    private Wants wants(PoolKey pool) {
        return known.get(pool).wants();
    }
}

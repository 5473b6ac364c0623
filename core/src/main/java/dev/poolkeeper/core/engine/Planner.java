package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.AddressSet;
import java.util.List;

/**
 * Plans updates: what pools should hold after operations, of what is wanted in them now. Operations of paused Services
 * are left out if others remain.
 *
 * @param model how operations are merged
 */
record Planner(UpdateModel model) {

    /** A plan for each {@link Pool#groups() group} of a pool; none if its contents are not known. */
    List<Plan> plans(Pool pool) {
        return pool.plans(this::fromContents);
    }

    /** The plan for some operations of a pool, whose contents are known. */
    Plan plan(Pool pool, OperationGroup group) {
        return pool.plan(group, this::fromContents);
    }

    private Plan fromContents(Pool pool, OperationGroup group) {
        return plan(pool, group, pool.known().orElseThrow().addresses());
    }

    /** The same from these contents. */
    Plan plan(Pool pool, OperationGroup group, AddressSet held) {
        List<PendingOperation> going = withoutPaused(group.operations(), pool.wants());
        List<PendingOperation> planned = going.isEmpty() ? group.operations() : going;
        return new Plan(group.pool(), group.services(), held, model.plan(held, planned, pool.wants()));
    }

    /** The operations of the Services that are not paused. */
    static List<PendingOperation> withoutPaused(List<PendingOperation> operations, Wants wants) {
        return wants.isAnyPaused()
                ? operations.stream()
                        .filter(pending -> !wants.isPaused(pending.operation().service()))
                        .toList()
                : operations;
    }
}

package dev.poolkeeper.core.merge;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.AddressChange;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two models that turn a change of the wanted addresses into a plan. They share everything else (queue, tick,
 * retries).
 *
 * <p>In both, Services that share a pool never evict each other: addresses in the pool that another local Service wants
 * at the time of planning stay.
 */
public enum UpdateModel {
    /**
     * One operation per change: the removed addresses, then the added ones (the design document's model and the Go
     * updater's behaviour).
     */
    DIFF {
        @Override
        public void adopted(OperationQueue queue, ServiceName service, PoolKey pool, AddressSet wanted) {
            queue.add(new Operation.Replace(service, pool, wanted));
        }

        @Override
        public void changed(
                OperationQueue queue, ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            AddressChange change = before.changeTo(wanted);
            queue.addAll(List.of(
                    new Operation.Remove(service, pool, change.removed()),
                    new Operation.Add(service, pool, change.added())));
        }

        @Override
        public void grew(OperationQueue queue, ServiceName service, PoolKey pool, AddressSet added) {
            queue.add(new Operation.Add(service, pool, added));
        }

        @Override
        public void compared(OperationQueue queue, Want want) {
            queue.add(
                    want.adopted()
                            ? new Operation.Replace(want.service(), want.pool(), want.wanted())
                            : new Operation.Add(want.service(), want.pool(), want.wanted()));
        }

        @Override
        public void touchedAfterFailure(OperationQueue queue, ServiceName service, PoolKey pool) {}

        /**
         * A Service that left and came back while an operation was in hand, and was not adopted since, removes nothing.
         */
        @Override
        AddressSet fold(AddressSet planned, Operation operation, Wants wants) {
            boolean removes = wants.isAdopted(operation.service());
            AddressSet others = wants.wantedByOthers(operation.service());
            return switch (operation) {
                case Operation.Add add -> planned.union(add.addresses());
                case Operation.Remove remove ->
                    removes ? planned.minus(remove.addresses().minus(others)) : planned;
                case Operation.Replace replace ->
                    removes
                            ? planned.intersect(others.union(replace.addresses()))
                                    .union(replace.addresses())
                            : planned.union(replace.addresses());
                case Operation.Sync sync -> planned;
            };
        }

        @Override
        public boolean reportsUnchanged() {
            return true;
        }

        @Override
        public boolean countsUnsentAttempts() {
            return true;
        }
    },

    /** The whole wanted set, looked up after the pool has been read (the design document's stronger model). */
    DESIRED_STATE {
        @Override
        public void adopted(OperationQueue queue, ServiceName service, PoolKey pool, AddressSet wanted) {
            queue.add(new Operation.Sync(service, pool));
        }

        @Override
        public void changed(
                OperationQueue queue, ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            queue.add(new Operation.Sync(service, pool));
        }

        @Override
        public void grew(OperationQueue queue, ServiceName service, PoolKey pool, AddressSet added) {
            queue.add(new Operation.Sync(service, pool));
        }

        @Override
        public void compared(OperationQueue queue, Want want) {
            queue.ensure(new Operation.Sync(want.service(), want.pool()));
        }

        @Override
        public void touchedAfterFailure(OperationQueue queue, ServiceName service, PoolKey pool) {
            queue.ensure(new Operation.Sync(service, pool));
        }

        /**
         * Keeps the held addresses that any local Service wants, and adds those that the waiting Services want. A
         * Service that was never adopted removes nothing.
         */
        @Override
        AddressSet fold(AddressSet planned, Operation operation, Wants wants) {
            ServiceName service = operation.service();
            AddressSet wanted = wants.wanted(service);
            if (!wants.isAdopted(service)) {
                return planned.union(wanted);
            }
            AddressSet others = wants.wantedByOthers(service);
            return others.isEmpty()
                    ? wanted.spelledAs(planned)
                    : planned.intersect(others.union(wanted)).union(wanted);
        }

        @Override
        public boolean reportsUnchanged() {
            return false;
        }

        @Override
        public boolean countsUnsentAttempts() {
            return false;
        }
    };

    /**
     * Queues the operations for a change of what a Service wants.
     *
     * @param before what it wanted so far; null if it has just become local with the pool
     * @return whether there is anything to do
     */
    public final boolean wants(OperationQueue queue, @Nullable Want before, Want now) {
        boolean wasAdopted = before != null && before.adopted();
        AddressSet last = before == null ? AddressSet.empty() : before.wanted();
        if (now.adopted() && !wasAdopted) {
            adopted(queue, now.service(), now.pool(), now.wanted());
            return true;
        }
        if (now.adopted()) {
            boolean differs = !now.wanted().equals(last);
            if (differs) {
                changed(queue, now.service(), now.pool(), last, now.wanted());
            }
            return differs;
        }
        AddressSet added = now.wanted().minus(last);
        boolean isFirst = now.seen() && (before == null || !before.seen());
        if (isFirst || now.seen() && !added.isEmpty()) {
            grew(queue, now.service(), now.pool(), added);
            return true;
        }
        return false;
    }

    /** Queues the operations for addresses that came to a wanted set that was never complete. */
    public abstract void grew(OperationQueue queue, ServiceName service, PoolKey pool, AddressSet added);

    /** Queues the operations for the first complete wanted set of a Service. */
    public abstract void adopted(OperationQueue queue, ServiceName service, PoolKey pool, AddressSet wanted);

    /** Queues the operations for a change of the wanted set. */
    public abstract void changed(
            OperationQueue queue, ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);

    /**
     * Queues the operations for a pool that differs from what the Service wants, as a comparison found or because
     * another one has left it; those that wait already stay unchanged.
     */
    public abstract void compared(OperationQueue queue, Want want);

    /** Queues the operations for an EndpointSlice event that changed nothing, after the Service got a Failed event. */
    public abstract void touchedAfterFailure(OperationQueue queue, ServiceName service, PoolKey pool);

    /** A plan for each {@link Pool#groups() group} of a pool; none if its contents are not known. */
    public final List<Plan> plans(Pool pool) {
        return pool.plans(this::fromContents);
    }

    /** The plan for some operations of a pool, whose contents are known. */
    public final Plan plan(Pool pool, OperationGroup group) {
        return pool.plan(group, this::fromContents);
    }

    private Plan fromContents(Pool pool, OperationGroup group) {
        return plan(pool, group, pool.known().orElseThrow().addresses());
    }

    /**
     * The same from these contents. Operations of paused Services are left out if others remain.
     *
     * @param held the addresses it holds
     */
    public final Plan plan(Pool pool, OperationGroup group, AddressSet held) {
        List<PendingOperation> going = withoutPaused(group.operations(), pool.wants());
        List<PendingOperation> planned = going.isEmpty() ? group.operations() : going;
        return new Plan(group.pool(), group.services(), held, plan(held, planned, pool.wants()));
    }

    /** The operations of the Services that are not paused. */
    public static List<PendingOperation> withoutPaused(List<PendingOperation> operations, Wants wants) {
        return wants.isAnyPaused()
                ? operations.stream()
                        .filter(pending -> !wants.isPaused(pending.operation().service()))
                        .toList()
                : operations;
    }

    /**
     * The addresses that the pool should hold. Those of the family that its Services do not have are dropped.
     *
     * @param held the addresses it holds
     * @param operations at least one, in order of arrival, all for one pool
     * @param wants what the Services of the pool want in it
     */
    public final AddressSet plan(AddressSet held, List<PendingOperation> operations, Wants wants) {
        Operation first = operations.get(0).operation();
        AddressSet planned = held.ofFamily(IpFamily.of(first.service(), first.pool()));
        for (PendingOperation pending : operations) {
            planned = fold(planned, pending.operation(), wants);
        }
        return planned;
    }

    /** The planned addresses after one more operation. */
    abstract AddressSet fold(AddressSet planned, Operation operation, Wants wants);

    /** Whether an update that found nothing to write is reported even if none of its retries were. */
    public abstract boolean reportsUnchanged();

    /**
     * Whether an attempt that the local throttling gate refused, and that was therefore never sent, counts as a retry.
     */
    public abstract boolean countsUnsentAttempts();
}

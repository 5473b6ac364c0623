package dev.poolkeeper.core.tick;

import dev.poolkeeper.ports.ArmName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How load balancers are served: all in one lane, one group after another in the order of the queue; or each in a lane
 * of its own, side by side. Groups of one load balancer never run at the same time: ARM refuses or supersedes
 * concurrent writes to one. Thread-safe.
 */
public final class Lanes {

    private final Executor executor;
    private final @Nullable Lane single;
    private final Function<ArmName, Lock> locks;
    private final Map<ArmName, Lane> byLoadBalancer = new ConcurrentHashMap<>();

    private Lanes(Executor executor, @Nullable Lane single, Function<ArmName, Lock> locks) {
        this.executor = executor;
        this.single = single;
        this.locks = locks;
    }

    /**
     * All load balancers in the thread that ticks, in the order of the queue.
     *
     * @param serviceReconcileLock held for the whole tick; shared with the embedder's own reconcile loop
     */
    public static Lanes oneAfterAnother(Lock serviceReconcileLock) {
        return new Lanes(Runnable::run, new Lane(null, serviceReconcileLock), loadBalancer -> serviceReconcileLock);
    }

    /**
     * Load balancers side by side.
     *
     * @param serviceReconcileLocks the lock of a load balancer, held while its groups run; shared with the embedder's
     *     own reconcile loop, which takes the locks of the load balancers it changes. One lock for all serves them one
     *     after another
     * @param executor runs a lane from its first group to its last; its number of threads bounds how many run at once
     */
    public static Lanes sideBySide(Function<ArmName, Lock> serviceReconcileLocks, Executor executor) {
        return new Lanes(executor, null, serviceReconcileLocks);
    }

    Executor executor() {
        return executor;
    }

    /** The lanes that have to look at these load balancers. */
    List<Lane> of(List<ArmName> loadBalancers) {
        Lane all = single;
        return all != null
                ? List.of(all)
                : loadBalancers.stream()
                        .map(name -> byLoadBalancer.computeIfAbsent(name, key -> new Lane(key, locks.apply(key))))
                        .toList();
    }

    /** Every lane that was ever asked for. */
    List<Lane> all() {
        Lane all = single;
        return all != null ? List.of(all) : List.copyOf(byLoadBalancer.values());
    }
}

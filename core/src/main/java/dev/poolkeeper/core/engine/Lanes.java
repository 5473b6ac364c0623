package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ArmName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How load balancers are served: all in one lane, one group after another in the order of the queue; or each in a lane
 * of its own, side by side. Groups of one load balancer never run at the same time: ARM refuses or supersedes
 * concurrent writes to one. Immutable.
 */
public final class Lanes {

    private final Executor executor;
    private final @Nullable Lock single;
    private final Function<ArmName, Lock> locks;

    private Lanes(Executor executor, @Nullable Lock single, Function<ArmName, Lock> locks) {
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
        return oneAfterAnother(serviceReconcileLock, Runnable::run);
    }

    /**
     * All load balancers in one lane, in the order of the queue.
     *
     * @param serviceReconcileLock held while an update runs; shared with the embedder's own reconcile loop
     * @param executor runs the lane
     */
    public static Lanes oneAfterAnother(Lock serviceReconcileLock, Executor executor) {
        return new Lanes(executor, serviceReconcileLock, loadBalancer -> serviceReconcileLock);
    }

    /**
     * Load balancers side by side.
     *
     * @param serviceReconcileLocks the lock of a load balancer, the same one each time; held while its groups run, and
     *     shared with the embedder's own reconcile loop, which takes the locks of the load balancers it changes. One
     *     lock for all serves them one after another
     * @param executor runs a lane from its first group to its last; its number of threads bounds how many run at once
     */
    public static Lanes sideBySide(Function<ArmName, Lock> serviceReconcileLocks, Executor executor) {
        return new Lanes(executor, null, serviceReconcileLocks);
    }

    /**
     * Load balancers side by side, each with a lock of its own that nothing else takes.
     *
     * @param executor runs a lane from its first group to its last; its number of threads bounds how many run at once
     */
    public static Lanes sideBySide(Executor executor) {
        ConcurrentHashMap<ArmName, Lock> locks = new ConcurrentHashMap<>();
        return sideBySide(name -> locks.computeIfAbsent(name, key -> new ReentrantLock()), executor);
    }

    Executor executor() {
        return executor;
    }

    /** The lock of the one lane that serves all load balancers; null where each has its own. */
    @Nullable
    Lock single() {
        return single;
    }

    Lock lockOf(ArmName loadBalancer) {
        return locks.apply(loadBalancer);
    }
}

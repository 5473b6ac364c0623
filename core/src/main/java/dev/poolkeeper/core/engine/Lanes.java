package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ArmName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How load balancers are served: all in one lane, one group after another in the order of the queue; or each in its own
 * lane, in parallel. Groups of one load balancer never run at the same time: ARM refuses or supersedes concurrent
 * writes to one. Immutable.
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
     * Serves all load balancers in the thread that calls {@link Engine#step}, one after another. A step updates at most
     * as many pools as were due when it began, and ends sooner if another thread waits for the lock.
     *
     * @param serviceReconcileLock held while a pool is updated; shared with the embedder's own reconcile loop. That a
     *     thread waits for it is seen if it is a {@link ReentrantLock}
     */
    public static Lanes oneAfterAnother(Lock serviceReconcileLock) {
        return oneAfterAnother(serviceReconcileLock, Runnable::run);
    }

    /**
     * Serves all load balancers in one lane, one after another.
     *
     * @param serviceReconcileLock held while a pool is updated; shared with the embedder's own reconcile loop
     * @param executor runs the lane
     */
    public static Lanes oneAfterAnother(Lock serviceReconcileLock, Executor executor) {
        return new Lanes(executor, serviceReconcileLock, loadBalancer -> serviceReconcileLock);
    }

    /**
     * Serves load balancers in parallel.
     *
     * @param serviceReconcileLocks returns the lock of a load balancer, always the same one; held while its groups run,
     *     and shared with the embedder's own reconcile loop, which takes the locks of the load balancers it changes. A
     *     single lock for all serves them one after another
     * @param executor runs a lane from its first group to its last; its number of threads bounds how many run at once
     */
    public static Lanes sideBySide(Function<ArmName, Lock> serviceReconcileLocks, Executor executor) {
        return new Lanes(executor, null, serviceReconcileLocks);
    }

    /**
     * Serves load balancers in parallel, each with its own lock that nothing else acquires.
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

    /** The lock of the single lane that serves all load balancers; null if each has its own lane. */
    @Nullable
    Lock single() {
        return single;
    }

    Lock lockOf(ArmName loadBalancer) {
        return locks.apply(loadBalancer);
    }
}

package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Serves one load balancer, or all of them: tracks whether it is busy and the call in progress. Thread-safe. */
final class Lane {

    /** The load balancer that the lane serves; null for all. */
    final @Nullable ArmName loadBalancer;

    /** Held for one update, and free between two. */
    final Lock lock;

    /** The pools that ticks have assigned to the lane, in order. */
    private final Set<PoolKey> listed = new LinkedHashSet<>();

    /** Whether the lane has joined the hold of the resource lock; accessed only by the thread that runs it. */
    boolean joined;

    /** How often it ran in the thread that started it; accessed only by that thread. */
    long turns;

    private boolean busy;
    private boolean requested;

    /** The thread that is handing a run to the executor; null for none. */
    private final AtomicReference<@Nullable Thread> submitting = new AtomicReference<>();

    /** The call in progress, which other threads can interrupt. */
    final InterruptibleCall calls = new InterruptibleCall();

    Lane(@Nullable ArmName loadBalancer, Lock lock) {
        this.loadBalancer = loadBalancer;
        this.lock = lock;
    }

    /** Takes the lane if it is free; a busy lane checks for more work before it becomes free. */
    synchronized boolean tryStart() {
        if (busy) {
            requested = true;
            return false;
        }
        busy = true;
        return true;
    }

    /** Frees the lane, unless {@link #tryStart} was requested since it last checked for work. */
    synchronized boolean releaseUnlessRequested() {
        busy = requested;
        requested = false;
        return !busy;
    }

    /**
     * Returns whether it ran in this thread.
     *
     * @param run is passed the same
     */
    boolean submit(Executor executor, Consumer<Boolean> run) {
        Thread submitter = Thread.currentThread();
        submitting.set(submitter);
        AtomicBoolean ranHere = new AtomicBoolean();
        try {
            executor.execute(() -> {
                boolean here = Thread.currentThread().equals(submitting.get());
                ranHere.set(here);
                run.accept(here);
            });
            return ranHere.get();
        } finally {
            submitting.compareAndSet(submitter, null);
        }
    }

    synchronized void end() {
        busy = false;
        requested = false;
    }

    synchronized boolean isBusy() {
        return busy;
    }

    synchronized void list(PoolKey pool) {
        listed.add(pool);
    }

    /**
     * Removes all entries before the first listed pool that meets the condition. Returns whether such a pool exists.
     */
    synchronized boolean hasListed(Predicate<PoolKey> condition) {
        Iterator<PoolKey> all = listed.iterator();
        while (all.hasNext()) {
            if (condition.test(all.next())) {
                return true;
            }
            all.remove();
        }
        return false;
    }

    synchronized Optional<PoolKey> firstListed() {
        return listed.stream().findFirst();
    }

    synchronized Optional<PoolKey> takeListed() {
        Optional<PoolKey> first = firstListed();
        first.ifPresent(listed::remove);
        return first;
    }

    synchronized void forgetListed() {
        listed.clear();
    }
}

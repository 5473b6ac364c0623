package dev.poolkeeper.k8s;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Time that moves when told to. Tasks run in the thread that tells. Wall clock and monotonic clock start apart. */
public final class ManualTime implements TimeAndChance {

    private record Task(long atNanos, long order, Runnable what) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private long nanos = 987_654_321L;
    private long order;
    private volatile boolean paused;

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public double draw() {
        return 0.5;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        lock.lock();
        try {
            Task later = new Task(nanos + Math.max(0, delay.toNanos()), order++, task);
            tasks.add(later);
            changed.signalAll();
            return () -> remove(later);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Task task) {
        lock.lock();
        try {
            tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }

    /** The wall clock jumps; the monotonic one does not. */
    public void jumpWallClock(Duration by) {
        now = now.plus(by);
    }

    /** As long as it is paused, time passes but no task runs: a process that stands still. */
    public void pause(boolean pausedNow) {
        paused = pausedNow;
    }

    public void advance(Duration by) {
        long end = nanoTime() + by.toNanos();
        for (Task task = due(end); task != null; task = due(end)) {
            task.what.run();
        }
        moveTo(end);
    }

    public void runDue() {
        advance(Duration.ZERO);
    }

    private Task due(long end) {
        lock.lock();
        try {
            Task first = tasks.peek();
            if (paused || first == null || first.atNanos > end) {
                return null;
            }
            moveTo(first.atNanos);
            return tasks.poll();
        } finally {
            lock.unlock();
        }
    }

    private void moveTo(long end) {
        lock.lock();
        try {
            now = now.plusNanos(Math.max(0, end - nanos));
            nanos = Math.max(nanos, end);
        } finally {
            lock.unlock();
        }
    }

    /** Runs what is due until the condition holds, which other threads may bring about. */
    public void until(String what, BooleanSupplier condition) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            runDue();
            if (condition.getAsBoolean()) {
                return;
            }
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("never came: " + what);
            }
            lock.lock();
            try {
                changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(5));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                lock.unlock();
            }
        }
    }
}

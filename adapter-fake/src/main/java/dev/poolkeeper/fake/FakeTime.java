package dev.poolkeeper.fake;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;

/**
 * Time that stands still until a test moves it.
 *
 * <ul>
 *   <li>No task runs until time is advanced. Due tasks then run in the advancing thread, one after another, ordered by
 *       time and, at the same time, by when they were scheduled. Each sees the time it was scheduled for.
 *   <li>A sleeping thread advances time itself, up to the moment at which a task interrupts it.
 *   <li>{@link #await} blocks until the future completes or another thread (of a server, for example) advances time to
 *       the limit.
 *   <li>The wall clock and the monotonic clock start at unrelated values, so that tests reveal code that mixes them up.
 *       The monotonic clock starts below zero.
 * </ul>
 *
 * <p>Thread-safe. The order of tasks is deterministic as long as one thread at a time advances.
 */
public final class FakeTime implements Time {

    /** The default start of the wall clock. */
    public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private static final long FIRST_NANOS = -987_654_321_012L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final double USUAL_DRAW = 0.5;

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** @param passed the time since the start on the monotonic clock */
    private record Now(Instant wall, Duration passed) {}

    /** @param at the time since the start on the monotonic clock */
    private record Task(Duration at, long order, Runnable action) {}

    private final Object lock = new Object();

    /** In the order of execution; guarded by lock. */
    private final TreeSet<Task> tasks =
            new TreeSet<>(Comparator.comparing(Task::at).thenComparingLong(Task::order));

    private long scheduled; // guarded by lock
    private boolean paused; // guarded by lock
    private volatile Now now; // written under lock
    private final InstantSource steady;
    private volatile DoubleSupplier draws;

    /** With the wall clock at {@link #START}. */
    public FakeTime() {
        this(START);
    }

    /** @param start the start of the wall clock */
    public FakeTime(Instant start) {
        this(start, () -> USUAL_DRAW);
    }

    /**
     * @param start the start of the wall clock
     * @param draws supplies the random draws, from 0 (inclusive) to 1 (exclusive); must be thread-safe if several
     *     threads draw
     */
    public FakeTime(Instant start, DoubleSupplier draws) {
        this.draws = requireNonNull(draws, "draws");
        now = new Now(requireNonNull(start, "start"), Duration.ZERO);
        steady = Time.super.steady();
    }

    /** The same for all callers. */
    @Override
    public InstantSource steady() {
        return steady;
    }

    @Override
    public Instant instant() {
        return now.wall();
    }

    @Override
    public long nanoTime() {
        Duration passed = now.passed();
        return FIRST_NANOS + passed.getSeconds() * NANOS_PER_SECOND + passed.getNano(); // may overflow
    }

    /** 0.5 by default. */
    @Override
    public double draw() {
        return draws.getAsDouble();
    }

    /** Sets the result of all further draws, from 0 (inclusive) to 1 (exclusive). */
    public void willDraw(double newDraw) {
        if (!(newDraw >= 0 && newDraw < 1)) { // written so that NaN fails too
            throw new IllegalArgumentException("a draw must be from 0 to below 1, got " + newDraw);
        }
        draws = () -> newDraw;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        requireNonNull(task, "task");
        synchronized (lock) {
            Task later = new Task(after(delay), scheduled++, task);
            tasks.add(later);
            lock.notifyAll();
            return () -> cancel(later);
        }
    }

    private void cancel(Task task) {
        synchronized (lock) {
            tasks.remove(task);
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Duration end = after(duration);
        do {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        } while (runNext(end));
        moveTo(end);
    }

    /** Advances time and runs due tasks, including tasks that these schedule. */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time cannot go back, got " + duration);
        }
        Duration end = after(duration);
        boolean more = true;
        while (more) {
            more = runNext(end);
        }
        moveTo(end);
    }

    /** Advances time until the wall clock shows the given time; no effect if it is already later. */
    public void advanceTo(Instant instant) {
        Duration left = Duration.between(instant(), instant);
        if (left.isPositive()) {
            advance(left);
        }
    }

    /** Runs the tasks that are due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Sets the wall clock forward or back; the monotonic clock is not affected. */
    public void jump(Duration by) {
        synchronized (lock) {
            now = new Now(now.wall().plus(by), now.passed());
        }
    }

    /** Lets time pass without running tasks, as in a process that gets no CPU time. */
    public void pause() {
        synchronized (lock) {
            paused = true;
        }
    }

    /** Ends a pause: tasks that became due in the meantime run when time is next advanced. */
    public void resume() {
        synchronized (lock) {
            paused = false;
        }
    }

    /** The number of tasks that have neither run nor been cancelled. */
    public int pending() {
        synchronized (lock) {
            return tasks.size();
        }
    }

    /** Blocks until this many tasks are pending, scheduled or awaited by other threads. */
    public void awaitPending(int count) throws InterruptedException {
        synchronized (lock) {
            while (tasks.size() < count) {
                lock.wait();
            }
        }
    }

    private boolean runNext(Duration end) {
        Task next;
        synchronized (lock) {
            if (paused || tasks.isEmpty() || tasks.first().at().compareTo(end) > 0) {
                return false;
            }
            next = tasks.removeFirst();
            moveTo(next.at());
        }
        next.action().run();
        return true;
    }

    /** No effect if a sleeping task or another thread has already moved time further. */
    private void moveTo(Duration moment) {
        synchronized (lock) {
            Duration left = moment.minus(now.passed());
            if (left.isPositive()) {
                now = new Now(now.wall().plus(left), moment);
            }
        }
    }

    private Duration after(Duration delay) {
        Duration passed = now.passed();
        Duration longest = FOREVER.minus(passed);
        return delay.isNegative() ? passed : passed.plus(delay.compareTo(longest) < 0 ? delay : longest);
    }
}

package dev.poolkeeper.fake;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;

/**
 * Time that stands still until a test moves it.
 *
 * <ul>
 *   <li>No task runs until time is advanced. Then those that come due run in the advancing thread, one after another,
 *       in the order of their times and, within one instant, in the order in which they were scheduled. Each sees the
 *       time that it was scheduled for.
 *   <li>A thread that sleeps advances time itself, up to the moment at which a task interrupts it.
 *   <li>{@link #await} blocks until the future completes or another thread, a server's for example, advances time to
 *       the limit.
 *   <li>Wall clock and monotonic clock start at unrelated values, so that mixing them up shows. The monotonic clock
 *       starts below zero.
 * </ul>
 *
 * <p>Thread-safe. The order of tasks is deterministic as long as one thread at a time advances.
 */
public final class FakeTime implements Time {

    /** What the wall clock shows at first, unless another instant is given. */
    public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private static final long FIRST_NANOS = -987_654_321_012L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final double USUAL_DRAW = 0.5;

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** @param passed since the start, by the monotonic clock */
    private record Now(Instant wall, Duration passed) {}

    /** @param at when, since the start, by the monotonic clock */
    private record Task(Duration at, long order, Runnable action) {}

    private final Object lock = new Object();

    /** In the order in which they will run; guarded by lock. */
    private final TreeSet<Task> tasks =
            new TreeSet<>(Comparator.comparing(Task::at).thenComparingLong(Task::order));

    private long scheduled; // guarded by lock
    private boolean paused; // guarded by lock
    private volatile Now now; // written under lock
    private volatile DoubleSupplier draws;

    /** With the wall clock at {@link #START}. */
    public FakeTime() {
        this(START);
    }

    /** @param start what the wall clock shows at first */
    public FakeTime(Instant start) {
        this(start, () -> USUAL_DRAW);
    }

    /**
     * @param start what the wall clock shows at first
     * @param draws gives the draws, from 0 (inclusive) to 1 (exclusive); thread-safe if threads are to draw at once
     */
    public FakeTime(Instant start, DoubleSupplier draws) {
        this.draws = requireNonNull(draws, "draws");
        now = new Now(requireNonNull(start, "start"), Duration.ZERO);
    }

    @Override
    public Instant instant() {
        return now.wall();
    }

    @Override
    public long nanoTime() {
        Duration passed = now.passed();
        return FIRST_NANOS + passed.getSeconds() * NANOS_PER_SECOND + passed.getNano(); // may wrap round
    }

    /** 0.5, unless the test says otherwise. */
    @Override
    public double draw() {
        return draws.getAsDouble();
    }

    /** Every draw from now on gives this, from 0 (inclusive) to 1 (exclusive). */
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

    /** Lets time pass and runs what comes due, also what that schedules in turn. */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time does not go back, got " + duration);
        }
        Duration end = after(duration);
        boolean more = true;
        while (more) {
            more = runNext(end);
        }
        moveTo(end);
    }

    /** Lets time pass until the wall clock shows an instant; without effect if it is later already. */
    public void advanceTo(Instant instant) {
        Duration left = Duration.between(instant(), instant);
        if (left.isPositive()) {
            advance(left);
        }
    }

    /** Runs what is due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Sets the wall clock forward or back; the monotonic clock does not notice. */
    public void jump(Duration by) {
        synchronized (lock) {
            now = new Now(now.wall().plus(by), now.passed());
        }
    }

    /** From now on time passes but no task runs, as in a process that the machine does not serve. */
    public void pause() {
        synchronized (lock) {
            paused = true;
        }
    }

    /** Ends a pause: what came due meanwhile runs when time is advanced next. */
    public void resume() {
        synchronized (lock) {
            paused = false;
        }
    }

    /** How many tasks have neither run nor been cancelled. */
    public int pending() {
        synchronized (lock) {
            return tasks.size();
        }
    }

    /** Blocks until that many tasks are pending, because other threads scheduled them or wait for them. */
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

    /** Without effect if a task that slept, or another thread, has moved time beyond. */
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

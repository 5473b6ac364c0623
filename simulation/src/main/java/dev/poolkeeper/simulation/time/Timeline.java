package dev.poolkeeper.simulation.time;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of a run, in nanoseconds since its start, and its pending events. A single thread runs an event, then every
 * virtual thread that becomes runnable because of it, then the next event. Events at the same instant run in the order
 * in which they were scheduled. Not thread-safe.
 */
public final class Timeline {

    /** Nanoseconds of a millisecond. */
    public static final long MILLIS = 1_000_000L;

    /** Nanoseconds of a second. */
    public static final long SECONDS = 1_000_000_000L;

    /** A scheduled event. */
    public static final class Event implements Comparable<Event> {
        private final long atNanos;
        private final long order;
        private final Runnable action;
        private boolean cancelled;

        private Event(long atNanos, long order, Runnable action) {
            this.atNanos = atNanos;
            this.order = order;
            this.action = action;
        }

        /** Cancels it; no effect if it has already run. */
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(order);
        }
    }

    /** The most events within a millisecond; more than that is a task that starts itself for ever. */
    private static final int MOST_AT_ONCE = 20_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final Thread owner = Thread.currentThread();
    private final Thread.Builder.OfVirtual threads = VirtualThreads.on(this::resume);
    private long now;
    private long order;
    private long happened;
    private long countedSince;
    private int counted;
    private volatile @Nullable IllegalStateException foreign;

    /** Nanoseconds since the start. */
    public long now() {
        return now;
    }

    /** The number of events that have run. */
    public long happened() {
        return happened;
    }

    public Event at(long nanos, Runnable action) {
        Event event = new Event(Math.max(now, nanos), order++, action);
        events.add(event);
        return event;
    }

    public Event after(long nanos, Runnable action) {
        return at(now + Math.max(0, nanos), action);
    }

    /** Runs a task that may block, starting after the current event. */
    Thread start(Runnable task) {
        return threads.start(task);
    }

    /** Continues a virtual thread when its turn comes. Called by the code that made it runnable. */
    void resume(Runnable continuation) {
        if (Thread.currentThread().equals(owner) || Thread.currentThread().isVirtual()) {
            ready.add(continuation);
        } else { // not thrown here: the thread belongs to the JDK and would not handle it
            foreign = new IllegalStateException(
                    "a thread of the simulation was woken by " + Thread.currentThread() + ", which knows no virtual"
                            + " time: it held a monitor across a blocking call, or waited by the real clock");
        }
    }

    /**
     * Lets time pass.
     *
     * @param untilNanos later events stay scheduled
     * @param afterEach called after each event; true stops the run
     */
    public void run(long untilNanos, BooleanSupplier afterEach) {
        settle(); // threads that were started before
        while (true) {
            Event next = events.peek();
            if (next == null || next.atNanos > untilNanos) {
                now = Math.max(now, untilNanos);
                return;
            }
            events.poll();
            if (next.cancelled) {
                continue;
            }
            now = next.atNanos;
            happened++;
            refuseStandstill();
            next.action.run();
            settle();
            refuseForeignThreads();
            if (afterEach.getAsBoolean()) {
                return;
            }
        }
    }

    private void refuseStandstill() {
        if (now - countedSince > MILLIS) {
            countedSince = now;
            counted = 0;
        }
        if (++counted > MOST_AT_ONCE) {
            throw new IllegalStateException("time stands still: a task starts itself again and again, without a wait");
        }
    }

    private void refuseForeignThreads() {
        IllegalStateException found = foreign;
        if (found != null) {
            throw found;
        }
    }

    /** Ends the run: threads of killed processes terminate. */
    public void end() {
        settle();
    }

    /** Lets every virtual thread run until all of them wait. */
    void settle() {
        for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
            next.run();
        }
    }
}

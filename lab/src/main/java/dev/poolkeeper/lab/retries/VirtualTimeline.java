package dev.poolkeeper.lab.retries;

import java.util.PriorityQueue;

/** Virtual time: it goes to where the next event is. Starts at 0. */
final class VirtualTimeline {

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long planned;

    long now() {
        return now;
    }

    void after(long nanos, Runnable action) {
        events.add(new Event(now + Math.max(0, nanos), planned++, action));
    }

    /** Lets everything happen up to a time, this included. */
    void runUntil(long end) {
        while (true) {
            Event next = events.peek();
            if (next == null || next.time() > end) {
                return;
            }
            events.remove();
            now = next.time();
            next.action().run();
        }
    }
}

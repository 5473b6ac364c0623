package dev.poolkeeper.lab.retries;

/** Something that happens at a time. Those of the same time happen in the order in which they were planned. */
record Event(long time, long sequence, Runnable action) implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
        int byTime = Long.compare(time, other.time);
        return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
}

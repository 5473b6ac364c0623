package dev.poolkeeper.simulation;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often, and in how many runs, each fault and each expected branch was reached. Not thread-safe. */
public final class Coverage {

    private final Map<String, Long> times = new TreeMap<>();
    private final Map<String, Long> runs = new TreeMap<>();

    void reached(String what) {
        reached(what, 1);
    }

    void reached(String what, long count) {
        times.merge(what, count, Long::sum);
    }

    /** The count of each. */
    public Map<String, Long> times() {
        return Collections.unmodifiableMap(times);
    }

    /** Adds the counts of another one; if that has no run counts, each of its keys counts as reached in one run. */
    public void add(Coverage other) {
        other.times.forEach((what, count) -> times.merge(what, count, Long::sum));
        if (other.runs.isEmpty()) {
            other.times.keySet().forEach(what -> runs.merge(what, 1L, Long::sum));
        } else {
            other.runs.forEach((what, count) -> runs.merge(what, count, Long::sum));
        }
    }

    /** The number of runs that reached it. */
    public long runs(String what) {
        return runs.getOrDefault(what, 0L);
    }
}

package dev.poolkeeper.simulation;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How often each fault and each branch of interest was reached, and in how many runs. Not thread-safe. */
public final class Coverage {

    private final Map<String, Long> times = new TreeMap<>();
    private final Map<String, Long> runs = new TreeMap<>();

    void reached(String what) {
        reached(what, 1);
    }

    void reached(String what, long count) {
        times.merge(what, count, Long::sum);
    }

    /** How often each was reached. */
    public Map<String, Long> times() {
        return Collections.unmodifiableMap(times);
    }

    /** Takes what another one counted; its keys count as a run each where it has no runs of its own. */
    public void add(Coverage other) {
        other.times.forEach((what, count) -> times.merge(what, count, Long::sum));
        if (other.runs.isEmpty()) {
            other.times.keySet().forEach(what -> runs.merge(what, 1L, Long::sum));
        } else {
            other.runs.forEach((what, count) -> runs.merge(what, count, Long::sum));
        }
    }

    /** In how many runs it was reached. */
    public long runs(String what) {
        return runs.getOrDefault(what, 0L);
    }
}

package dev.poolkeeper.core.retry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Events that each happened at an unknown time between two known ones. */
final class TimeSpans {

    private final List<long[]> spans = new ArrayList<>();
    private long[] starts = {};
    private long[] ends = {};

    static TimeSpans of(List<TimeSpans> parts) {
        TimeSpans all = new TimeSpans();
        parts.forEach(part -> all.spans.addAll(part.spans));
        all.starts = all.spans.stream().mapToLong(span -> span[0]).sorted().toArray();
        all.ends = all.spans.stream().mapToLong(span -> span[1]).sorted().toArray();
        return all;
    }

    void add(long start, long end) {
        spans.add(new long[] {start, end});
    }

    int size() {
        return spans.size();
    }

    /** Each as its start and its end. */
    List<long[]> all() {
        return spans;
    }

    /** The number of events that certainly happened after {@code from} and not after {@code to}. */
    long certainlyWithin(long from, long to) {
        return upTo(ends, to) - upTo(starts, from);
    }

    /** The number of events that may have. */
    long perhapsWithin(long from, long to) {
        return upTo(starts, to) - upTo(ends, from);
    }

    private static long upTo(long[] sorted, long time) {
        int found = Arrays.binarySearch(sorted, time);
        int at = found < 0 ? -found - 1 : found;
        while (at < sorted.length && sorted[at] == time) {
            at++;
        }
        return at;
    }
}

package dev.poolkeeper.fake.recording;

import dev.poolkeeper.input.FaultCollector;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads a recording event by event. */
final class EventReader implements Closeable {

    private final LineReader lines;
    private final FaultCollector faults;
    private final WatchEventReader reader;
    private long earliestMillis;

    EventReader(LineReader lines, FaultCollector faults) {
        this.lines = lines;
        this.faults = faults;
        this.reader = new WatchEventReader(faults);
    }

    /** The next event, or null after the last one. A line with faults counts as an event without a change. */
    @Nullable
    RecordedEvent next() throws IOException {
        try {
            if (!lines.next()) {
                return null;
            }
        } catch (LineReader.TooLong e) {
            faults.add("line " + lines.number(), "is longer than " + Recording.LONGEST_LINE + " bytes");
            return new RecordedEvent(earliestMillis, ClusterChange.NONE);
        }
        RecordedEvent event = reader.read(lines.bytes(), lines.length(), lines.number(), earliestMillis);
        earliestMillis = Math.max(earliestMillis, event.offsetMillis());
        return event;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}

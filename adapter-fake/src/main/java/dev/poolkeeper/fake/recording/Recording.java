package dev.poolkeeper.fake.recording;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.Encoding;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A recorded watch stream: JSON lines, one watch event each, as an API server sent it; plain or gzip. Read as a stream,
 * so a recording may have any size.
 */
public final class Recording {

    /** The maximum length of a line, in bytes. */
    public static final int LONGEST_LINE = 16 << 20;

    private final String name;
    private final Source source;

    /** Opens the recording's bytes again. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    /**
     * @param name its name in faults
     * @param source supplies the same bytes each time
     */
    public Recording(String name, Source source) {
        this.name = name;
        this.source = source;
    }

    /** @throws BadInputException if there is no such file */
    public static Recording of(Path file) throws BadInputException {
        JsonFile.requireRegularFile(file);
        return new Recording(file.toString(), () -> Files.newInputStream(file));
    }

    /** Opens the uncompressed content from the beginning; the caller must close it. */
    public InputStream bytes() throws IOException {
        return Compression.undone(source.open());
    }

    /**
     * Reads and checks the whole recording.
     *
     * @return its extent
     * @throws BadInputException with every fault of the file; a recording without events is a fault
     */
    public Extent check() throws BadInputException {
        FaultCollector faults = new FaultCollector(name);
        long events = 0;
        long lastOffset = 0;
        try (EventReader reader = open(faults)) {
            for (RecordedEvent event = reader.next(); event != null && !faults.isFull(); event = reader.next()) {
                events++;
                lastOffset = event.offsetMillis();
            }
        } catch (IOException e) {
            throw Compression.fault(name, e);
        }
        faults.throwIfAny();
        if (events == 0) {
            throw new BadInputException(
                    new InputFault(name, "", "contains no event, must contain one watch event per line"));
        }
        return new Extent(events, lastOffset);
    }

    /**
     * The extent of a recording.
     *
     * @param events the number of events
     * @param lastOffsetMillis the time of the last one
     */
    public record Extent(long events, long lastOffsetMillis) {}

    /** Opens it for reading; faults go to the collector. */
    EventReader open(FaultCollector faults) throws IOException, BadInputException {
        InputStream text = new BufferedInputStream(bytes());
        try {
            Encoding.peek(text).requireUtf8(name, "not JSON lines");
            return new EventReader(new LineReader(text, LONGEST_LINE), faults);
        } catch (IOException | BadInputException e) {
            text.close();
            throw e;
        }
    }

    /** Its name in faults. */
    @Override
    public String toString() {
        return name;
    }
}

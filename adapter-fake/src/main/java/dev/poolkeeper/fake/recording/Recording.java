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
 * so that a recording may be of any size.
 */
public final class Recording {

    /** The longest line that is read, in bytes. */
    public static final int LONGEST_LINE = 16 << 20;

    private final String name;
    private final Source source;

    /** Opens the recording's bytes again. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    /**
     * @param name what faults call it
     * @param source gives the same bytes each time
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

    /** Its lines' bytes from the beginning, uncompressed; the caller's to close. */
    public InputStream bytes() throws IOException {
        return Compression.undone(source.open());
    }

    /**
     * Reads it once from end to end.
     *
     * @return what is in it
     * @throws BadInputException with every fault of the file, among them that it holds no event
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
            throw new BadInputException(new InputFault(name, "", "holds no event, must hold one watch event a line"));
        }
        return new Extent(events, lastOffset);
    }

    /**
     * How much a recording holds.
     *
     * @param events the number of events
     * @param lastOffsetMillis when the last one came
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

    /** What faults call it. */
    @Override
    public String toString() {
        return name;
    }
}

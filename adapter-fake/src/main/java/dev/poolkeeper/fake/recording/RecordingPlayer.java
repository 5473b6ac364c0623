package dev.poolkeeper.fake.recording;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Merges several recordings, ordered by offset, then by the order of the recordings. */
public final class RecordingPlayer implements Closeable {

    private final PriorityQueue<Head> heads = new PriorityQueue<>(
            Comparator.comparingLong((Head head) -> head.event.offsetMillis()).thenComparingInt(head -> head.index));
    private final List<EventReader> readers = new ArrayList<>();
    private final List<FaultCollector> faults = new ArrayList<>();

    private record Head(RecordedEvent event, int index) {}

    /** @throws BadInputException if one cannot be read */
    public RecordingPlayer(List<Recording> recordings) throws BadInputException {
        for (Recording recording : recordings) {
            FaultCollector collector = new FaultCollector(recording.toString());
            faults.add(collector);
            try {
                readers.add(recording.open(collector));
                advance(readers.size() - 1);
            } catch (IOException e) {
                throw Compression.fault(recording.toString(), e);
            }
        }
    }

    /**
     * Takes the next event.
     *
     * @return null after the last one
     * @throws BadInputException if a recording changed since it was checked
     */
    public @Nullable RecordedEvent next() throws BadInputException {
        Head head = heads.poll();
        if (head == null) {
            return null;
        }
        try {
            advance(head.index);
        } catch (IOException e) {
            throw Compression.fault(faults.get(head.index).source(), e);
        }
        return head.event;
    }

    private void advance(int index) throws IOException, BadInputException {
        RecordedEvent event = readers.get(index).next();
        faults.get(index).throwIfAny();
        if (event != null) {
            heads.add(new Head(event, index));
        }
    }

    @Override
    public void close() throws IOException {
        for (EventReader reader : readers) {
            reader.close();
        }
    }
}

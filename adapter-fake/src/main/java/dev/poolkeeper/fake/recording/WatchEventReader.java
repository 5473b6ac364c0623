package dev.poolkeeper.fake.recording;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.JsonObject;
import java.io.CharConversionException;
import java.io.IOException;

/** Reads one line of a recording. Faults go to the collector; a line with faults becomes an event without a change. */
final class WatchEventReader {

    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build()
            .reader();

    private static final String EXPECTED =
            ", must be a watch event: {\"offsetMillis\": …, \"type\": …, \"object\": {…}}";

    private static final RecordedEvent NOTHING = new RecordedEvent(0, ClusterChange.NONE);

    private final FaultCollector faults;

    WatchEventReader(FaultCollector faults) {
        this.faults = faults;
    }

    /** Reads the event on a line, whose time must be at least {@code earliestMillis}. */
    RecordedEvent read(byte[] line, int length, long number, long earliestMillis) throws IOException {
        String place = "line " + number;
        JsonNode document;
        try {
            document = READER.readTree(line, 0, length);
        } catch (JsonProcessingException e) {
            faults.add(place, JsonFile.problemOf(e) + EXPECTED);
            return NOTHING;
        } catch (CharConversionException e) {
            faults.add(place, JsonFile.NOT_UTF_8 + EXPECTED);
            return NOTHING;
        }
        if (document instanceof ObjectNode event) {
            return read(JsonObject.of(event, place + ":", faults), earliestMillis);
        }
        faults.add(place, (document.isMissingNode() ? "is empty" : "found " + JsonObject.shown(document)) + EXPECTED);
        return NOTHING;
    }

    private static RecordedEvent read(JsonObject event, long earliestMillis) {
        long offset =
                event.requiredWholeNumber("offsetMillis", 0, Long.MAX_VALUE).orElse(earliestMillis);
        if (offset < earliestMillis) {
            event.fault(
                    "offsetMillis",
                    "found " + offset + ", must not be less than on the line before, " + earliestMillis);
        }
        String type = event.requiredString("type");
        if (!event.has("object")) {
            event.fault("object", "is missing, must be the object of the event");
            return NOTHING;
        }
        JsonObject object = event.object("object");
        return new RecordedEvent(
                offset,
                switch (type) {
                    case "ADDED", "MODIFIED" -> WatchedObject.change(object, false);
                    case "DELETED" -> WatchedObject.change(object, true);
                    case "BOOKMARK", "" -> ClusterChange.NONE;
                    default -> {
                        event.fault(
                                "type", "found \"" + type + "\", must be one of ADDED, MODIFIED, DELETED, BOOKMARK");
                        yield ClusterChange.NONE;
                    }
                });
    }
}

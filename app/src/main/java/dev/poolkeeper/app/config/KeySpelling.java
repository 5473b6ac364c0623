package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Brings keys into their own spelling: upper and lower case do not matter. One that nobody knows becomes a warning that
 * names the nearest, one that is set twice a fault.
 *
 * @param file stands in the warnings
 * @param faults where faults go
 * @param warnings where warnings go
 */
record KeySpelling(Path file, FaultCollector faults, List<String> warnings) {

    /**
     * The fields that are known, in their own spelling.
     *
     * @param place stands before a key in messages; empty or ends with a dot
     * @param known the keys
     * @param passedOver others that are no mistake
     */
    ObjectNode spelt(JsonNode object, String place, List<String> known, List<String> passedOver) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        Map<String, String> spellings = new HashMap<>();
        known.forEach(key -> spellings.put(key.toLowerCase(Locale.ROOT), key));
        passedOver.forEach(key -> spellings.put(key.toLowerCase(Locale.ROOT), key));
        object.properties().forEach(field -> {
            String key = spellings.get(field.getKey().toLowerCase(Locale.ROOT));
            if (key == null) {
                warnings.add(InputFault.line(file + ": " + place + field.getKey()
                        + ": nobody knows this key, the nearest is " + place + Nearest.to(field.getKey(), known)));
            } else if (fields.has(key)) {
                faults.add(place + field.getKey(), "is set twice, in different spellings");
            } else {
                fields.set(key, field.getValue());
            }
        });
        return fields;
    }
}

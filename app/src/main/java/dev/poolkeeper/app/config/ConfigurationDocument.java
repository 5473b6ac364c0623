package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The keys and values of a configuration file, the keys in the spelling of {@link Keys}.
 *
 * @param fields the keys that are set
 * @param warnings about unknown keys
 */
record ConfigurationDocument(ObjectNode fields, List<String> warnings) {

    private static final int LARGEST = 1 << 20;

    /** @param isUnread whether a field of the file is ignored, whatever its value */
    static ConfigurationDocument read(Path file, Predicate<String> isUnread, FaultCollector faults)
            throws BadInputException {
        JsonNode document = YamlFile.document(file, LARGEST);
        if (!document.isObject()) {
            faults.add("", "holds no keys and values, must be YAML or JSON such as updateModel: desired-state");
            faults.throwIfAny();
        }
        ((ObjectNode) document)
                .remove(document.propertyStream()
                        .map(Map.Entry::getKey)
                        .filter(isUnread)
                        .toList());
        Placeholders.refuse(document, "", faults);
        List<String> warnings = new ArrayList<>();
        ForeignPools.warn(document, file, warnings);
        ObjectNode fields = new KeySpelling(Keys.sections(), file, faults, warnings).spelt(document);
        return new ConfigurationDocument(fields, warnings);
    }
}

package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/**
 * The value of a key in the configuration file or the environment.
 *
 * @param value the value found; neither missing nor null
 * @param origin where it was found
 * @param file the configuration file; relative file names start from its folder
 * @param faults receives faults: the place in the value, empty for all of it, and the problem
 */
record Field(JsonNode value, String origin, Path file, BiConsumer<String, String> faults) {

    /** Adds a fault in the form "found …, must be …". */
    void mustBe(String allowed) {
        fault("found " + JsonObject.shown(value) + ", must be " + allowed);
    }

    void fault(String problem) {
        faultAt("", problem);
    }

    /** @param place where in the value, such as {@code [2].name} */
    void faultAt(String place, String problem) {
        faults.accept(place, problem);
    }
}

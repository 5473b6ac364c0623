package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * One column in the output of {@code kubectl get}.
 *
 * @param wide whether it is shown only with {@code -o wide}
 * @param cell its text for an object at a given time
 */
record Column(String name, boolean wide, BiFunction<JsonNode, Instant, String> cell) {

    /** Text that depends only on the object. */
    interface Text {
        String of(JsonNode object);
    }

    static Column of(String name, Text text) {
        return new Column(name, false, (object, now) -> text.of(object));
    }

    /** A column shown only with {@code -o wide}. */
    static Column wide(String name, Text text) {
        return new Column(name, true, (object, now) -> text.of(object));
    }

    /** The age of an object. */
    static Column age() {
        return ago(
                "Age",
                object -> object.path("metadata").path("creationTimestamp").asText(""));
    }

    /** The time since a timestamp of the object. */
    static Column ago(String name, Text timestamp) {
        return new Column(name, false, (object, now) -> HumanAge.since(timestamp.of(object), now));
    }

    static Column ofNames() {
        return of("Name", KubeJson::name);
    }
}

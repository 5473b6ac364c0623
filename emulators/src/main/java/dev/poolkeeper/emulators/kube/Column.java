package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * One column of what {@code kubectl get} prints.
 *
 * @param wide whether it is shown with {@code -o wide} only
 * @param cell its text for an object at an instant
 */
record Column(String name, boolean wide, BiFunction<JsonNode, Instant, String> cell) {

    /** What the text is, taken from the object alone. */
    interface Text {
        String of(JsonNode object);
    }

    static Column of(String name, Text text) {
        return new Column(name, false, (object, now) -> text.of(object));
    }

    /** With {@code -o wide} only. */
    static Column wide(String name, Text text) {
        return new Column(name, true, (object, now) -> text.of(object));
    }

    /** How old an object is. */
    static Column age() {
        return ago(
                "Age",
                object -> object.path("metadata").path("creationTimestamp").asText(""));
    }

    /** How long ago a time of the object was. */
    static Column ago(String name, Text timestamp) {
        return new Column(name, false, (object, now) -> HumanAge.since(timestamp.of(object), now));
    }

    static Column ofNames() {
        return of("Name", KubeJson::name);
    }
}

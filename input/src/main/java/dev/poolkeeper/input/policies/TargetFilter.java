package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Which manifests are read at all. The others are passed over, whatever else they hold: they are for another program.
 *
 * @param service the name of the Service, or of the ServiceImport, that is ours; empty for all
 */
record TargetFilter(Optional<String> service) {

    /** All manifests. */
    static final TargetFilter EVERYTHING = new TargetFilter(Optional.empty());

    static TargetFilter of(String service) {
        return new TargetFilter(Optional.of(service));
    }

    boolean takesAll() {
        return service.isEmpty();
    }

    boolean isOurs(String name) {
        return service.isEmpty() || service.get().equals(name);
    }

    boolean isOurs(BackendRef reference) {
        return reference.isBackend() && isOurs(reference.name());
    }

    /** Whether one of the references is ours, or it cannot be said because one has no name. */
    boolean mayNameOurs(JsonNode references) {
        return StreamSupport.stream(references.spliterator(), false)
                .map(reference -> reference.path("name"))
                .anyMatch(name -> !name.isTextual() || isOurs(name.textValue()));
    }

    /** What is ours, for notes. */
    String words() {
        return service.map(name -> "the Service " + name).orElse("a Service");
    }
}

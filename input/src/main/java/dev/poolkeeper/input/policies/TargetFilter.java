package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Selects the manifests to read. The others are skipped without checking, because they are for another program. @param
 * service the name of our Service or ServiceImport; empty for all
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

    /** Whether one of the references is ours, or may be because it has no name. */
    boolean mayNameOurs(JsonNode references) {
        return StreamSupport.stream(references.spliterator(), false)
                .map(reference -> reference.path("name"))
                .anyMatch(name -> !name.isTextual() || isOurs(name.textValue()));
    }

    /** A description of our target, for notes. */
    String words() {
        return service.map(name -> "the Service " + name).orElse("a Service");
    }
}

package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * Selects the manifests to read. The others are skipped without checking, because they are for another program.
 *
 * @param service the name of our Service or ServiceImport; empty for all
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

    /**
     * Whether one of the references is ours, or may be because it lacks a field or has a wrong one.
     *
     * @param usualKind the kind of a reference that has none; empty if it must have one, which is checked later
     */
    boolean mayNameOurs(JsonNode references, String usualKind) {
        return StreamSupport.stream(references.spliterator(), false)
                .anyMatch(reference -> mayBe(reference.path("name"), this::isOurs)
                        && mayBe(reference.path("group"), group -> !BackendRef.isForeign(group))
                        && (usualKind.isEmpty()
                                || BackendRef.KINDS.contains(
                                        reference.path("kind").asText(usualKind))));
    }

    private static boolean mayBe(JsonNode field, Predicate<String> isOurs) {
        return !field.isTextual() || isOurs.test(field.textValue());
    }

    /** A description of our target, for notes. */
    String words() {
        return service.map(name -> "the Service " + name).orElse("a Service");
    }
}

package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One change of the store, as a watch reports it.
 *
 * @param version the store's version after it
 * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
 * @param storage which objects it concerns
 * @param object the object after it, or as it last was; never changed
 * @param before the object before it; null where there was none
 */
record Change(
        long version,
        String type,
        String storage,
        ObjectNode object,
        @Nullable ObjectNode before) {

    /**
     * What it is for a watch that shows only some objects: one that begins to belong to them is added, one that ceases
     * to is deleted; empty if it is none of theirs.
     */
    Optional<String> typeFor(Predicate<? super ObjectNode> shown) {
        ObjectNode previous = before;
        boolean was = previous != null && shown.test(previous);
        boolean is = shown.test(object);
        if (type.equals("DELETED")) {
            return is || was ? Optional.of(type) : Optional.empty();
        }
        return is ? Optional.of(was ? "MODIFIED" : "ADDED") : was ? Optional.of("DELETED") : Optional.empty();
    }
}

package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One change in the store, as reported by a watch.
 *
 * @param version the store's version after it
 * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
 * @param storage the kind of its object
 * @param object the object after the change, or its last state if deleted; never modified
 * @param before the object before the change; null if there was none
 */
record Change(
        long version,
        String type,
        String storage,
        ObjectNode object,
        @Nullable ObjectNode before) {

    /**
     * The event type for a watch with a selector: an object that starts to match is added, one that stops matching is
     * deleted; empty if it does not match.
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

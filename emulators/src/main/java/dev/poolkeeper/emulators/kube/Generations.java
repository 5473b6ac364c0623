package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The generation of custom objects: it counts changes outside metadata and status. */
final class Generations {

    private Generations() {}

    static void created(KubeResource resource, ObjectNode object) {
        if (resource.isCustom()) {
            object.withObject("/metadata").put("generation", 1);
        }
    }

    static void replaced(KubeResource resource, @Nullable ObjectNode old, ObjectNode object) {
        if (resource.isCustom() && old != null) {
            int before = old.at("/metadata/generation").asInt();
            boolean isSame = desired(old).equals(desired(object));
            object.withObject("/metadata").put("generation", isSame ? before : before + 1);
        }
    }

    private static ObjectNode desired(ObjectNode object) {
        return object.deepCopy().without(List.of("metadata", "status"));
    }
}

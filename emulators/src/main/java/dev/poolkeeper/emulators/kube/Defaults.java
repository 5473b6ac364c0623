package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Fills in API server defaults, but only those without which {@code kubectl describe service} crashes. */
final class Defaults {

    private Defaults() {}

    /** Fills the defaults into an object that is not yet shared. */
    static ObjectNode filled(KubeResource resource, ObjectNode object) {
        JsonNode ports = resource.equals(KubeResource.SLICES)
                ? object.path("ports")
                : resource.equals(KubeResource.SERVICES) ? object.at("/spec/ports") : object.path("");
        for (JsonNode one : ports) {
            if (one instanceof ObjectNode port) {
                fill(resource, port);
            }
        }
        return object;
    }

    private static void fill(KubeResource resource, ObjectNode port) {
        if (!port.hasNonNull("protocol")) {
            port.put("protocol", "TCP");
        }
        if (resource.equals(KubeResource.SLICES) && !port.hasNonNull("name")) {
            port.put("name", "");
        }
        if (resource.equals(KubeResource.SERVICES) && !port.hasNonNull("targetPort") && port.has("port")) {
            port.set("targetPort", port.get("port"));
        }
    }
}

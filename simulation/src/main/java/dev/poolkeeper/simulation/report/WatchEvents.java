package dev.poolkeeper.simulation.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.simulation.cluster.KubernetesObjects;
import dev.poolkeeper.simulation.cluster.Sighting;

/** Encodes changes of the cluster as watch events of an API server: lines of a recording. */
final class WatchEvents {

    private WatchEvents() {}

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static String line(long offsetMillis, boolean first, Sighting change) {
        ObjectNode event = object();
        event.put("offsetMillis", offsetMillis);
        event.put("type", change.deleted() ? "DELETED" : first ? "ADDED" : "MODIFIED");
        event.set("object", KubernetesObjects.json(change));
        return event.toString();
    }
}

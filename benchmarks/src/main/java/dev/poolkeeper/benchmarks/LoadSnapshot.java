package dev.poolkeeper.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.load.LoadEvent;
import dev.poolkeeper.fake.load.RecordingWriter;
import dev.poolkeeper.ports.IpFamily;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A generated cluster at one moment: earlier events are omitted from the recording, whose first events create the
 * objects existing then, and the pools have their desired content of that moment. Not thread-safe.
 */
final class LoadSnapshot implements Consumer<LoadEvent> {

    private final Map<String, LoadEvent> objects = new LinkedHashMap<>();
    private @Nullable RecordingWriter writer;
    private long startsAt;

    @Override
    public void accept(LoadEvent event) {
        if (writer != null) {
            writer.accept(at(event, event.offsetMillis() - startsAt, event.type()));
            return;
        }
        startsAt = event.offsetMillis();
        String key = key(event);
        if (event.type() == LoadEvent.Type.DELETED) {
            objects.remove(key);
        } else {
            objects.put(key, event);
        }
    }

    /** Sets that moment to now: from now on events are written. */
    void endWith(RecordingWriter newWriter) {
        objects.values().forEach(event -> newWriter.accept(at(event, 0, LoadEvent.Type.ADDED)));
        writer = newWriter;
    }

    private static String key(LoadEvent event) {
        return switch (event) {
            case LoadEvent.OfService service -> "Service " + service.state().name();
            case LoadEvent.OfSlice slice ->
                "EndpointSlice " + slice.state().namespace() + "/"
                        + slice.state().name();
            case LoadEvent.OfNode node -> "Node " + node.state().name();
        };
    }

    private static LoadEvent at(LoadEvent event, long offsetMillis, LoadEvent.Type type) {
        return switch (event) {
            case LoadEvent.OfService service -> new LoadEvent.OfService(offsetMillis, type, service.state());
            case LoadEvent.OfSlice slice -> new LoadEvent.OfSlice(offsetMillis, type, slice.state());
            case LoadEvent.OfNode node -> new LoadEvent.OfNode(offsetMillis, type, node.state(), node.zone());
        };
    }

    /** Sets each pool of an inventory to its desired content of that moment. */
    void fill(JsonNode inventory) {
        Map<String, TreeSet<String>> wanted = wantedByPool();
        for (JsonNode loadBalancer : inventory.get("value")) {
            for (JsonNode pool : loadBalancer.at("/properties/backendAddressPools")) {
                ArrayNode entries = (ArrayNode) pool.at("/properties/loadBalancerBackendAddresses");
                for (String address : wanted.getOrDefault(pool.get("name").asText(), new TreeSet<>())) {
                    ObjectNode entry = entries.addObject().put("name", address);
                    entry.putObject("properties").put("ipAddress", address);
                }
            }
        }
    }

    private Map<String, TreeSet<String>> wantedByPool() {
        Map<String, List<String>> addresses = new HashMap<>();
        Map<String, TreeSet<String>> wanted = new HashMap<>();
        objects.values().forEach(event -> {
            if (event instanceof LoadEvent.OfNode node) {
                addresses.put(node.state().name(), node.state().internalIps());
            }
        });
        objects.values().forEach(event -> {
            if (event instanceof LoadEvent.OfSlice slice) {
                String pool = IpFamily.IPV4
                        .poolName(Objects.requireNonNull(slice.state().service()))
                        .toString();
                TreeSet<String> its = wanted.computeIfAbsent(pool, name -> new TreeSet<>());
                slice.state().nodeNames().forEach(node -> its.addAll(addresses.getOrDefault(node, List.of())));
            }
        });
        return wanted;
    }
}

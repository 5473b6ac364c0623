package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Lists, complete or in pages. All pages of a list come from one snapshot; after a compaction the next page gets a 410.
 */
final class ListRequests {

    private record Rest(long version, List<ObjectNode> objects) {}

    private final ObjectStore store;
    private final Map<String, Rest> tokens = new ConcurrentHashMap<>();
    private final AtomicLong nextToken = new AtomicLong();

    ListRequests(ObjectStore store) {
        this.store = store;
    }

    ObjectNode list(KubePath path, Map<String, String> query) throws ApiException {
        Rest rest = start(path, query);
        int limit = Integer.parseInt(query.getOrDefault("limit", "0"));
        int size = limit > 0 ? Math.min(limit, rest.objects.size()) : rest.objects.size();
        KubeResource resource = path.resource();
        ObjectNode list =
                KubeJson.object().put("kind", resource.kind() + "List").put("apiVersion", resource.apiVersion());
        ObjectNode metadata = list.putObject("metadata").put("resourceVersion", Long.toString(rest.version));
        if (size < rest.objects.size()) {
            String token = "page-" + nextToken.incrementAndGet();
            List<ObjectNode> after = rest.objects.subList(size, rest.objects.size());
            tokens.put(token, new Rest(rest.version, after));
            metadata.put("continue", token).put("remainingItemCount", after.size());
        }
        ArrayNode items = list.putArray("items");
        rest.objects.subList(0, size).forEach(object -> items.add(EventVersions.shown(resource, object)));
        return list;
    }

    private Rest start(KubePath path, Map<String, String> query) throws ApiException {
        String token = query.getOrDefault("continue", "");
        if (token.isEmpty()) {
            ObjectStore.Snapshot snapshot = store.list(path.resource().storage());
            Predicate<JsonNode> selector = Selector.of(path, query);
            return new Rest(
                    snapshot.version(),
                    snapshot.objects().stream()
                            .filter(object -> selector.test(EventVersions.shown(path.resource(), object)))
                            .toList());
        }
        Rest rest = tokens.remove(token);
        if (rest == null || store.isCompacted(rest.version)) {
            throw ApiException.expired("The provided continue parameter is too old");
        }
        return rest;
    }
}

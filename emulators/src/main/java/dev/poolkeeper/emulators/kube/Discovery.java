package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an API server says of itself: its version, its health, its groups and their resources. */
final class Discovery {

    private static final List<String> VERBS = List.of("create", "delete", "get", "list", "patch", "update", "watch");

    private static final Map<String, String> SHORT_NAMES =
            Map.of("services", "svc", "pods", "po", "nodes", "no", "namespaces", "ns", "events", "ev");

    private Discovery() {}

    /** Whether a path asks for the server's health, which anybody may. */
    static boolean isHealth(String path) {
        return Set.of("/healthz", "/livez", "/readyz").contains(path);
    }

    static Optional<ObjectNode> answer(String path) {
        return switch (path) {
            case "/version" ->
                Optional.of(KubeJson.object()
                        .put("major", "1")
                        .put("minor", "34")
                        .put("gitVersion", "v1.34.0+poolkeeper-emulator")
                        .put("platform", "linux/amd64"));
            case "/api" -> {
                ObjectNode versions = KubeJson.object().put("kind", "APIVersions");
                versions.putArray("versions").add("v1");
                yield Optional.of(versions);
            }
            case "/apis" -> Optional.of(groups());
            case "/api/v1" -> Optional.of(resources("", "v1"));
            default -> {
                String[] parts = path.split("/");
                yield parts.length == 4 && parts[1].equals("apis")
                        ? Optional.of(resources(parts[2], parts[3]))
                                .filter(list -> !list.path("resources").isEmpty())
                        : OpenApi.answer(path);
            }
        };
    }

    private static ObjectNode groups() {
        ObjectNode list = KubeJson.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        KubeResource.all().stream()
                .filter(resource -> !resource.group().isEmpty())
                .forEach(resource -> {
                    ObjectNode group = groups.addObject().put("name", resource.group());
                    ObjectNode version = KubeJson.object()
                            .put("groupVersion", resource.apiVersion())
                            .put("version", resource.version());
                    group.putArray("versions").add(version);
                    group.set("preferredVersion", version);
                });
        return list;
    }

    private static ObjectNode resources(String group, String version) {
        ObjectNode list = KubeJson.object()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (KubeResource resource : KubeResource.all()) {
            if (resource.group().equals(group) && resource.version().equals(version)) {
                describe(resources.addObject(), resource);
            }
        }
        return list;
    }

    private static void describe(ObjectNode described, KubeResource resource) {
        described
                .put("name", resource.plural())
                .put("singularName", resource.kind().toLowerCase(Locale.ROOT))
                .put("namespaced", resource.namespaced())
                .put("kind", resource.kind());
        String shortName = SHORT_NAMES.get(resource.plural());
        if (shortName != null) {
            described.putArray("shortNames").add(shortName);
        }
        if (resource.equals(KubeResource.SERVICES)) {
            described.putArray("categories").add("all");
        }
        ArrayNode verbs = described.putArray("verbs");
        (resource.isReview() ? List.of("create") : VERBS).forEach(verbs::add);
    }
}

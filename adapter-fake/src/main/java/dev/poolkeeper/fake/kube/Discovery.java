package dev.poolkeeper.fake.kube;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** What an API server says of itself: its version, its groups and their resources. */
final class Discovery {

    private static final List<String> VERBS = List.of("create", "delete", "get", "list", "patch", "update", "watch");

    private Discovery() {}

    static Optional<ObjectNode> answer(String path) {
        return switch (path) {
            case "/version" ->
                Optional.of(Json.object()
                        .put("major", "1")
                        .put("minor", "34")
                        .put("gitVersion", "v1.34.0+poolkeeper-emulator")
                        .put("platform", "linux/amd64"));
            case "/api" -> {
                ObjectNode versions = Json.object().put("kind", "APIVersions");
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
                        : Optional.empty();
            }
        };
    }

    private static ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        KubeResource.ALL.stream()
                .filter(resource -> !resource.group().isEmpty())
                .forEach(resource -> {
                    ObjectNode group = groups.addObject().put("name", resource.group());
                    ObjectNode version = Json.object()
                            .put("groupVersion", resource.apiVersion())
                            .put("version", resource.version());
                    group.putArray("versions").add(version);
                    group.set("preferredVersion", version);
                });
        return list;
    }

    private static ObjectNode resources(String group, String version) {
        ObjectNode list = Json.object()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (KubeResource resource : KubeResource.ALL) {
            if (resource.group().equals(group) && resource.version().equals(version)) {
                ArrayNode verbs = resources
                        .addObject()
                        .put("name", resource.plural())
                        .put("singularName", resource.kind().toLowerCase(java.util.Locale.ROOT))
                        .put("namespaced", resource.namespaced())
                        .put("kind", resource.kind())
                        .putArray("verbs");
                VERBS.forEach(verbs::add);
            }
        }
        return list;
    }
}

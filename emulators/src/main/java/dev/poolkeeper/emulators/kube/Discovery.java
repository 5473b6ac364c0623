package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The discovery endpoints of an API server: its version, health, groups and resources. */
final class Discovery {

    private static final List<String> VERBS = List.of("create", "delete", "get", "list", "patch", "update", "watch");

    private static final Map<String, String> SHORT_NAMES =
            Map.of("services", "svc", "pods", "po", "nodes", "no", "namespaces", "ns", "events", "ev");

    private Discovery() {}

    /** Whether a path is a health endpoint, which needs no authentication. */
    static boolean isHealth(String path) {
        return Set.of("/healthz", "/livez", "/readyz").contains(path);
    }

    static Optional<ObjectNode> answer(String path, Resources served) {
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
            case "/apis" -> Optional.of(groups(served));
            case "/api/v1" -> Optional.of(resources("", "v1", served));
            default -> {
                String[] parts = path.split("/");
                if (parts.length == 3 && parts[1].equals("apis")) {
                    yield group(parts[2], served);
                }
                yield parts.length == 4 && parts[1].equals("apis")
                        ? Optional.of(resources(parts[2], parts[3], served))
                                .filter(list -> !list.path("resources").isEmpty())
                        : OpenApi.answer(path, served);
            }
        };
    }

    private static ObjectNode groups(Resources served) {
        ObjectNode list = KubeJson.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        served.all().stream().filter(resource -> !resource.group().isEmpty()).forEach(resource -> {
            ObjectNode group = groups.addObject();
            group.setAll(group(resource));
        });
        return list;
    }

    private static ObjectNode group(KubeResource resource) {
        ObjectNode group = KubeJson.object().put("name", resource.group());
        ObjectNode version =
                KubeJson.object().put("groupVersion", resource.apiVersion()).put("version", resource.version());
        group.putArray("versions").add(version);
        group.set("preferredVersion", version);
        return group;
    }

    /** One group by its name; every group here has one version. */
    private static Optional<ObjectNode> group(String name, Resources served) {
        return served.all().stream()
                .filter(resource -> resource.group().equals(name))
                .findFirst()
                .map(resource -> group(resource).put("kind", "APIGroup").put("apiVersion", "v1"));
    }

    private static ObjectNode resources(String group, String version, Resources served) {
        ObjectNode list = KubeJson.object()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (KubeResource resource : served.all()) {
            if (resource.group().equals(group) && resource.version().equals(version)) {
                describe(resources.addObject(), resource);
                if (resource.isCustom() && resource.hasStatus()) {
                    describeStatus(resources.addObject(), resource);
                }
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

    private static void describeStatus(ObjectNode described, KubeResource resource) {
        described
                .put("name", resource.plural() + "/status")
                .put("singularName", "")
                .put("namespaced", resource.namespaced())
                .put("kind", resource.kind());
        described.putArray("verbs").add("get").add("patch").add("update");
    }
}

package dev.poolkeeper.k8s.policies;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/** Finds the version in which an API server serves a kind. */
final class KindDiscovery {

    private final KubernetesClient client;
    private final PolicyKind kind;

    KindDiscovery(KubernetesClient client, PolicyKind kind) {
        this.client = client;
        this.kind = kind;
    }

    /**
     * The result of a discovery.
     *
     * @param version the preferred version among those we can read; empty if there is none
     * @param why the reason why there is none; empty if there is one
     */
    record Served(Optional<String> version, String why) {}

    /** Blocks; throws Fabric8's exceptions on trouble with the API server. */
    Served ask() {
        APIGroup group = client.getApiGroup(kind.group());
        if (group == null) {
            return new Served(Optional.empty(), "the API server does not serve it");
        }
        List<String> served = group.getVersions().stream()
                .map(GroupVersionForDiscovery::getVersion)
                .filter(this::isServedIn)
                .toList();
        Optional<String> version =
                kind.versions().stream().filter(served::contains).findFirst();
        String why = served.isEmpty()
                ? "the API server does not serve it"
                : "the API server serves it as " + String.join(", ", served) + " only, but one of these is needed: "
                        + String.join(", ", kind.versions());
        return new Served(version, version.isPresent() ? "" : why);
    }

    private boolean isServedIn(String version) {
        APIResourceList resources = client.getApiResources(kind.apiVersion(version));
        return resources != null
                && resources.getResources().stream()
                        .anyMatch(resource -> resource.getName().equals(kind.plural()));
    }
}

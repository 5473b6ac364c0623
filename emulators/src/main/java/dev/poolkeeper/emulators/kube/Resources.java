package dev.poolkeeper.emulators.kube;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The kinds that an API server serves now. Thread-safe. */
final class Resources {

    private final List<KubeResource> kept = new CopyOnWriteArrayList<>(KubeResource.KEPT);
    private final List<KubeResource> all = new CopyOnWriteArrayList<>(KubeResource.BUILT_IN);

    void add(KubeResource resource) {
        if (!all.contains(resource)) {
            kept.add(resource);
            all.add(resource);
        }
    }

    void remove(KubeResource resource) {
        kept.remove(resource);
        all.remove(resource);
    }

    /** The stored kinds, which can be listed and watched. */
    List<KubeResource> kept() {
        return kept;
    }

    List<KubeResource> all() {
        return all;
    }

    Optional<KubeResource> named(String group, String version, String plural) {
        return all().stream()
                .filter(r -> r.group().equals(group)
                        && r.version().equals(version)
                        && r.plural().equals(plural))
                .findFirst();
    }

    /** The stored resource with this API version and kind. */
    Optional<KubeResource> ofKind(String apiVersion, String kind) {
        return kept().stream()
                .filter(r -> r.apiVersion().equals(apiVersion) && r.kind().equals(kind))
                .findFirst();
    }
}

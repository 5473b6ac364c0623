package dev.poolkeeper.emulators.kube;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The kinds that an API server serves now. Thread-safe. */
final class Resources {

    private final List<KubeResource> custom = new CopyOnWriteArrayList<>();

    void add(KubeResource resource) {
        if (!custom.contains(resource)) {
            custom.add(resource);
        }
    }

    void remove(KubeResource resource) {
        custom.remove(resource);
    }

    /** The stored kinds, which can be listed and watched. */
    List<KubeResource> kept() {
        return Stream.concat(KubeResource.KEPT.stream(), custom.stream()).toList();
    }

    List<KubeResource> all() {
        return Stream.concat(KubeResource.BUILT_IN.stream(), custom.stream()).toList();
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

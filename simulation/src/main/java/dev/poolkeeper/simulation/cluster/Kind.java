package dev.poolkeeper.simulation.cluster;

import java.util.Optional;

/** The watched kinds. */
public enum Kind {
    NODE("/api/v1/nodes"),
    SERVICE("/api/v1/services"),
    SLICE("/apis/discovery.k8s.io/v1/endpointslices");

    private final String path;

    Kind(String path) {
        this.path = path;
    }

    /** The kind that is listed and watched at this path. */
    public static Optional<Kind> at(String path) {
        for (Kind kind : values()) {
            if (kind.path.equals(path)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** The path of an object. */
    String pathOf(String key) {
        int slash = key.indexOf('/');
        if (slash < 0) {
            return path + "/" + key;
        }
        int last = path.lastIndexOf('/');
        return path.substring(0, last) + "/namespaces/" + key.substring(0, slash) + path.substring(last)
                + key.substring(slash);
    }
}

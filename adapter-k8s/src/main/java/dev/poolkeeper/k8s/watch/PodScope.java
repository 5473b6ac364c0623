package dev.poolkeeper.k8s.watch;

import java.util.List;

/**
 * Where Pods are watched; only Pods that opted in to the readiness gate.
 *
 * @param namespaces the namespaces; empty for all
 */
public record PodScope(List<String> namespaces) {

    /** In place of a namespace. */
    static final String ALL = "";

    public PodScope {
        namespaces = List.copyOf(namespaces);
    }

    /** The namespaces to watch, or {@link #ALL}. */
    List<String> watched() {
        return namespaces.isEmpty() ? List.of(ALL) : namespaces;
    }

    boolean covers(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }
}

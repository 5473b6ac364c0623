package dev.poolkeeper.k8s.watch;

import java.util.List;

/**
 * Where Pods are watched; only Pods that opted in to the readiness gate.
 *
 * @param namespaces the namespaces; empty for all
 */
public record PodScope(List<String> namespaces) {

    public PodScope {
        namespaces = List.copyOf(namespaces);
    }

    boolean covers(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }
}

package dev.poolkeeper.emulators.kube;

import java.util.List;
import java.util.Optional;

/**
 * The resource in a request's path.
 *
 * @param resource the kind
 * @param namespace the namespace, empty for all or none
 * @param name the object's name, empty for the collection
 * @param subresource such as {@code status}, empty for the object itself
 */
record KubePath(KubeResource resource, String namespace, String name, String subresource) {

    /** Parses {@code /api/v1/…} and {@code /apis/GROUP/VERSION/…}; empty if the emulator does not serve it. */
    static Optional<KubePath> parse(String path, Resources resources) {
        List<String> parts = List.of(path.substring(1).split("/"));
        boolean core = parts.get(0).equals("api");
        int prefix = core ? 2 : 3;
        if (!core && !parts.get(0).equals("apis") || parts.size() <= prefix) {
            return Optional.empty();
        }
        String group = core ? "" : parts.get(1);
        String version = parts.get(prefix - 1);
        List<String> rest = parts.subList(prefix, parts.size());
        String namespace = "";
        if (rest.get(0).equals("namespaces") && rest.size() > 2 && !rest.get(2).equals("status")) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 ? rest.get(2) : "";
        String in = namespace;
        return resources
                .named(group, version, rest.get(0))
                .map(resource -> new KubePath(resource, in, name, subresource));
    }
}

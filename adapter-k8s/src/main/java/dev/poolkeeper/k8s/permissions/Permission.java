package dev.poolkeeper.k8s.permissions;

/**
 * A permission as RBAC grants it.
 *
 * @param group the API group, empty for the core group
 * @param resource the resource's plural, with its subresource after a slash where needed, as in RBAC rules
 * @param verb such as {@code list}
 * @param namespace the namespace; empty for all namespaces and for cluster-scoped resources
 * @param name the one object that it applies to; empty for any. With {@code create} it names the object that is created
 *     if missing: RBAC cannot restrict that verb to a name
 */
public record Permission(String group, String resource, String verb, String namespace, String name) {

    /** For all objects in all namespaces. */
    static Permission everywhere(String group, String resource, String verb) {
        return new Permission(group, resource, verb, "", "");
    }

    boolean isCreate() {
        return verb.equals("create");
    }

    /** Readable form, such as {@code update leases.coordination.k8s.io "leader" in namespace "poolkeeper"}. */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group)
                + (name.isEmpty() || isCreate() ? "" : " \"" + name + "\"")
                + (namespace.isEmpty() ? " in all namespaces" : " in namespace \"" + namespace + "\"");
    }
}

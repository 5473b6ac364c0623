package dev.poolkeeper.k8s.permissions;

/**
 * Something that RBAC allows or does not.
 *
 * @param group the API group, empty for the core group
 * @param resource the resource's plural, and behind a slash its subresource if that is meant, as rules have it
 * @param verb such as {@code list}
 * @param namespace where; empty for all namespaces, and for what lives in none
 * @param name the one object that it is about; empty for any. With {@code create} it says which object is created where
 *     it is missing: RBAC cannot restrict that verb to a name
 */
public record Permission(String group, String resource, String verb, String namespace, String name) {

    /** For all objects of all namespaces. */
    static Permission everywhere(String group, String resource, String verb) {
        return new Permission(group, resource, verb, "", "");
    }

    boolean isCreate() {
        return verb.equals("create");
    }

    /**
     * As a person would say it, such as {@code update leases.coordination.k8s.io "leader" in namespace "poolkeeper"}.
     */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group)
                + (name.isEmpty() || isCreate() ? "" : " \"" + name + "\"")
                + (namespace.isEmpty() ? " in all namespaces" : " in namespace \"" + namespace + "\"");
    }
}

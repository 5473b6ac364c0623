package dev.poolkeeper.emulators.kube;

/**
 * A request to the emulator, in RBAC terms.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch}, {@code delete}
 * @param group the API group, empty for the core group
 * @param resource the resource's plural
 * @param subresource such as {@code status}, empty for none
 * @param namespace the namespace, empty for none or all
 * @param name the object's name; empty if the path has none
 * @param user the user of the bearer token
 */
public record RecordedRequest(
        String verb, String group, String resource, String subresource, String namespace, String name, String user) {

    /** The user of every client if there is no authentication. */
    public static final String UNSECURED = "system:unsecured";

    /** A request by {@link #UNSECURED}. */
    public RecordedRequest(
            String verb, String group, String resource, String subresource, String namespace, String name) {
        this(verb, group, resource, subresource, namespace, name, UNSECURED);
    }

    static RecordedRequest of(String verb, KubePath path, String user) {
        return new RecordedRequest(
                verb,
                path.resource().group(),
                path.resource().plural(),
                path.subresource(),
                path.namespace(),
                path.name(),
                user);
    }

    /** The API server's message for a request that RBAC does not allow. */
    String forbidden() {
        return "%s%s is forbidden: User \"%s\" cannot %s resource \"%s%s\" in API group \"%s\" %s"
                .formatted(
                        resource,
                        name.isEmpty() ? "" : " \"" + name + "\"",
                        user,
                        verb,
                        resource,
                        subresource.isEmpty() ? "" : "/" + subresource,
                        group,
                        namespace.isEmpty() ? "at the cluster scope" : "in the namespace \"" + namespace + "\"");
    }
}

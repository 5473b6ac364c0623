package dev.poolkeeper.fake.kube;

/**
 * A request that the emulator was asked to serve, in the words of RBAC.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch}, {@code delete}
 * @param group the API group, empty for the core group
 * @param resource the resource's plural
 * @param subresource such as {@code status}, empty for none
 * @param namespace the namespace, empty for none or all
 * @param name the object's name, empty where the path has none
 */
public record RecordedRequest(
        String verb, String group, String resource, String subresource, String namespace, String name) {

    static RecordedRequest of(String verb, KubePath path) {
        return new RecordedRequest(
                verb,
                path.resource().group(),
                path.resource().plural(),
                path.subresource(),
                path.namespace(),
                path.name());
    }
}

package dev.poolkeeper.k8s.policies;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Arrays;
import java.util.List;

/** A kind of object that configures retries. A cluster may lack any of them. */
public enum PolicyKind {
    TRAFFIC_POLICY(
            "XBackendTrafficPolicy",
            "gateway.networking.x-k8s.io",
            "v1alpha1",
            "xbackendtrafficpolicies",
            "ancestors",
            16),
    ROUTE("HTTPRoute", "gateway.networking.k8s.io", "v1 v1beta1", "httproutes", "parents", 32),
    PROFILE("ServiceProfile", "linkerd.io", "v1alpha2 v1alpha1", "serviceprofiles", "", 0);

    private final String kind;
    private final String group;
    private final String versions;
    private final String plural;
    private final String statusList;
    private final int mostEntries;

    /**
     * @param versions the versions that we can read, separated by spaces, the preferred one first
     * @param statusList the list in its status to which each controller adds its own entries; empty if it has no status
     * @param mostEntries the limit of that list in the CRD
     */
    PolicyKind(String kind, String group, String versions, String plural, String statusList, int mostEntries) {
        this.kind = kind;
        this.group = group;
        this.versions = versions;
        this.plural = plural;
        this.statusList = statusList;
        this.mostEntries = mostEntries;
    }

    /** As in an object's {@code kind}. */
    public String kind() {
        return kind;
    }

    public String group() {
        return group;
    }

    /** The plural, as in paths. */
    public String plural() {
        return plural;
    }

    /** The versions that we can read, the preferred one first. */
    List<String> versions() {
        return Arrays.asList(versions.split(" "));
    }

    String statusList() {
        return statusList;
    }

    int mostEntries() {
        return mostEntries;
    }

    /** The field of an entry that holds its reference: {@code parentRef} in {@code parents}. */
    String reference() {
        return statusList.substring(0, statusList.length() - 1) + "Ref";
    }

    boolean hasStatus() {
        return !statusList.isEmpty();
    }

    String apiVersion(String version) {
        return group + "/" + version;
    }

    /** The path of its objects in a namespace, relative to the API server's address. */
    String path(String version, String namespace) {
        return "apis/%s/%s/namespaces/%s/%s".formatted(group, version, namespace, plural);
    }

    ResourceDefinitionContext context(String version) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }
}

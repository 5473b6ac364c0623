package dev.poolkeeper.emulators.kube;

/**
 * A kind that an API server serves once a CustomResourceDefinition for it was created. Its schema is not checked.
 *
 * @param group its API group
 * @param version the group's version
 * @param plural its name in paths
 * @param kind its name in objects
 * @param hasStatus whether it has the subresource {@code status}
 */
public record CustomKind(String group, String version, String plural, String kind, boolean hasStatus) {

    /** The Gateway API's XBackendTrafficPolicy, from its experimental channel. */
    public static final CustomKind X_BACKEND_TRAFFIC_POLICY = new CustomKind(
            "gateway.networking.x-k8s.io", "v1alpha1", "xbackendtrafficpolicies", "XBackendTrafficPolicy", true);

    /** The Gateway API's HTTPRoute. */
    public static final CustomKind HTTP_ROUTE =
            new CustomKind("gateway.networking.k8s.io", "v1", "httproutes", "HTTPRoute", true);

    /** Linkerd's ServiceProfile. */
    public static final CustomKind SERVICE_PROFILE =
            new CustomKind("linkerd.io", "v1alpha2", "serviceprofiles", "ServiceProfile", false);

    KubeResource resource() {
        return new KubeResource(group, version, plural, kind, true, hasStatus, plural + "." + group);
    }
}

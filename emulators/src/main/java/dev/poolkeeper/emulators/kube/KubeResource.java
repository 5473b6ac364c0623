package dev.poolkeeper.emulators.kube;

import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of object that the emulator serves.
 *
 * @param group its API group, empty for the core group
 * @param version the group's version
 * @param plural its name in paths
 * @param kind its name in objects
 * @param namespaced whether its objects live in namespaces
 * @param hasStatus whether it has the subresource {@code status}
 * @param storage the name under which its objects are stored; the two forms of Events share one; empty if objects are
 *     not stored
 */
record KubeResource(
        String group,
        String version,
        String plural,
        String kind,
        boolean namespaced,
        boolean hasStatus,
        String storage) {

    static final KubeResource NAMESPACES = core("namespaces", "Namespace", false, true);
    static final KubeResource NODES = core("nodes", "Node", false, true);
    static final KubeResource PODS = core("pods", "Pod", true, true);
    static final KubeResource SERVICES = core("services", "Service", true, true);
    static final KubeResource CORE_EVENTS = core("events", "Event", true, false);
    static final KubeResource EVENTS =
            new KubeResource("events.k8s.io", "v1", "events", "Event", true, false, "events");
    static final KubeResource LEASES =
            new KubeResource("coordination.k8s.io", "v1", "leases", "Lease", true, false, "leases");
    static final KubeResource SLICES =
            new KubeResource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true, false, "slices");

    /** The stored kinds, which can be listed and watched. */
    static final List<KubeResource> KEPT =
            List.of(NAMESPACES, NODES, PODS, SERVICES, CORE_EVENTS, EVENTS, LEASES, SLICES);

    static final KubeResource ACCESS_REVIEWS =
            review("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview");
    static final KubeResource USER_REVIEWS = review("authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview");

    /** Those that every API server has. */
    static final List<KubeResource> BUILT_IN = Stream.concat(KEPT.stream(), Stream.of(ACCESS_REVIEWS, USER_REVIEWS))
            .toList();

    private static KubeResource core(String plural, String kind, boolean namespaced, boolean hasStatus) {
        return new KubeResource("", "v1", plural, kind, namespaced, hasStatus, plural);
    }

    private static KubeResource review(String group, String plural, String kind) {
        return new KubeResource(group, "v1", plural, kind, false, false, "");
    }

    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Whether it is a review, which is created but not stored. */
    boolean isReview() {
        return storage.isEmpty();
    }

    /** Whether it is defined by a CustomResourceDefinition. */
    boolean isCustom() {
        return storage.contains(".");
    }
}

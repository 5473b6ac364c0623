package dev.poolkeeper.input.policies;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * What a manifest refers to.
 *
 * @param group empty for the core group
 * @param kind as in {@code Service}
 * @param namespace that of the manifest where it says none
 * @param name its own
 * @param weight its share of the requests; 0 for none
 */
public record BackendRef(String group, String kind, String namespace, String name, int weight) {

    private static final String SERVICE = "Service";
    private static final String MULTICLUSTER = "multicluster.x-k8s.io";
    private static final int MOST_WEIGHT = 1_000_000;
    private static final int LAST_PORT = 65_535;

    /** Objects of Kubernetes and of the Gateway API that are no group of like endpoints. */
    private static final Set<String> NO_BACKENDS = Set.of("", "apps", "gateway.networking.k8s.io");

    private static final List<String> BACKEND =
            List.of("group", "kind", "name", "namespace", "port", "weight", "filters");
    private static final List<String> PARENT = List.of("group", "kind", "name", "namespace", "port", "sectionName");
    private static final List<String> TARGET = List.of("group", "kind", "name");

    /** A rule's {@code backendRef}, which is a Service where it does not say. */
    static BackendRef ofRule(JsonObject ref, ManifestHead head) {
        ref.allowOnly(BACKEND);
        ref.wholeNumber("port", 1, LAST_PORT);
        int weight = (int) ref.wholeNumber("weight", 0, MOST_WEIGHT).orElse(1);
        return of(ref, "", SERVICE, head, weight);
    }

    /** A route's {@code parentRef}, which is a Gateway where it does not say. */
    static BackendRef ofParent(JsonObject ref, ManifestHead head) {
        ref.allowOnly(PARENT);
        ref.wholeNumber("port", 1, LAST_PORT);
        return of(ref, "gateway.networking.k8s.io", "Gateway", head, 1);
    }

    /** A policy's {@code targetRef}, which says everything and has no namespace of its own. */
    static BackendRef ofPolicy(JsonObject ref, ManifestHead head) {
        ref.allowOnly(TARGET);
        if (!ref.has("group")) {
            ref.fault("group", "is missing, must be a string; \"\" for a Service");
        }
        ref.requiredString("kind");
        BackendRef target = of(ref, "", "", head, 1);
        if (!target.kind.isEmpty() && !target.isService() && NO_BACKENDS.contains(target.group)) {
            ref.fault(
                    "kind",
                    "found \"" + target.kind + "\" of the group \"" + target.group
                            + "\", must be a backend: a Service, a ServiceImport of " + MULTICLUSTER
                            + ", or one of an implementation's own group");
        }
        return target;
    }

    private static BackendRef of(JsonObject ref, String group, String kind, ManifestHead head, int weight) {
        return new BackendRef(
                requireNonNullElse(ref.optionalString("group"), group),
                requireNonNullElse(ref.optionalString("kind"), kind),
                requireNonNullElse(ref.optionalString("namespace"), head.namespace()),
                ref.requiredString("name"),
                weight);
    }

    private boolean isService() {
        return group.isEmpty() && kind.equals(SERVICE);
    }

    /** Whether it is a Service, or a ServiceImport, and not some other object with such a name. */
    public boolean isBackend() {
        return isService() || (group.equals(MULTICLUSTER) && kind.equals("ServiceImport"));
    }

    /** Its kind with its group, and its name. */
    @Override
    public String toString() {
        return kind + (group.isEmpty() ? "" : "." + group) + " " + name;
    }
}

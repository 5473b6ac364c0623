package dev.poolkeeper.input.policies;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.proxy.ProxyAddress;
import java.util.List;
import java.util.Set;

/**
 * The target of a reference in a manifest.
 *
 * @param group empty for the core group
 * @param kind such as {@code Service}
 * @param namespace the manifest's namespace if the reference has none
 * @param name its name
 * @param weight its share of the requests; 0 for none
 */
public record BackendRef(String group, String kind, String namespace, String name, int weight) {

    private static final String SERVICE = "Service";
    private static final String IMPORT = "ServiceImport";
    private static final String MULTICLUSTER = "multicluster.x-k8s.io";

    /** The kinds of backends. */
    static final Set<String> KINDS = Set.of(SERVICE, IMPORT);

    private static final int MOST_WEIGHT = 1_000_000;

    /** API groups whose objects are not backends. */
    private static final Set<String> NO_BACKENDS = Set.of("", "apps", "gateway.networking.k8s.io");

    private static final List<String> BACKEND =
            List.of("group", "kind", "name", "namespace", "port", "weight", "filters");
    private static final List<String> PARENT = List.of("group", "kind", "name", "namespace", "port", "sectionName");
    private static final List<String> TARGET = List.of("group", "kind", "name");

    /** A rule's {@code backendRef}, a Service by default. */
    static BackendRef ofRule(JsonObject ref, ManifestHead head) {
        ref.allowOnly(BACKEND);
        ref.wholeNumber("port", 1, ProxyAddress.LAST_PORT);
        int weight = (int) ref.wholeNumber("weight", 0, MOST_WEIGHT).orElse(1);
        return of(ref, "", SERVICE, head, weight);
    }

    /** A route's {@code parentRef}, a Gateway by default. */
    static BackendRef ofParent(JsonObject ref, ManifestHead head) {
        ref.allowOnly(PARENT);
        ref.wholeNumber("port", 1, ProxyAddress.LAST_PORT);
        return of(ref, "gateway.networking.k8s.io", "Gateway", head, 1);
    }

    /** A policy's {@code targetRef}, which has no defaults and no namespace. */
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

    /** Whether it is an implementation's own group, whose objects are backends of another program. */
    static boolean isForeign(String group) {
        return !group.equals(MULTICLUSTER) && !NO_BACKENDS.contains(group);
    }

    private boolean isService() {
        return group.isEmpty() && kind.equals(SERVICE);
    }

    /** Whether it is a Service or a ServiceImport. */
    public boolean isBackend() {
        return isService() || (group.equals(MULTICLUSTER) && kind.equals(IMPORT));
    }

    /** Its kind with its group, and its name. */
    @Override
    public String toString() {
        return kind + (group.isEmpty() ? "" : "." + group) + " " + name;
    }
}

package dev.poolkeeper.k8s.permissions;

import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.lease.KubernetesLeaseStore;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.k8s.policies.PolicyWatcher;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import java.util.ArrayList;
import java.util.List;

/**
 * The permissions that this adapter needs: the single list that the probe at start, the table in the documentation and
 * the shipped roles are checked against. It omits SelfSubjectAccessReviews, which every user may create
 * ({@code system:basic-user}).
 */
public final class RequiredPermissions {

    private static final String CORE = "";
    private static final String COORDINATION = "coordination.k8s.io";
    private static final String GATEWAY = "gateway.networking.k8s.io";
    private static final String GATEWAY_X = "gateway.networking.x-k8s.io";
    private static final String ROUTES = "httproutes";
    private static final String TRAFFIC_POLICIES = "xbackendtrafficpolicies";

    private RequiredPermissions() {}

    /** For {@link ClusterWatcher}. Everything that a daemon needs that writes nothing. */
    public static List<Permission> watching() {
        List<Permission> all = new ArrayList<>();
        for (String verb : List.of("list", "watch")) {
            all.add(Permission.everywhere(CORE, "services", verb));
            all.add(Permission.everywhere(CORE, "nodes", verb));
            all.add(Permission.everywhere("discovery.k8s.io", "endpointslices", verb));
        }
        return List.copyOf(all);
    }

    /** For a {@link KubernetesLeaseStore}. {@code create} is needed only until the Lease exists. */
    public static List<Permission> lease(String namespace, String name) {
        return List.of(
                new Permission(COORDINATION, "leases", "get", namespace, name),
                new Permission(COORDINATION, "leases", "create", namespace, name),
                new Permission(COORDINATION, "leases", "update", namespace, name));
    }

    /** For a {@link PolicyWatcher}. Watching the Service that stands for ARM is covered by {@link #watching}. */
    public static List<Permission> policies(String namespace) {
        List<Permission> all = new ArrayList<>();
        for (String verb : List.of("list", "watch")) {
            all.add(new Permission(GATEWAY, ROUTES, verb, namespace, ""));
            all.add(new Permission(GATEWAY_X, TRAFFIC_POLICIES, verb, namespace, ""));
            all.add(new Permission("linkerd.io", "serviceprofiles", verb, namespace, ""));
        }
        return List.copyOf(all);
    }

    /** For a {@link PolicyStatusWriter}, which needs {@link #events} too. Without them policies still apply. */
    public static List<Permission> policyStatuses(String namespace) {
        return List.of(
                new Permission(GATEWAY, ROUTES, "get", namespace, ""),
                new Permission(GATEWAY, ROUTES + "/status", "update", namespace, ""),
                new Permission(GATEWAY_X, TRAFFIC_POLICIES, "get", namespace, ""),
                new Permission(GATEWAY_X, TRAFFIC_POLICIES + "/status", "update", namespace, ""));
    }

    /**
     * For {@link KubernetesServiceEvents}, in the namespaces of all Services. Without them events are lost; updates are
     * not affected.
     */
    public static List<Permission> events() {
        return List.of(
                Permission.everywhere("events.k8s.io", "events", "create"),
                Permission.everywhere("events.k8s.io", "events", "patch"));
    }

    /**
     * For the readiness gate. Without them Pods wait until another writer sets their condition; updates of pools are
     * not affected.
     *
     * @param namespaces where Pods are watched; empty for all namespaces
     */
    public static List<Permission> readinessGate(List<String> namespaces) {
        List<Permission> all = new ArrayList<>();
        for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
            all.add(new Permission(CORE, "pods", "list", namespace, ""));
            all.add(new Permission(CORE, "pods", "watch", namespace, ""));
            all.add(new Permission(CORE, "pods/status", "patch", namespace, ""));
        }
        return List.copyOf(all);
    }
}

package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.permissions.Permission;
import dev.poolkeeper.k8s.permissions.RequiredPermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChartRolesTest {

    private static Set<String> lines(List<Permission> permissions) {
        return permissions.stream()
                .map(permission -> GrantedRoles.line(
                        permission.verb(),
                        permission.resource(),
                        permission.group(),
                        permission.namespace().isEmpty() ? "*" : permission.namespace(),
                        permission.verb().equals("create") ? "" : permission.name()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Permission> needed(String leaderNamespace, String leader, String lockNamespace, String lock) {
        List<Permission> all = new ArrayList<>(RequiredPermissions.watching());
        all.addAll(RequiredPermissions.events());
        all.addAll(RequiredPermissions.lease(leaderNamespace, leader));
        all.addAll(RequiredPermissions.lease(lockNamespace, lock));
        return all;
    }

    @Test
    @Rule(
            id = "H7",
            says = "The chart's roles grant exactly what the daemon requests from the API server, with the two Leases"
                    + " by name.",
            source = "Kubernetes, RBAC good practices: least privilege")
    void roles_grant_exactly_the_requested_permissions() {
        assertThat(GrantedRoles.of(Chart.render(Chart.PLACE)))
                .isEqualTo(
                        lines(needed("poolkeeper", "poolkeeper-leader", "kube-system", "aks-managed-resource-locker")));
    }

    @Test
    @Rule(
            id = "H13",
            says = "The chart grants access to Pods and their status only if the readiness gate is enabled, only in"
                    + " its namespaces if there are any, and never in a dry run.",
            source = "Kubernetes, RBAC good practices: least privilege")
    void the_readiness_gate_gets_permissions_only_if_enabled() {
        List<Permission> usual =
                needed("poolkeeper", "poolkeeper-leader", "kube-system", "aks-managed-resource-locker");
        List<Permission> everywhere = new ArrayList<>(usual);
        everywhere.addAll(RequiredPermissions.readinessGate(List.of()));
        assertThat(GrantedRoles.of(Chart.render(Chart.PLACE + "  readinessGate: {enabled: true}\n")))
                .isEqualTo(lines(everywhere));

        List<Permission> inSome = new ArrayList<>(usual);
        inSome.addAll(RequiredPermissions.readinessGate(List.of("shop", "bank")));
        assertThat(GrantedRoles.of(
                        Chart.render(Chart.PLACE + "  readinessGate: {enabled: true, namespaces: [shop, bank]}\n")))
                .isEqualTo(lines(inSome));

        assertThat(GrantedRoles.of(Chart.render(Chart.PLACE + "  readinessGate: {namespaces: [shop]}\n")))
                .isEqualTo(lines(usual));
        assertThat(GrantedRoles.of(Chart.render(Chart.PLACE + "  readinessGate: {enabled: true}\n  dryRun: true\n")))
                .isEqualTo(lines(RequiredPermissions.watching()));
    }

    @Test
    @Rule(
            id = "P170",
            says = "If retry policies of the cluster are enabled, the chart's Role for them is only in the policy"
                    + " namespace; in a dry run it grants list and watch.",
            source = "Kubernetes, RBAC good practices: least privilege")
    void policies_add_a_role_in_their_namespace() {
        List<Permission> needed = new ArrayList<>(
                needed("poolkeeper", "poolkeeper-leader", "kube-system", "aks-managed-resource-locker"));
        needed.addAll(RequiredPermissions.policies("rules"));
        needed.addAll(RequiredPermissions.policyStatuses("rules"));
        String values = Chart.PLACE + "  policyObjects: true\n  policyNamespace: rules\n";
        assertThat(GrantedRoles.of(Chart.render(values))).isEqualTo(lines(needed));

        List<Permission> reading = new ArrayList<>(RequiredPermissions.watching());
        reading.addAll(RequiredPermissions.policies("poolkeeper"));
        assertThat(GrantedRoles.of(Chart.render(Chart.PLACE + "  policyObjects: true\n  dryRun: true\n")))
                .isEqualTo(lines(reading));
    }

    @Test
    void policies_add_the_service_that_they_reference() {
        var objects = Chart.render(Chart.PLACE + "  policyObjects: true\n  cloud: AzureChinaCloud\n");
        var service = Chart.the(objects, "Service");
        assertThat(service.at("/metadata/name").asText()).isEqualTo("azure-resource-manager");
        assertThat(service.at("/metadata/namespace").asText()).isEqualTo("poolkeeper");
        assertThat(service.at("/spec/externalName").asText()).isEqualTo("management.chinacloudapi.cn");
    }

    @Test
    void roles_use_the_configured_lease_names() {
        String values = Chart.PLACE + """
              leaderElection: {leaseName: blue, leaseNamespace: leases}
              resourceLock: {leaseName: locker, leaseNamespace: leases}
            """;

        assertThat(GrantedRoles.of(Chart.render(values)))
                .isEqualTo(lines(needed("leases", "blue", "leases", "locker")));
    }

    @Test
    void without_election_no_role_is_needed_for_it() {
        List<Permission> needed = new ArrayList<>(RequiredPermissions.watching());
        needed.addAll(RequiredPermissions.events());
        needed.addAll(RequiredPermissions.lease("kube-system", "aks-managed-resource-locker"));

        assertThat(GrantedRoles.of(Chart.render(Chart.PLACE + "  leaderElection: {enabled: false}\n")))
                .isEqualTo(lines(needed));
    }

    @Test
    @Rule(
            id = "H8",
            says = "In a dry run the chart's role grants only list and watch, and there is one replica.",
            source = "")
    void in_a_dry_run_only_reading_is_granted() {
        var objects = Chart.render(Chart.PLACE + "  dryRun: true\n");

        assertThat(GrantedRoles.of(objects)).isEqualTo(lines(RequiredPermissions.watching()));
        assertThat(Chart.the(objects, "Deployment").at("/spec/replicas").asInt())
                .isEqualTo(1);
        assertThat(Chart.find(objects, "RoleBinding")).isEmpty();
    }

    @Test
    void every_role_is_bound_to_the_pods_service_account() {
        var objects = Chart.render(Chart.PLACE + "serviceAccount: {name: keeper}\n");

        assertThat(Chart.pod(objects).at("/spec/serviceAccountName").asText()).isEqualTo("keeper");
        assertThat(objects)
                .filteredOn(object -> object.path("kind").asText().endsWith("RoleBinding"))
                .hasSize(3)
                .allSatisfy(binding -> {
                    assertThat(binding.at("/subjects/0/name").asText()).isEqualTo("keeper");
                    assertThat(binding.at("/subjects/0/namespace").asText()).isEqualTo("poolkeeper");
                    assertThat(objects)
                            .anyMatch(role -> role.path("kind").equals(binding.at("/roleRef/kind"))
                                    && role.at("/metadata/name").equals(binding.at("/roleRef/name"))
                                    && role.at("/metadata/namespace").equals(binding.at("/metadata/namespace")));
                });
    }
}

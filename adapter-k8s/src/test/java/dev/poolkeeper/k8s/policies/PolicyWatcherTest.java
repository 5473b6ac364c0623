package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.CustomKind;
import dev.poolkeeper.k8s.watch.WatchSettings;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyWatcherTest {

    private final PolicyWorld world = new PolicyWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private PolicyWatcher.KindStatus status(String kind) {
        return world.watcher.statuses().stream()
                .filter(status -> status.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Rule(
            id = "P160",
            says = "The policies in the cluster that count are those of the policy namespace whose target is the"
                    + " Service azure-resource-manager there; without that Service none does.",
            source = "ours")
    void only_objects_of_the_namespace_with_the_service_count() {
        world.policy("elsewhere", "far", 11);
        world.policy(PolicyWorld.NAMESPACE, "foreign", "web", "{\"budget\":{\"percent\":12}}");
        world.policy("near", 13);
        world.watcher.start();
        world.until("reported", () -> !world.snapshot.objects().isEmpty());
        assertThat(world.snapshot.targetExists()).isFalse();
        assertThat(world.percent()).isEqualTo(-1);
        world.withTarget();
        world.until("obeyed", () -> world.percent() == 13);
        assertThat(world.snapshot.objects()).hasSize(1);
        world.kube.delete("/api/v1/namespaces/poolkeeper/services/azure-resource-manager");
        world.until("not obeyed any more", () -> world.percent() == -1);
    }

    @Test
    @Rule(
            id = "P161",
            says = "A kind of policy that the API server does not serve delays nothing; it counts as soon as it is"
                    + " served.",
            source = "ours")
    void a_kind_may_be_installed_later() {
        world.withTarget().policy("near", 13);
        world.kube.api().withdraw(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.kube.api().withdraw(CustomKind.SERVICE_PROFILE);
        world.route("calls", "{\"retry\":{\"codes\":[500],\"attempts\":7}}");
        world.watcher.start();
        world.until("the route is obeyed", () -> world.policies().policy() != null);
        assertThat(world.percent()).isEqualTo(-1);
        assertThat(status("XBackendTrafficPolicy").trouble()).contains("does not serve it");
        world.kube.api().serve(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.time.advance(PolicyWatch.INTERVAL);
        world.until("the policy is obeyed", () -> world.percent() == 13);
        assertThat(status("XBackendTrafficPolicy").version()).isEqualTo("v1alpha1");
        assertThat(status("XBackendTrafficPolicy").trouble()).isEmpty();
    }

    @Test
    void a_kind_in_an_unknown_version_is_reported() {
        world.kube.api().withdraw(CustomKind.HTTP_ROUTE);
        world.kube.api().serve(new CustomKind("gateway.networking.k8s.io", "v9", "httproutes", "HTTPRoute", true));
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("the policy is obeyed", () -> world.percent() == 13);
        assertThat(status("HTTPRoute").trouble())
                .contains("serves it as v9 only, but one of these is needed: v1, v1beta1");
    }

    @Test
    @Rule(
            id = "P162",
            says = "If a kind of policy is no longer served, or the API server does not respond, the last state of its"
                    + " objects stays in force; objects that are gone when it is back no longer count.",
            source = "ours")
    void a_kind_that_is_no_longer_served_keeps_its_last_state() {
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("obeyed", () -> world.percent() == 13);
        world.kube.api().withdraw(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.until(
                "the watch has failed",
                () -> !status("XBackendTrafficPolicy").trouble().isEmpty());
        world.time.advance(PolicyWatch.INTERVAL);
        world.until("noticed", () -> status("XBackendTrafficPolicy").trouble().contains("does not serve it"));
        assertThat(world.percent()).isEqualTo(13);
        world.kube.api().serve(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.kube.delete(PolicyWorld.pathOf("near"));
        world.policy("new", 14);
        world.time.advance(PolicyWatch.INTERVAL);
        world.until("the new one is obeyed", () -> world.percent() == 14);
    }

    @Test
    @Rule(
            id = "P176",
            says = "Deleting a CRD removes its objects: the API server reports each of them as deleted, and none stays"
                    + " in force.",
            source = "Kubernetes, deletion of a CustomResourceDefinition")
    void deleting_a_crd_removes_its_objects() {
        world.withTarget().policy("near", 13);
        world.route("calls", "{\"retry\":{\"codes\":[500],\"attempts\":7}}");
        world.watcher.start();
        world.until("obeyed", () -> world.percent() == 13);
        world.kube.delete(PolicyWorld.pathOf("near"));
        world.kube.api().withdraw(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.until("not obeyed any more", () -> world.percent() == -1);
        assertThat(world.policies().policy()).isNotNull();
        world.kube.api().serve(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.policy("near", 14);
        world.until(
                "the watch has failed or goes on",
                () -> !status("XBackendTrafficPolicy").trouble().isEmpty() || world.percent() == 14);
        world.time.advance(PolicyWatch.INTERVAL);
        world.until("obeyed again", () -> world.percent() == 14);
    }

    @Test
    @Rule(
            id = "P163",
            says = "An invalid object stays in force as its last valid generation; one that was never valid sets"
                    + " nothing.",
            source = "ours")
    void the_last_valid_generation_stays_in_force() {
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("obeyed", () -> world.percent() == 13);
        world.policy(PolicyWorld.NAMESPACE, "near", "azure-resource-manager", "{\"budget\":{\"percent\":\"all\"}}");
        world.policy(PolicyWorld.NAMESPACE, "bad", "azure-resource-manager", "[3]");
        world.until(
                "faults are reported",
                () -> world.snapshot.objects().stream()
                                .filter(object -> !object.faults().isEmpty())
                                .count()
                        == 2);
        assertThat(world.percent()).isEqualTo(13);
        world.kube.delete(PolicyWorld.pathOf("near"));
        world.until("nothing is set", () -> world.percent() == -1);
        world.policy(PolicyWorld.NAMESPACE, "near", "azure-resource-manager", "{\"budget\":{\"percent\":\"all\"}}");
        world.until("it is there again", () -> world.snapshot.objects().size() == 2);
        assertThat(world.percent()).isEqualTo(-1);
    }

    @Test
    void any_schema_violation_is_a_fault_and_never_a_crash() {
        world.withTarget();
        String hostile = "{\"a\":".repeat(400) + "1" + "}".repeat(400);
        for (String spec : new String[] {
            "null", "[]", "\"text\"", "{\"targetRefs\":{}}", "{\"targetRefs\":[[],3,null,{\"name\":[]}]}", hostile
        }) {
            world.kube.apply("""
                {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
                 "metadata":{"name":"odd-%d","namespace":"poolkeeper"},"spec":%s,"status":{"ancestors":"none"}}\
                """.formatted(Math.abs(spec.hashCode()), spec));
        }
        world.route("odd", "{\"retry\":{\"codes\":[\"all\",-5,1e300],\"attempts\":\"many\",\"backoff\":7}},[],7");
        world.route("huge", "{\"retry\":{\"attempts\":1,\"more\":\"" + "x".repeat(1_000_000) + "\"}}");
        world.policy("near", 13);
        world.watcher.start();
        world.until("obeyed", () -> world.percent() == 13);
        assertThat(world.policies().policy()).isNull();
        assertThat(world.snapshot.objects()).hasSize(3);
    }

    @Test
    @Rule(
            id = "P164",
            says = "Policies in the cluster take effect only when all of them have been read, never from a partial"
                    + " list.",
            source = "ours")
    void ten_thousand_policies_are_reported_in_one_batch() {
        world.withTarget();
        for (int i = 0; i < 10_000; i++) {
            world.policy("policy-%05d".formatted(9_999 - i), i % 100);
        }
        world.kube.faults().refuseWatchLists(true);
        world.watcher.start();
        world.until("reported", () -> world.reports.get() > 0);
        assertThat(world.snapshot.objects()).hasSize(10_000);
        assertThat(world.percent()).isEqualTo(99); // policy-00000, by name: all are of one age
        assertThat(world.reports.get()).isLessThan(5);
    }

    @Test
    void a_kind_without_read_permission_delays_no_other() {
        world.withTarget().policy("near", 13);
        world.kube.faults().deny(request -> request.resource().equals("serviceprofiles"));
        world.watcher.start();
        world.until("refused", () -> !status("ServiceProfile").trouble().isEmpty());
        assertThat(world.reports.get()).isZero();
        world.time.advance(Duration.ofSeconds(6));
        world.until("obeyed", () -> world.percent() == 13);
        assertThat(status("ServiceProfile").trouble()).contains("forbidden");
    }

    @ParameterizedTest
    @MethodSource("dev.poolkeeper.k8s.policies.PolicyStatusWriterTest#failures")
    void a_failed_discovery_is_repeated(RuntimeException failure) {
        world.withTarget().policy("near", 13);
        try (PolicyWatcher watcher = new PolicyWatcher(
                FailingClient.of(world.cluster.client(), "getApiGroup", 3, failure),
                PolicyWorld.NAMESPACE,
                WatchSettings.DEFAULT,
                world.time,
                now -> world.snapshot = now)) {
            watcher.start();
            world.time.runDue();
            assertThat(watcher.statuses())
                    .extracting(PolicyWatcher.KindStatus::trouble)
                    .containsOnly("planted");
            world.time.advance(PolicyWatch.INTERVAL);
            world.until("obeyed", () -> world.percent() == 13);
        }
    }

    @Test
    void a_discovery_that_failed_in_an_outage_is_no_trouble_after_it() {
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("obeyed", () -> world.percent() == 13);
        world.kube.faults().unreachable(true);
        world.until("the watch has failed", () -> !trouble().isEmpty());
        world.time.advance(PolicyWatch.INTERVAL);
        world.kube.faults().unreachable(false);
        world.time.advance(Duration.ofSeconds(4));
        world.policy("near", 14);
        world.until("obeyed again", () -> world.percent() == 14);
        assertThat(trouble()).isEmpty();
    }

    private String trouble() {
        return status("XBackendTrafficPolicy").trouble();
    }
}

package dev.poolkeeper.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.daemon.Await;
import dev.poolkeeper.app.daemon.DaemonProcess;
import dev.poolkeeper.app.install.Chart;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The steps of an operator with the chart, on a real API server, with the permissions that the chart grants. */
@Tag("real-cluster")
@EnabledIfSystemProperty(named = RealCluster.PROPERTY, matches = "true")
class InstallationOnClusterTest {

    @TempDir
    private Path folder;

    private RealCluster cluster;
    private LoadBalancers balancers;
    private Endpoints endpoints;
    private PoolKey pool;
    private String first;
    private String second;

    @BeforeEach
    void start() throws IOException {
        cluster = new RealCluster();
        balancers = new LoadBalancers(Duration.ofSeconds(1));
        endpoints = new Endpoints(cluster);
        first = cluster.addNode("node-1", "10.0.0.4");
        second = cluster.addNode("node-2", "10.0.0.5");
        pool = balancers.addPool("kubernetes", cluster.namespace(), "web");
        endpoints.addService("web");
        endpoints.set("web", List.of(first));
    }

    @AfterEach
    void stop() {
        balancers.close();
        cluster.close();
    }

    private Installation install(String moreConfig) throws IOException {
        return new Installation(cluster, Chart.FOLDER, balancers.arm(), folder, moreConfig);
    }

    private void awaitPool(DaemonProcess daemon, String... addresses) {
        Await.until(
                "the pool holds " + List.of(addresses),
                daemon::log,
                () -> balancers.inForce(pool).equals(AddressSet.of(addresses)));
    }

    private List<String> eventReasons() {
        return cluster.client().events().v1().events().inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals("web"))
                .map(Event::getReason)
                .toList();
    }

    @Test
    void the_charts_roles_suffice_and_the_service_gets_its_events() throws Exception {
        Installation installation = install("");
        try (DaemonProcess daemon = installation.start("one")) {
            daemon.awaitReady();
            awaitPool(daemon, "10.0.0.4");
            endpoints.set("web", List.of(first, second));
            awaitPool(daemon, "10.0.0.4", "10.0.0.5");
            Await.until(
                    "the Service has its Event",
                    daemon::log,
                    () -> eventReasons().contains("LoadBalancerBackendPoolUpdated"));
            assertThat(daemon.pages().status().path("missingPermissions")).isEmpty();
            assertThat(daemon.log()).doesNotContainIgnoringCase("forbidden").doesNotContain("\"ERROR\"");
        }
    }

    @Test
    void temporary_azure_failures_are_retried_and_reported() throws Exception {
        balancers.arm().faults().add(FaultRule.always(409).forMethod("PUT").times(1));
        Installation installation = install("  loadBalancerBackendPoolUpdateIntervalInSeconds: 2");
        try (DaemonProcess daemon = installation.start("one")) {
            awaitPool(daemon, "10.0.0.4");
            Await.until(
                    "the Service has its Event",
                    daemon::log,
                    () -> eventReasons()
                            .containsAll(List.of(
                                    "LoadBalancerBackendPoolUpdateRetrying", "LoadBalancerBackendPoolUpdated")));
        }
    }

    @Test
    void the_other_replica_takes_over_when_the_leader_is_killed() throws Exception {
        Installation installation = install("");
        try (DaemonProcess leader = installation.start("leader")) {
            awaitPool(leader, "10.0.0.4");
            try (DaemonProcess standby = installation.start("standby")) {
                standby.awaitReady();
                assertThat(standby.pages()
                                .status()
                                .at("/cluster/election/leading")
                                .asBoolean())
                        .isFalse();

                leader.kill();
                endpoints.set("web", List.of(second));

                awaitPool(standby, "10.0.0.5");
            }
        }
    }

    /** The chart in the folder of {@code poolkeeper.previousChart} first, then this one over it. */
    @Test
    void an_upgrade_from_an_older_chart_misses_no_pool() throws Exception {
        String previous = System.getProperty("poolkeeper.previousChart", "");
        assumeTrue(!previous.isEmpty(), "needs -Dpoolkeeper.previousChart=FOLDER");
        Installation old = new Installation(cluster, Path.of(previous), balancers.arm(), folder, "");
        try (DaemonProcess before = old.start("before")) {
            awaitPool(before, "10.0.0.4");
            Installation next = install("");
            try (DaemonProcess after = next.start("after")) {
                after.awaitReady();
                before.terminate();
                assertThat(before.exitCode()).as("ended by SIGTERM").isEqualTo(143);
                endpoints.set("web", List.of(second));
                awaitPool(after, "10.0.0.5");
            }
        }
    }

    @Test
    void policy_objects_take_effect_and_get_a_status() throws Exception {
        assumeTrue(
                cluster.client().getApiGroup("gateway.networking.x-k8s.io") != null,
                "needs the Gateway API's experimental CRDs");
        Installation installation = install("""
              policyObjects: true
              policyNamespace: %s
            """.formatted(cluster.namespace()));
        try (DaemonProcess daemon = installation.start("one")) {
            daemon.awaitReady();
            awaitPool(daemon, "10.0.0.4");
            apply("""
                apiVersion: gateway.networking.x-k8s.io/v1alpha1
                kind: XBackendTrafficPolicy
                metadata: {name: arm-budget, namespace: %s}
                spec:
                  targetRefs: [{group: "", kind: Service, name: azure-resource-manager}]
                  retryConstraint:
                    budget: {percent: 30, interval: 60s}
                    minRetryRate: {count: 6, interval: 60s}
                """);
            apply("""
                apiVersion: gateway.networking.k8s.io/v1
                kind: HTTPRoute
                metadata: {name: arm-retries, namespace: %s}
                spec:
                  parentRefs: [{group: "", kind: Service, name: azure-resource-manager}]
                  rules:
                    - backendRefs: [{kind: Service, name: azure-resource-manager, port: 443}]
                      retry: {attempts: 2, codes: [500, 503], backoff: 500ms}
                """);
            awaitAccepted(
                    "gateway.networking.x-k8s.io/v1alpha1", "XBackendTrafficPolicy", "arm-budget", "ancestors", daemon);
            awaitAccepted("gateway.networking.k8s.io/v1", "HTTPRoute", "arm-retries", "parents", daemon);
            Await.until(
                    "it is obeyed",
                    () -> status(daemon).toString(),
                    () -> status(daemon).toString().contains("arm-retries")
                            && status(daemon).toString().contains("arm-budget"));
        }
    }

    private static JsonNode status(DaemonProcess daemon) {
        try {
            return daemon.pages().status();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void apply(String manifest) {
        Chart.objects(manifest.formatted(cluster.namespace())).forEach(cluster::apply);
    }

    private void awaitAccepted(String version, String kind, String name, String list, DaemonProcess daemon) {
        Await.until(kind + " " + name + " is accepted", daemon::log, () -> {
            GenericKubernetesResource there = cluster.client()
                    .genericKubernetesResources(version, kind)
                    .inNamespace(cluster.namespace())
                    .withName(name)
                    .get();
            Optional<String> type = Optional.ofNullable(there.get("status", list, 0, "conditions", 0, "type"));
            Optional<String> status = Optional.ofNullable(there.get("status", list, 0, "conditions", 0, "status"));
            return type.equals(Optional.of("Accepted")) && status.equals(Optional.of("True"));
        });
    }
}

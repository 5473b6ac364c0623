package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.permissions.RequiredPermissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The readiness gate of a whole daemon between the two emulators. */
class ReadinessOfPodsTest {

    private static final String POD = "/api/v1/namespaces/shop/pods/web-new";

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder);
        world.service("web", 1);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    /** A Pod of the Service on {@code node-6} that waits for its gate, and the slice that lists it. */
    private void rollOut() throws IOException, InterruptedException {
        world.kube.apply("""
            {"apiVersion":"v1","kind":"Pod",
             "metadata":{"name":"web-new","namespace":"shop",
                         "labels":{"app":"web","poolkeeper.dev/readiness-gate":"true"}},
             "spec":{"nodeName":"node-6","readinessGates":[{"conditionType":"poolkeeper.dev/load-balancer-ready"}]},
             "status":{"podIP":"10.244.0.6","podIPs":[{"ip":"10.244.0.6"}],
                       "conditions":[{"type":"PodScheduled","status":"True"}]}}\
            """);
        world.kube.apply("""
            {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
             "metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},
             "ports":[{"port":8080}],
             "endpoints":[{"addresses":["10.244.0.1"],"nodeName":"node-1"},
                          {"addresses":["10.244.0.6"],"nodeName":"node-6","conditions":{"ready":false},
                           "targetRef":{"kind":"Pod","name":"web-new","namespace":"shop","uid":"%s"}}]}\
            """.formatted(pod().at("/metadata/uid").asText()));
    }

    private JsonNode pod() throws IOException, InterruptedException {
        return KubeObjects.get(world.kube, POD);
    }

    private JsonNode condition() throws IOException, InterruptedException {
        return pod().at("/status/conditions")
                .valueStream()
                .filter(one -> one.path("type").asText().equals("poolkeeper.dev/load-balancer-ready"))
                .findFirst()
                .orElseGet(MissingNode::getInstance);
    }

    private void awaitReason(String reason, DaemonInProcess daemon) {
        Await.until(
                "the condition's reason is " + reason,
                daemon::logText,
                () -> condition().path("reason").asText().equals(reason));
    }

    private Set<String> requestsAboutPods() {
        return world.kube.requests().stream()
                .filter(request ->
                        request.resource().equals("pods") && !request.verb().equals("get"))
                .map(request -> request.verb() + " " + request.resource()
                        + (request.subresource().isEmpty() ? "" : "/" + request.subresource()))
                .collect(Collectors.toSet());
    }

    @Test
    @Rule(
            id = "Y20",
            says = "A running daemon with readinessGate.enabled keeps a Pod's gate closed while its pool is held,"
                    + " reports it, and opens the gate when the write is done, with exactly the permissions that its"
                    + " role grants.",
            source = "ours")
    void a_pod_on_a_new_node_is_ready_when_its_node_is_in_the_pool() throws Exception {
        world.kube.faults().refuseWatchLists(true); // so that lists are needed
        Path file = world.configuration("one", "paused: false\nreadinessGate: {enabled: true}");
        try (DaemonInProcess daemon = DaemonInProcess.start(file)) {
            // given
            world.awaitPool("web", 1);
            pause(file, true, daemon);
            // when
            rollOut();
            awaitReason("Held", daemon);
            // then
            assertThat(condition().path("status").asText()).isEqualTo("False");
            assertThat(condition().path("message").asText()).contains("shop-web", "10.1.0.6", "node-6");
            assertThat(world.isInPool("web", 1)).isTrue();
            // when
            pause(file, false, daemon);
            awaitReason("InPool", daemon);
            // then
            assertThat(world.isInPool("web", 1, 6)).isTrue();
            assertThat(condition().path("status").asText()).isEqualTo("True");
            assertThat(pod().at("/status/conditions/0/type").asText()).isEqualTo("PodScheduled");
            assertThat(daemon.pages().metric("poolkeeper_readiness_gate_refusals_total"))
                    .isZero();
        }
        assertThat(requestsAboutPods())
                .isEqualTo(RequiredPermissions.readinessGate(List.of()).stream()
                        .map(one -> one.verb() + " " + one.resource())
                        .collect(Collectors.toSet()));
    }

    private void pause(Path file, boolean paused, DaemonInProcess daemon) throws IOException {
        String content = Files.readString(file).replaceAll("paused: .*", "paused: " + paused);
        Path next = Files.writeString(file.resolveSibling("next"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Await.until(
                "paused: " + paused,
                daemon::logText,
                () -> daemon.pages().status().at("/engine/holds/paused").asBoolean() == paused);
    }

    @Test
    @Rule(
            id = "Y21",
            says = "Without readinessGate.enabled, and in a dry run, a daemon neither watches Pods nor sets"
                    + " conditions.",
            source = "ours")
    void without_the_gate_and_in_a_dry_run_no_pods_are_read() throws Exception {
        for (String keys : List.of("dryRun: false", "readinessGate: {enabled: true}\ndryRun: true")) {
            rollOut();
            try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", keys))) {
                daemon.awaitReady();
            }
        }
        assertThat(requestsAboutPods()).isEmpty();
        assertThat(condition().isMissingNode()).isTrue();
    }

    @Test
    @Rule(
            id = "Y22",
            says = "If permissions for the readiness gate are missing, pools are still updated, and the missing"
                    + " permissions are reported.",
            source = "ours")
    void without_permissions_for_pods_pools_are_still_updated() throws Exception {
        world.kube.faults().deny(request -> request.resource().equals("pods"));
        try (DaemonInProcess daemon = DaemonInProcess.start(
                world.configuration("one", "readinessGate: {enabled: true, namespaces: [shop]}"))) {
            world.awaitPool("web", 1);
            daemon.awaitReady();
            Await.until(
                    "the missing permissions are reported",
                    daemon::logText,
                    () -> daemon.hasLogged("patch pods/status in namespace \"shop\""));
        }
    }
}

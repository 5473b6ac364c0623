package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon with retry policies from its cluster. */
class PolicyObjectsTest {

    private static final String ROUTE = "/apis/gateway.networking.k8s.io/v1/namespaces/rules/httproutes/calls";

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder);
        world.kube.apply("""
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"azure-resource-manager","namespace":"rules"},
             "spec":{"type":"ExternalName","externalName":"management.azure.com"}}\
            """);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private void route(int attempts) {
        world.kube.apply("""
            {"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute",
             "metadata":{"name":"calls","namespace":"rules"},
             "spec":{"parentRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}],
                     "rules":[{"retry":{"codes":[500,409],"attempts":%d}}]}}\
            """.formatted(attempts));
    }

    private JsonNode accepted() throws IOException, InterruptedException {
        for (JsonNode entry : KubeObjects.get(world.kube, ROUTE).at("/status/parents")) {
            if (entry.path("controllerName").asText().equals("poolkeeper.dev/daemon")) {
                return entry.at("/conditions/0");
            }
        }
        return KubeObjects.get(world.kube, ROUTE).path("nothing");
    }

    @Test
    @Rule(
            id = "P171",
            says = "The running daemon applies a policy object and reports in its status whether it is in force; a"
                    + " manifest from a file that sets the same is younger and conflicts; when the object is"
                    + " deleted, the earlier settings apply again.",
            source = "GEP-713; ours")
    void a_policy_object_takes_effect_and_gets_a_status() throws Exception {
        String keys = "policyNamespace: rules\nretry: {attempts: 1}\n";
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", keys))) {
            StatusPages pages = daemon.pages();
            daemon.awaitReady();
            assertThat(pages.status().at("/policies/retries").asText()).contains("attempts=1,");
            route(7);
            Await.until(
                    "accepted",
                    daemon::logText,
                    () -> accepted().path("status").asText().equals("True"));
            assertThat(accepted().path("message").asText()).contains("retry.codes 409 ignored");
            assertThat(pages.status().at("/policies/retries").asText()).contains("attempts=7,");
            assertThat(pages.status().at("/policies/retriesFrom").asText()).isEqualTo("HTTPRoute rules/calls");
            assertThat(pages.get("/statusz").body()).contains("1 in force, 0 not in force");
            route(-3);
            Await.until(
                    "refused",
                    daemon::logText,
                    () -> accepted().path("reason").asText().equals("Invalid"));
            assertThat(pages.status().at("/policies/retries").asText()).contains("attempts=7,");
            assertThat(pages.get("/statusz").body())
                    .contains("HTTPRoute rules/calls: Invalid", "0 in force, 1 not in force");
            world.kube.delete(ROUTE);
            Await.until(
                    "the keys hold again",
                    daemon::logText,
                    () -> pages.status().at("/policies/retries").asText().contains("attempts=1,"));
        }
    }

    @Test
    void with_policy_objects_off_no_kind_is_requested() throws Exception {
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", "policyObjects: false"))) {
            daemon.awaitReady();
            assertThat(world.kube.requests())
                    .noneMatch(request -> List.of("httproutes", "xbackendtrafficpolicies", "serviceprofiles")
                            .contains(request.resource()));
        }
    }

    @Test
    void in_a_dry_run_policies_take_effect_without_a_status() throws Exception {
        route(7);
        String keys = "policyNamespace: rules\ndryRun: true\n";
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", keys))) {
            Await.until(
                    "obeyed",
                    daemon::logText,
                    () -> daemon.pages()
                            .status()
                            .at("/policies/retries")
                            .asText()
                            .contains("attempts=7,"));
            assertThat(accepted().isMissingNode()).isTrue();
        }
    }
}

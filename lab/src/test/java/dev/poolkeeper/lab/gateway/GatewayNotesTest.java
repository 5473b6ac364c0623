package dev.poolkeeper.lab.gateway;

import static dev.poolkeeper.lab.gateway.GatewayFixture.ROUTE;
import static dev.poolkeeper.lab.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GatewayNotesTest {

    @TempDir
    private Path folder;

    @Test
    @Rule(
            id = "P192",
            says = "retry-gateway prints each route with its backend, policy and budget at the start and after each"
                    + " change, and each fault and its end once, also if a file goes back to exactly what it was.",
            source = "ours")
    void what_is_loaded_and_each_change_and_fault_is_printed() throws Exception {
        String retries = route("retry: {codes: [503], attempts: 1, backoff: 50ms}\n");
        String ofRoute = "default/web rule 0 goes to web at ";
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(world.notes)
                    .singleElement()
                    .asString()
                    .startsWith(ofRoute)
                    .contains(": no retries, ");
            for (int i = 0; i < 2; i++) {
                world.notes.clear();
                assertThat(world.change(retries)).isTrue();
                assertThat(world.notes).hasSize(3);
                assertThat(world.notes.get(0)).isEqualTo("the routes have changed");
                assertThat(world.notes.get(1))
                        .startsWith(ofRoute)
                        .contains(": 503 and connection errors, at most once, wait at least 50ms")
                        .endsWith("; retry budget: none, every retry is admitted");
                assertThat(world.notes.get(2)).startsWith("warning: requests of every method are retried, POST too");

                world.notes.clear();
                assertThat(world.change(retries.replace("50ms", "fifty"))).isFalse();
                assertThat(world.change(retries.replace("50ms", "fifty"))).isFalse();
                assertThat(world.notes)
                        .singleElement()
                        .asString()
                        .startsWith("the last valid routes stay in force: ")
                        .contains("spec.rules[0].retry.backoff: found \"fifty\"");

                world.notes.clear();
                assertThat(world.change(retries)).isFalse();
                assertThat(world.notes).containsExactly("the files are valid again");
                assertThat(world.change(ROUTE)).isTrue();
                world.backend.answers(503, 1);
                assertThat(world.get("/").statusCode()).isEqualTo(503);
            }
        }
    }

    @Test
    void a_policy_for_a_service_without_an_address_is_noted() throws Exception {
        String policy = """
            apiVersion: gateway.networking.x-k8s.io/v1alpha1
            kind: XBackendTrafficPolicy
            metadata: {name: budget, namespace: %s}
            spec: {targetRefs: [{group: "", kind: Service, name: %s}], retryConstraint: {}}
            """;
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE, policy.formatted("shop", "api"))) {
            assertThat(world.notes)
                    .anyMatch(note -> note.endsWith("XBackendTrafficPolicy shop/budget: has no effect on Service api in"
                            + " the namespace shop, there is no --backend for it"));
        }
    }

    @ParameterizedTest
    @CsvSource({"'web', 20 %", "'web, api', 20 %", "'api, web', 20 %", "'api, shop, web', 20 %", "'api, shop', none"})
    void a_policy_applies_to_each_of_its_targets(String targets, String budget) throws Exception {
        String policy = """
            apiVersion: gateway.networking.x-k8s.io/v1alpha1
            kind: XBackendTrafficPolicy
            metadata: {name: budget}
            spec: {targetRefs: [%s], retryConstraint: {}}
            """.formatted(Stream.of(targets.split(", "))
                .map("{group: \"\", kind: Service, name: %s}"::formatted)
                .collect(Collectors.joining(", ")));
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE, policy)) {
            assertThat(world.notes)
                    .filteredOn(note -> note.startsWith("default/web rule 0 goes to web at "))
                    .singleElement()
                    .asString()
                    .contains("; retry budget: " + budget);
        }
    }

    @Test
    void without_a_route_the_hosts_are_named() throws Exception {
        List<String> documents = List.of(
                ROUTE.replace("spec:", "spec:\n  hostnames: [web.example, \"*.shop.example\"]"),
                "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: web.shop.svc}\nspec: {}\n");
        try (GatewayFixture world = new GatewayFixture(folder, documents.toArray(String[]::new))) {
            assertThat(world.get("/").body())
                    .isEqualTo("no route matches the request; there are routes for the hosts web.example,"
                            + " *.shop.example, web.shop.svc\n");
        }
    }
}

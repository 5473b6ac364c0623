package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.PolicyDefaults;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.ports.retry.RequestHead;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutingTableTest {

    private static final String ROUTE = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata: {name: web, namespace: %1$s}
        spec:
          hostnames: [route.%1$s]
          rules:
          - backendRefs: [{name: web, port: 80}]
        """;

    private static final String PROFILE = """
        apiVersion: linkerd.io/v1alpha2
        kind: ServiceProfile
        metadata: {name: web.%1$s.svc.cluster.local, namespace: %1$s}
        spec: {}
        """;

    @TempDir
    private Path folder;

    /** Whichever is given first, one of the namespace goes before one of any. */
    @ParameterizedTest
    @CsvSource({
        "web=h:1, h:1, h:1",
        "shop/web=h:1, h:1, none",
        "web=h:1 shop/web=h:2, h:2, h:1",
        "shop/web=h:2 web=h:1, h:2, h:1",
        "other/web=h:3 shop/web=h:2, h:2, h:3",
        "web=h:1 other/web=h:3 shop/web=h:2, h:2, h:3",
        "other/api=h:4 api=h:5 web=h:1, h:1, h:1",
        "api=h:5 shop/api=h:4, none, none"
    })
    void the_backend_of_a_services_own_namespace_goes_first(String backends, String ofShop, String ofOther)
            throws Exception {
        Path file = Files.writeString(
                folder.resolve("routes.yaml"),
                String.join(
                        "---\n",
                        ROUTE.formatted("shop"),
                        ROUTE.formatted("other"),
                        PROFILE.formatted("shop"),
                        PROFILE.formatted("other")));
        List<BackendAddress> addresses = new ArrayList<>();
        for (String backend : backends.split(" ")) {
            addresses.add(BackendAddress.parse(backend));
        }

        RoutingTable table = RoutingTable.of(
                PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY), addresses, new Budgets(new FakeTime()));

        assertThat(List.of(
                        found(table, "route.shop"),
                        found(table, "web.shop"),
                        found(table, "route.other"),
                        found(table, "web.other")))
                .containsExactly(ofShop, ofShop, ofOther, ofOther);
    }

    private static String found(RoutingTable table, String host) {
        return switch (table.find(host, new RequestHead("GET", "/", "", Map.of()))) {
            case Destination.Forward to -> to.backend().authority();
            case Destination.Refuse refuse ->
                refuse.answer().status() == 500 ? "none" : refuse.answer().text();
        };
    }
}

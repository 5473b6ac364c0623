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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

    private RoutingTable table(String manifests, String... backends) throws Exception {
        Path file = Files.writeString(folder.resolve("routes.yaml"), manifests);
        List<BackendAddress> addresses = new ArrayList<>();
        for (String backend : backends) {
            addresses.add(BackendAddress.parse(backend));
        }
        return RoutingTable.of(
                PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY), addresses, new Budgets(new FakeTime()));
    }

    /** The routes have these hosts (- for any), and the backends h:1, h:2 and so on, in that order. */
    @ParameterizedTest
    @CsvSource({
        "www.example.com *.example.com, www.example.com, h:1",
        "*.example.com www.example.com, www.example.com, h:2",
        "*.b.example.com *.example.com, x.b.example.com, h:1",
        "*.example.com *.b.example.com, x.b.example.com, h:2",
        "*.example.com *.b.example.com, b.example.com, h:1",
        "*.example.com *.b.example.com -, example.com, h:3",
        "- *.example.com, www.example.com, h:2",
        "- www.example.com, www.example.com, h:2",
        "- www.example.com, '', h:1",
        "a.com b.com c.com, b.com, h:2",
        "a.com b.com c.com, c.com, h:3",
        "*.example.com, a.b.example.com, h:1",
        "*.example.com, .example.com, none",
        "*.example.com, example.com, none",
        "*.example.com, wwwexample.com, none",
        "www.example.com, example.com, none",
        "www.example.com, www.example.com.x, none"
    })
    void the_most_specific_host_goes_first(String hosts, String host, String backend) throws Exception {
        StringBuilder manifests = new StringBuilder();
        List<String> backends = new ArrayList<>();
        for (String each : hosts.split(" ")) {
            int number = backends.size() + 1;
            backends.add("s" + number + "=h:" + number);
            manifests
                    .append("---\n")
                    .append(ROUTE.formatted("shop")
                            .replace("name: web", "name: s" + number)
                            .replace("[route.shop]", each.equals("-") ? "[]" : "[\"" + each + "\"]"));
        }
        String found = found(table(manifests.toString(), backends.toArray(String[]::new)), host);
        assertThat(found.startsWith("no route matches the request; there are routes for") ? "none" : found)
                .isEqualTo(backend);
    }

    @Test
    void a_rule_applies_to_each_of_its_hosts_and_matches() throws Exception {
        RoutingTable table = table("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web}
            spec:
              hostnames: [a, b, c]
              rules:
              - matches: [{path: {value: /x}}, {path: {value: /y}}, {method: PUT}]
                backendRefs: [{name: web}]
              - matches: [{path: {value: /z}}]
                backendRefs: [{name: api}]
            """, "web=h:1", "api=h:2");
        for (String host : List.of("a", "b", "c")) {
            assertThat(Stream.of("GET /x", "GET /y", "PUT /", "GET /z", "GET /").map(line -> {
                        String[] parts = line.split(" ");
                        return table.find(host, new RequestHead(parts[0], parts[1], "", Map.of()))
                                        instanceof Destination.Forward to
                                ? to.backend().authority() + " " + to.route()
                                : "none";
                    }))
                    .as(host)
                    .containsExactly(
                            "h:1 default/web rule 0",
                            "h:1 default/web rule 0",
                            "h:1 default/web rule 0",
                            "h:2 default/web rule 1",
                            "none");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "web, h:1",
        "web.shop, h:1",
        "web.shop.svc, h:1",
        "web.shop.svc.cluster, h:1",
        "web.shop.svc.cluster.local, h:1",
        "we, none",
        "web.sho, none",
        "web.other, none",
        "shop, none",
        "eb.shop, none",
        "xweb.shop, none",
        "web.shop.svc.cluster.local.x, none",
        "'', none"
    })
    void a_profile_is_for_its_service_and_each_short_form_of_its_name(String host, String backend) throws Exception {
        String found = found(table(PROFILE.formatted("shop"), "web=h:1"), host);
        assertThat(found.startsWith("no route matches the request; ") ? "none" : found)
                .isEqualTo(backend);
    }

    @Test
    void of_a_profile_the_first_route_that_matches_applies() throws Exception {
        RoutingTable table = table("""
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: web.shop.svc.cluster.local, namespace: shop}
            spec:
              routes:
              - {name: books, condition: {pathRegex: "/books/.*", method: GET}}
              - {name: any, condition: {pathRegex: "/books/.*"}}
            """, "web=h:1");
        assertThat(Stream.of("GET /books/1", "PUT /books/1", "GET /").map(line -> {
                    String[] parts = line.split(" ");
                    return table.find("web", new RequestHead(parts[0], parts[1], "", Map.of()));
                }))
                .extracting(to -> ((Destination.Forward) to).route())
                .containsExactly(
                        "profile web.shop.svc.cluster.local books",
                        "profile web.shop.svc.cluster.local any",
                        "profile web.shop.svc.cluster.local [DEFAULT]");
    }

    @Test
    void each_further_budget_of_a_backend_is_a_conflict() throws Exception {
        String policy = """
            ---
            apiVersion: gateway.networking.x-k8s.io/v1alpha1
            kind: XBackendTrafficPolicy
            metadata: {name: %s, namespace: shop}
            spec: {targetRefs: [{group: "", kind: Service, name: web}], retryConstraint: {}}
            """;
        RoutingTable table = table(
                ROUTE.formatted("shop") + policy.formatted("c") + policy.formatted("a") + policy.formatted("b"),
                "shop/web=h:1");
        String conflict = ": conflict, the budget of shop/web is set by XBackendTrafficPolicy shop/a, which is older or"
                + " comes first by name";
        assertThat(table.notes())
                .extracting(note -> note.replaceAll("/\\S*routes.yaml: ", ""))
                .containsExactly("XBackendTrafficPolicy shop/b" + conflict, "XBackendTrafficPolicy shop/c" + conflict);
    }

    @Test
    void without_a_match_the_first_ten_hosts_are_named_once_each() throws Exception {
        String route = ROUTE.formatted("shop").replace("[route.shop]", "[c, b, c, j, i, h, g, f, e, d, a, m, l, k]");
        assertThat(found(table(route + "---\n" + route.replace("{name: web, n", "{name: api, n"), "web=h:1"), "x"))
                .isEqualTo("no route matches the request; there are routes for the hosts c, b, j, i, h, g, f, e, d, a");
    }

    private static String found(RoutingTable table, String host) {
        return switch (table.find(host, new RequestHead("GET", "/", "", Map.of()))) {
            case Destination.Forward to -> to.backend().authority();
            case Destination.Refuse refuse ->
                refuse.answer().status() == 500 ? "none" : refuse.answer().text();
        };
    }
}

package dev.poolkeeper.k8s.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.RecordedRequest;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesPermissionsTest {

    private final TestCluster cluster = new TestCluster();
    private final KubernetesClient client = cluster.leaseClient();

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private List<Permission> all() {
        List<Permission> all = new ArrayList<>(RequiredPermissions.watching());
        all.addAll(RequiredPermissions.lease(cluster.namespace(), "leader"));
        all.addAll(RequiredPermissions.events());
        return all;
    }

    private List<MissingPermission> missing() {
        return KubernetesPermissions.missing(client, all());
    }

    private void deny(Predicate<RecordedRequest> requests) {
        cluster.emulator().faults().deny(requests);
    }

    private static boolean isReview(RecordedRequest request) {
        return request.resource().equals("selfsubjectaccessreviews");
    }

    @Tag("real-cluster")
    @Test
    void with_all_permissions_none_is_missing() {
        assertThat(missing()).isEmpty();
    }

    @Test
    void a_denied_permission_is_reported_with_group_resource_verb_and_namespace() {
        deny(request -> request.verb().equals("watch") && request.resource().equals("endpointslices"));
        deny(request -> request.verb().equals("update") && request.namespace().equals("shop"));

        assertThat(missing())
                .containsExactly(
                        MissingPermission.denied(new Permission("discovery.k8s.io", "endpointslices", "watch", "", "")),
                        MissingPermission.denied(
                                new Permission("coordination.k8s.io", "leases", "update", "shop", "leader")));
    }

    @Test
    void the_report_names_the_remedy() {
        deny(request -> request.verb().equals("watch") && request.resource().equals("nodes"));
        deny(request -> request.verb().equals("update"));

        assertThat(missing().stream().map(MissingPermission::toString))
                .containsExactly(
                        "may not watch nodes in all namespaces: add apiGroups [\"\"], resources [\"nodes\"], verbs"
                                + " [\"watch\"] to the ClusterRole of our service account",
                        "may not update leases.coordination.k8s.io \"leader\" in namespace \"shop\": add apiGroups"
                            + " [\"coordination.k8s.io\"], resources [\"leases\"], verbs [\"update\"] to the Role of"
                            + " our service account in namespace \"shop\"");
    }

    @Test
    void a_missing_create_permission_is_reported_only_until_the_lease_exists() {
        deny(request -> request.verb().equals("create") && request.resource().equals("leases"));
        assertThat(missing())
                .singleElement()
                .satisfies(one -> assertThat(one.permission().verb()).isEqualTo("create"));

        cluster.put(new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("leader")
                .endMetadata()
                .build());

        assertThat(missing()).isEmpty();
    }

    @Test
    void permission_to_create_is_requested_without_a_name_because_rbac_never_grants_it_by_name() {
        deny(request -> request.verb().equals("create")
                && request.resource().equals("leases")
                && !request.name().isEmpty());

        assertThat(missing()).isEmpty();
    }

    @Test
    void a_failed_review_is_unknown_and_the_others_are_sent() {
        cluster.emulator().faults().fail(KubernetesPermissionsTest::isReview, 500, 1);

        assertThat(missing()).singleElement().satisfies(one -> {
            assertThat(one.permission()).isEqualTo(all().get(0));
            assertThat(one.reviewFailure().orElseThrow()).contains("500");
            assertThat(one.toString()).startsWith("unknown whether we may list services in all namespaces: ");
        });
    }

    @Test
    void without_permission_to_ask_only_one_review_is_sent() {
        deny(KubernetesPermissionsTest::isReview);
        KubeEmulator emulator = cluster.emulator();

        assertThat(missing())
                .hasSameSizeAs(all())
                .allSatisfy(one -> assertThat(one.reviewFailure()).isPresent());
        assertThat(emulator.requests().stream().filter(KubernetesPermissionsTest::isReview))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "400, 11", "401, 1", "403, 1", "404, 1", "409, 11", "422, 11", "429, 11", "500, 11", "502, 11", "503, 11"
    })
    void a_refusal_that_every_review_would_get_is_asked_for_once(int status, int reviews) {
        assertThat(all()).hasSize(11);
        cluster.emulator().faults().fail(KubernetesPermissionsTest::isReview, status, 1_000);

        assertThat(missing())
                .hasSize(11)
                .allSatisfy(one -> assertThat(one.reviewFailure()).isPresent());

        assertThat(cluster.emulator().requests().stream().filter(KubernetesPermissionsTest::isReview))
                .hasSize(reviews);
    }

    @Test
    void an_unreachable_api_server_is_asked_once() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.close();
        });
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (KubernetesClient closing = KubernetesClients.forObjects(ApiServer.at(uri))) {
            assertThat(KubernetesPermissions.missing(closing, all()))
                    .hasSameSizeAs(all())
                    .allSatisfy(one -> assertThat(one.reviewFailure())
                            .contains("request to " + uri + "/"
                                    + " failed: the connection was closed without a response"));
        } finally {
            server.stop(0);
        }
        assertThat(asked).hasValueLessThanOrEqualTo(2); // the JDK's client repeats a request on a closed connection
    }

    @Test
    void the_documentation_lists_what_is_required() {
        Set<String> required = Stream.of(
                        all(),
                        RequiredPermissions.readinessGate(List.of()),
                        RequiredPermissions.policies("poolkeeper"),
                        RequiredPermissions.policyStatuses("poolkeeper"))
                .flatMap(List::stream)
                .map(one -> one.verb() + " " + one.resource() + "." + one.group())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(required).isEqualTo(Permissions.documented());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "allowed":true                                          | allowed
        "allowed":true,"evaluationError":"timed out"            | allowed
        "allowed":false                                         | denied
        "allowed":false,"evaluationError":null                  | denied
        "allowed":false,"evaluationError":""                    | denied
        "allowed":false,"evaluationError":" "                   | denied
        "allowed":false,"denied":true,"evaluationError":"slow"  | denied
        "allowed":false,"evaluationError":"timed out"           | timed out
        "allowed":false,"denied":false,"evaluationError":"slow" | slow
        """)
    void a_review_without_a_verdict_is_unknown_only_with_an_error(String status, String expected) throws IOException {
        byte[] body = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{},"status":{%s}}\
            """.formatted(status).getBytes(StandardCharsets.UTF_8);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Permission permission = all().get(0);
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (KubernetesClient reviewing = KubernetesClients.forObjects(ApiServer.at(uri))) {
            List<MissingPermission> missing = KubernetesPermissions.missing(reviewing, List.of(permission));
            assertThat(missing)
                    .isEqualTo(
                            switch (expected) {
                                case "allowed" -> List.of();
                                case "denied" -> List.of(MissingPermission.denied(permission));
                                default -> List.of(MissingPermission.unknown(permission, expected));
                            });
        } finally {
            server.stop(0);
        }
    }
}

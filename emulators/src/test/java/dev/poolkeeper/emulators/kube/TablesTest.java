package dev.poolkeeper.emulators.kube;

import static dev.poolkeeper.emulators.kube.KubeClient.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code kubectl get} prints; the expected texts are those of a real API server for the same objects. */
class TablesTest {

    private final FakeTime time = new FakeTime(Instant.parse("2026-03-01T12:00:00Z"));

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension(KubeSettings.DEFAULT.withTime(time));

    private List<String> row(String path) throws Exception {
        JsonNode table = new KubeClient(kube.emulator()).table(path);
        assertThat(table.path("kind").asText()).isEqualTo("Table");
        List<String> cells = new ArrayList<>();
        table.at("/rows/0/cells").forEach(cell -> cells.add(cell.asText()));
        assertThat(table.path("columnDefinitions")).hasSameSizeAs(cells);
        return cells;
    }

    private void apply(String apiVersion, String kind, String name, String rest) {
        kube.emulator().apply("""
            {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","namespace":"shop"},%s}\
            """.formatted(apiVersion, kind, name, rest));
    }

    @Test
    void services_are_shown_with_their_addresses_and_ports() throws Exception {
        apply("v1", "Service", "web", """
            "spec":{"type":"LoadBalancer","clusterIP":"10.0.0.7","selector":{"b":"2","a":"1"},
                    "ports":[{"port":80,"nodePort":31234,"protocol":"TCP"},{"port":53,"protocol":"UDP"}]},
            "status":{"loadBalancer":{"ingress":[{"ip":"20.1.2.3"}]}}\
            """);
        time.advance(Duration.ofMinutes(5));

        assertThat(row(SERVICES))
                .containsExactly("web", "LoadBalancer", "10.0.0.7", "20.1.2.3", "80:31234/TCP,53/UDP", "5m", "a=1,b=2");
    }

    @Test
    void missing_addresses_of_a_service_are_none_or_pending() throws Exception {
        apply("v1", "Service", "web", "\"spec\":{\"type\":\"LoadBalancer\"}");

        assertThat(row(SERVICES + "/web"))
                .containsExactly("web", "LoadBalancer", "<none>", "<pending>", "<none>", "0s", "<none>");
    }

    @Test
    void slices_are_shown_with_their_first_three_addresses() throws Exception {
        apply("discovery.k8s.io/v1", "EndpointSlice", "web-1", """
            "addressType":"IPv4","ports":[{"port":8080}],
            "endpoints":[{"addresses":["10.1.0.1"]},{"addresses":["10.1.0.2","10.1.0.3"]},{"addresses":["10.1.0.4"]}]\
            """);

        assertThat(row("/apis/discovery.k8s.io/v1/endpointslices"))
                .containsExactly("web-1", "IPv4", "8080", "10.1.0.1,10.1.0.2,10.1.0.3 + 1 more...", "0s");
    }

    @Test
    void an_empty_slice_is_shown_as_unset() throws Exception {
        apply("discovery.k8s.io/v1", "EndpointSlice", "web-1", "\"addressType\":\"IPv4\"");

        assertThat(row("/apis/discovery.k8s.io/v1/endpointslices"))
                .containsExactly("web-1", "IPv4", "<unset>", "<unset>", "0s");
    }

    @Test
    void nodes_are_shown_with_their_condition_roles_and_addresses() throws Exception {
        kube.emulator().apply("""
            {"apiVersion":"v1","kind":"Node","spec":{"unschedulable":true},
             "metadata":{"name":"n","labels":{"node-role.kubernetes.io/agent":"","a":"b"}},
             "status":{"conditions":[{"type":"Ready","status":"False"}],"nodeInfo":{"kubeletVersion":"v1.34.1"},
                       "addresses":[{"type":"InternalIP","address":"10.224.0.4"}]}}\
            """);

        assertThat(row("/api/v1/nodes"))
                .containsExactly(
                        "n",
                        "NotReady,SchedulingDisabled",
                        "agent",
                        "0s",
                        "v1.34.1",
                        "10.224.0.4",
                        "<none>",
                        "<unknown>",
                        "<unknown>",
                        "<unknown>");
    }

    @Test
    void leases_are_shown_with_their_holder() throws Exception {
        apply("coordination.k8s.io/v1", "Lease", "l", "\"spec\":{\"holderIdentity\":\"me\"}");

        assertThat(row("/apis/coordination.k8s.io/v1/leases")).containsExactly("l", "me", "0s");
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/events", "/apis/events.k8s.io/v1/events"})
    void events_are_shown_alike_under_both_apis_with_the_last_time_of_their_series(String path) throws Exception {
        apply("events.k8s.io/v1", "Event", "e", """
            "eventTime":"2026-03-01T11:00:00.000000Z","type":"Warning","reason":"R","note":"hello\\n",
            "reportingController":"poolkeeper.dev/poolkeeper","regarding":{"kind":"Service","name":"web"},
            "series":{"count":7,"lastObservedTime":"2026-03-01T11:58:30.000000Z"}\
            """);

        assertThat(row(path))
                .containsExactly("90s", "Warning", "R", "service/web", "poolkeeper.dev/poolkeeper", "hello", "7", "e");
    }

    @Test
    void namespaces_are_shown_with_their_phase() throws Exception {
        assertThat(row("/api/v1/namespaces/default")).containsExactly("default", "Active", "0s");
    }

    @ParameterizedTest
    @CsvSource({"'',PartialObjectMetadata", "Object,Service", "None,''"})
    void the_object_of_a_row_is_included_as_requested(String include, String kind) throws Exception {
        apply("v1", "Service", "web", "\"spec\":{}");
        String query = include.isEmpty() ? "" : "?includeObject=" + include;

        JsonNode table = new KubeClient(kube.emulator()).table(SERVICES + query);

        assertThat(table.at("/rows/0/object/kind").asText()).isEqualTo(kind);
    }

    @Test
    void a_page_of_a_table_links_to_the_next_one() throws Exception {
        apply("v1", "Service", "a", "\"spec\":{}");
        apply("v1", "Service", "b", "\"spec\":{}");
        KubeClient client = new KubeClient(kube.emulator());

        JsonNode first = client.table(SERVICES + "?limit=1");
        JsonNode second = client.table(
                SERVICES + "?limit=1&continue=" + first.at("/metadata/continue").asText());

        assertThat(second.at("/rows/0/cells/0").asText()).isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource({
        "-2,<invalid>",
        "-1,0s",
        "0,0s",
        "119,119s",
        "120,2m",
        "599,9m59s",
        "600,10m",
        "10799,179m",
        "10800,3h",
        "28799,7h59m",
        "28800,8h",
        "172799,47h",
        "172800,2d",
        "176400,2d1h",
        "691200,8d",
        "63071999,729d",
        "63072000,2y",
        "63158400,2y1d",
        "252288000,8y"
    })
    void ages_are_written_as_kubectl_writes_them(long seconds, String text) {
        assertThat(HumanAge.of(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void an_invalid_time_has_an_unknown_age() {
        assertThat(HumanAge.since("", time.instant())).isEqualTo("<unknown>");
    }
}

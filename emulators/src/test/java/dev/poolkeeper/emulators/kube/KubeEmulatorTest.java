package dev.poolkeeper.emulators.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KubeEmulatorTest {

    private static final String SERVICES = "/api/v1/namespaces/shop/services";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension();

    private final HttpClient http = HttpClient.newHttpClient();

    private static String service(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"shop\"}}"
                .formatted(name);
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(kube.emulator().uri().resolve(path));
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return http.send(
                to(path).header(
                                "Content-Type",
                                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private JsonNode get(String path) throws Exception {
        return KubeJson.MAPPER.readTree(send("GET", path, "").body());
    }

    @Test
    void all_pages_of_a_list_show_the_same_version() throws Exception {
        for (String name : new String[] {"a", "b", "c"}) {
            kube.emulator().apply(service(name));
        }
        JsonNode first = get(SERVICES + "?limit=2");
        kube.emulator().delete(SERVICES + "/c");
        JsonNode second = get(SERVICES + "?limit=2&continue="
                + first.path("metadata").path("continue").asText());

        assertThat(first.path("items")).hasSize(2);
        assertThat(second.path("items")).hasSize(1);
        assertThat(second.path("metadata").path("resourceVersion"))
                .isEqualTo(first.path("metadata").path("resourceVersion"));
        assertThat(second.path("metadata").has("continue")).isFalse();
    }

    @Test
    void a_page_from_before_a_compaction_is_gone() throws Exception {
        kube.emulator().apply(service("a"));
        kube.emulator().apply(service("b"));
        String token =
                get(SERVICES + "?limit=1").path("metadata").path("continue").asText();
        kube.emulator().compact();

        assertThat(send("GET", SERVICES + "?limit=1&continue=" + token, "").statusCode())
                .isEqualTo(410);
    }

    @Test
    void an_update_of_an_outdated_version_is_a_conflict() throws Exception {
        String lease = "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"a\"}}";
        String created = send("POST", LEASES, lease).body();

        assertThat(send("POST", LEASES, lease).statusCode()).isEqualTo(409);
        assertThat(send("PUT", LEASES + "/l", created.replace("\"a\"", "\"b\"")).statusCode())
                .isEqualTo(200);
        assertThat(send("PUT", LEASES + "/l", created.replace("\"a\"", "\"c\"")).statusCode())
                .isEqualTo(409);
        assertThat(send("PUT", LEASES + "/l", lease).statusCode()).isEqualTo(422);
        assertThat(get(LEASES + "/l").path("spec").path("holderIdentity").asText())
                .isEqualTo("b");
    }

    @Test
    void a_merge_patch_changes_what_it_names_and_an_unchanged_object_keeps_its_version() throws Exception {
        kube.emulator().apply(service("a"));
        JsonNode before = get(SERVICES + "/a");
        send("PATCH", SERVICES + "/a", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        JsonNode patched = get(SERVICES + "/a");
        send("PATCH", SERVICES + "/a", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");

        assertThat(patched.path("metadata").path("labels").path("x").asText()).isEqualTo("y");
        assertThat(KubeJson.resourceVersion(patched)).isNotEqualTo(KubeJson.resourceVersion(before));
        assertThat(get(SERVICES + "/a")).isEqualTo(patched);
    }

    @Test
    void status_is_written_through_its_subresource_only() throws Exception {
        kube.emulator().apply(service("a"));
        send("PATCH", SERVICES + "/a", "{\"status\":{\"x\":1}}");
        assertThat(get(SERVICES + "/a").path("status").has("x")).isFalse();

        send("PATCH", SERVICES + "/a/status", "{\"status\":{\"x\":1},\"spec\":{\"y\":1}}");
        assertThat(get(SERVICES + "/a").path("status").has("x")).isTrue();
        assertThat(get(SERVICES + "/a").path("spec").has("y")).isFalse();
    }

    @Test
    void an_event_is_checked_and_shown_under_both_apis() throws Exception {
        String event = """
            {"metadata":{"name":"e"},"eventTime":"2026-03-01T12:00:00.000000Z","type":"Normal","reason":"R",
             "action":"A","note":"hello","reportingController":"x.dev/y","reportingInstance":"z",
             "regarding":{"kind":"Service","namespace":"default","name":"web"}}\
            """;

        assertThat(send("POST", EVENTS, event.replace("hello", "x".repeat(1025)))
                        .statusCode())
                .isEqualTo(422);
        assertThat(send("POST", EVENTS, event).statusCode()).isEqualTo(201);
        assertThat(get("/api/v1/namespaces/default/events/e").path("message").asText())
                .isEqualTo("hello");
    }

    @Test
    void a_watch_sends_changes_bookmarks_and_410_gone() throws Exception {
        kube.emulator().apply(service("a"));
        String version = get(SERVICES).path("metadata").path("resourceVersion").asText();
        try (BufferedReader lines = watch(version)) {
            kube.emulator().delete(SERVICES + "/a");
            assertThat(type(lines)).isEqualTo("DELETED");
            kube.emulator().bookmark();
            assertThat(type(lines)).isEqualTo("BOOKMARK");
            kube.emulator().compact();
            assertThat(type(lines)).isEqualTo("ERROR");
            assertThat(lines.readLine()).isNull();
        }
        try (BufferedReader lines = watch(version)) {
            assertThat(lines.readLine()).contains("\"code\":410");
        }
        kube.emulator().faults().goneAsStatus(true);
        assertThat(send("GET", SERVICES + "?watch=1&resourceVersion=" + version, "")
                        .statusCode())
                .isEqualTo(410);
    }

    private BufferedReader watch(String version) throws Exception {
        HttpResponse<InputStream> response = http.send(
                to(SERVICES + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + version)
                        .build(),
                BodyHandlers.ofInputStream());
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static String type(BufferedReader lines) throws IOException {
        return KubeJson.MAPPER.readTree(lines.readLine()).path("type").asText();
    }

    @Test
    void requests_are_recorded_in_rbac_terms_and_refused_by_rule() throws Exception {
        kube.emulator().faults().deny(request -> request.verb().equals("list"));

        assertThat(send("GET", SERVICES, "").statusCode()).isEqualTo(403);
        assertThat(kube.emulator().requests())
                .containsExactly(new RecordedRequest("list", "", "services", "", "shop", ""));
    }

    @Test
    void the_server_restarts_on_the_same_port_with_its_state() throws Exception {
        kube.emulator().apply(service("a"));
        kube.emulator().stop();
        kube.emulator().startAgain();

        assertThat(get(SERVICES).path("items")).hasSize(1);
    }

    @Test
    void a_recording_is_replayed_event_by_event() throws Exception {
        String recording =
                "{\"offsetMillis\":5,\"type\":\"ADDED\",\"object\":%s}%n{\"offsetMillis\":9,\"type\":\"DELETED\",\"object\":%s}%n"
                        .formatted(service("a"), service("a"));
        try (RecordingFeed feed = new RecordingFeed(
                kube.emulator().api(), new ByteArrayInputStream(recording.getBytes(StandardCharsets.UTF_8)))) {
            assertThat(feed.nextOffsetMillis()).isEqualTo(5);
            assertThat(feed.playNext()).isTrue();
            assertThat(get(SERVICES).path("items")).hasSize(1);
            assertThat(feed.playNext()).isTrue();
            assertThat(get(SERVICES).path("items")).isEmpty();
            assertThat(feed.playNext()).isFalse();
        }
    }
}

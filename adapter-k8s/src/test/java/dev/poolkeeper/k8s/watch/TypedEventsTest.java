package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TypedEventsTest {

    private static final Path RECORDING = Path.of("..", "recordings", "comings-and-goings.jsonl.gz");
    private static final Map<String, Class<? extends HasMetadata>> KINDS =
            Map.of("Service", Service.class, "EndpointSlice", EndpointSlice.class, "Node", Node.class);

    private final KubernetesSerialization fabric8 = new KubernetesSerialization();

    @Test
    void an_event_of_a_real_api_server_is_read_as_fabric8_reads_it() throws IOException {
        // given
        ObjectMapper json = new ObjectMapper();
        Map<String, Integer> compared = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(RECORDING)), StandardCharsets.UTF_8))) {
            for (String recorded = lines.readLine(); recorded != null; recorded = lines.readLine()) {
                JsonNode event = json.readTree(recorded);
                String kind = event.path("object").path("kind").asText();
                String line = json.createObjectNode()
                        .put("type", event.path("type").asText())
                        .set("object", event.path("object"))
                        .toString();
                // when
                WatchEvent read = TypedEvents.read(KINDS.get(kind), line).orElseThrow();
                // then
                assertThat(read).isEqualTo(fabric8.unmarshal(line, WatchEvent.class));
                compared.merge(kind, 1, Integer::sum);
            }
        }
        assertThat(compared).containsOnlyKeys(KINDS.keySet());
    }

    @Test
    void a_pod_is_read_as_fabric8_reads_it() {
        String line = """
            {"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop",\
            "resourceVersion":"9","uid":"u","managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]},\
            "spec":{"readinessGates":[{"conditionType":"poolkeeper.dev/load-balancer-ready"}],"containers":[{"name":"c",\
            "resources":{"limits":{"cpu":"100m"}},"readinessProbe":{"httpGet":{"port":"http"}}}],"aNewField":{"a":[1]}},\
            "status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-24T10:00:00Z"}]}}}\
            """;

        assertThat(TypedEvents.read(Pod.class, line)).hasValue(fabric8.unmarshal(line, WatchEvent.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410}}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Service\",\"apiVersion\":\"v2\"}}",
                "{\"object\":{\"kind\":\"Service\",\"apiVersion\":\"v1\"},\"type\":\"ADDED\"}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Service\",\"apiVersion\":\"v1\"},\"further\":1}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Service\",\"apiVersion\":\"v1\",\"spec\":7}}",
                "{\"type\":\"ADDED\",\"object\":null}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Service\"",
                "[]",
                ""
            })
    void an_unusual_line_is_left_to_fabric8(String line) {
        assertThat(TypedEvents.read(Service.class, line)).isEmpty();
    }
}

package dev.poolkeeper.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.commands.LabRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hostile text in every place that others fill, and the bytes that each command prints. */
class ForeignTextOutputTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    static Stream<String> hostile() {
        return Stream.of(HostileText.SHORT, HostileText.ALL);
    }

    private static String json(Object value) throws IOException {
        return JSON.writeValueAsString(value);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private static void assertSafe(CommandLineRun run) {
        assertThat(run.out() + run.err()).as("an output").isNotBlank();
        HostileText.assertSafe(run.out());
        HostileText.assertSafe(run.err());
    }

    private String recording(String namespace, String service, String node) throws IOException {
        return file(
                "recording.jsonl",
                String.join(
                        "\n",
                        event(Map.of(
                                "kind",
                                "Node",
                                "metadata",
                                Map.of("name", node),
                                "status",
                                Map.of("addresses", List.of(Map.of("type", "InternalIP", "address", "10.0.0.4"))))),
                        event(Map.of(
                                "kind",
                                "Service",
                                "metadata",
                                Map.of("namespace", namespace, "name", service),
                                "spec",
                                Map.of("type", "LoadBalancer", "externalTrafficPolicy", "Local"))),
                        event(Map.of(
                                "kind",
                                "EndpointSlice",
                                "addressType",
                                "IPv4",
                                "metadata",
                                Map.of(
                                        "namespace",
                                        namespace,
                                        "name",
                                        "s",
                                        "labels",
                                        Map.of("kubernetes.io/service-name", service)),
                                "endpoints",
                                List.of(Map.of("nodeName", node)))),
                        ""));
    }

    private static String event(Map<String, ?> object) throws IOException {
        return json(Map.of("offsetMillis", 0, "type", "ADDED", "object", object));
    }

    private String inventory(String loadBalancer, String pool) throws IOException {
        return file(
                "inventory.json",
                json(Map.of(
                        "value",
                        List.of(Map.of(
                                "name",
                                loadBalancer,
                                "properties",
                                Map.of(
                                        "backendAddressPools",
                                        List.of(Map.of("name", pool, "properties", Map.of()))))))));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    @Rule(
            id = "X21",
            says = "No command prints an escape sequence, a control or bidirectional character, or a line of its own"
                    + " that comes from a file, the cluster, Azure or a daemon.",
            source = "ours")
    void replay_prints_names_and_codes_safely(String hostile) throws IOException {
        String name = hostile.replace("/", "");
        String recording = recording(name, name, hostile);
        String inventory = inventory(hostile, name + "-" + name);
        String faults = file(
                "faults.json", json(Map.of("rules", List.of(Map.of("method", "PUT", "status", 403, "code", hostile)))));
        for (String via : List.of("memory", "https")) {
            for (String report : List.of("-", folder.resolve("report.json").toString())) {
                assertSafe(LabRun.of(
                        "replay",
                        recording,
                        "--inventory",
                        inventory,
                        "--faults",
                        faults,
                        "--report",
                        report,
                        "--via",
                        via));
            }
        }
        assertThat(JSON.readTree(folder.resolve("report.json").toFile())
                        .at("/pools/0/loadBalancer")
                        .asText())
                .isEqualTo(hostile);
        HostileText.assertSafe(Files.readAllBytes(folder.resolve("report.json")));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void faults_of_files_quote_their_values_safely(String hostile) throws IOException {
        String recording = recording("shop", "web", "n1");
        String inventory = inventory("lb-1", "shop-web");
        String faults = file("faults.json", json(Map.of("rules", List.of(Map.of(hostile, 1, "method", hostile)))));
        String badInventory = file("bad.json", json(Map.of("value", hostile, hostile, 1)));
        String badRecording = file("bad.jsonl", json(Map.of("offsetMillis", 0, "type", hostile, "object", hostile)));
        String config =
                file("config.json", json(Map.of(hostile, hostile, "subscriptionId", hostile, "cloud", hostile)));
        String scenario = file("scenario.json", json(Map.of(hostile, 1, "seed", hostile)));
        String manifest = file(
                "routes.json",
                json(Map.of("kind", "HTTPRoute", "apiVersion", hostile, "metadata", Map.of("name", hostile))));

        assertSafe(LabRun.of("replay", recording, "--inventory", inventory, "--faults", faults));
        assertSafe(LabRun.of("replay", recording, "--inventory", badInventory));
        assertSafe(LabRun.of("replay", badRecording, "--inventory", inventory));
        assertSafe(LabRun.of("replay", hostile.replace("\0", "")));
        assertSafe(LabRun.of("replay", recording, "--inventory", inventory, "--model", hostile));
        assertSafe(LabRun.of("check-config", config));
        assertSafe(LabRun.of("run", "--config", config));
        assertSafe(LabRun.of("simulate-retries", "--scenario", scenario));
        assertSafe(LabRun.of("retry-gateway", "--routes", manifest, "--backend", hostile, "--listen", hostile));
        assertSafe(LabRun.of("arm-emulator", "--inventory", badInventory));
        assertSafe(LabRun.of("simulate", "--seeds", hostile));
        assertSafe(LabRun.of(hostile));
        assertSafe(LabRun.of("--" + hostile));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void valid_files_with_hostile_names_are_shown_safely(String hostile) throws IOException {
        String scenario = file(
                "scenario.json",
                json(Map.of(
                        "description",
                        hostile,
                        "duration",
                        "1s",
                        "workload",
                        Map.of("rps", 5),
                        "backend",
                        Map.of("success", 0.9),
                        "policies",
                        List.of(Map.of("name", hostile, "retry", Map.of("attempts", 1))))));
        assertSafe(LabRun.of("simulate-retries", "--scenario", scenario));
        assertSafe(LabRun.of("simulate-retries", "--scenario", scenario, "--output", "json"));

        String config = file("config.json", json(Map.of("subscriptionId", "s", "resourceGroup", hostile, hostile, 1)));
        assertSafe(LabRun.of("check-config", config));
        assertSafe(LabRun.of("check-config", config, "--output", "json"));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void status_prints_what_a_hostile_server_answers_safely(String hostile) throws IOException {
        String body = "{\"summary\":" + json(hostile) + ",\"problems\":[{\"title\":" + json(hostile) + ",\"text\":"
                + json(hostile) + "}],\"pools\":[{\"services\":[" + json(hostile) + "],\"pool\":" + json(hostile)
                + ",\"loadBalancer\":" + json(hostile) + ",\"inStep\":false,\"difference\":{\"reason\":" + json(hostile)
                + ",\"text\":" + json(hostile) + "}}],\"nodes\":[{\"node\":" + json(hostile) + "}]}";
        for (String answer : List.of(body, hostile, "{\"summary\": \"" + hostile)) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            server.start();
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            try {
                assertSafe(LabRun.of("status", "--url", url));
                assertSafe(LabRun.of("status", "--url", url, "--output", "json"));
                assertSafe(LabRun.of("status", "--url", url, "shop/web"));
            } finally {
                server.stop(0);
            }
        }
    }

    @Test
    void a_terminal_gets_colours_and_nothing_else() {
        CommandLineRun run = LabRun.of("replay", "--report", "\u001b[31m/nowhere/x");

        assertSafe(run);
    }
}

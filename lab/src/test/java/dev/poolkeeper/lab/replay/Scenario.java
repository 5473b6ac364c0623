package dev.poolkeeper.lab.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.app.config.Keys;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.commands.LabRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A recording, an inventory and faults in a compact form, replayed through the command line. */
final class Scenario {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final List<String> events = new ArrayList<>();
    private final Map<String, List<String>> pools = new TreeMap<>();
    private final List<String> rules = new ArrayList<>();
    private final List<String> lease = new ArrayList<>();
    private String model = "desired-state";
    private String interval = "10";
    private String maxRetries = "3";
    private List<String> more = List.of();
    private long at;

    Scenario(Path folder) {
        this.folder = folder;
    }

    Scenario model(String newModel) {
        model = newModel;
        return this;
    }

    Scenario interval(String seconds) {
        interval = seconds;
        return this;
    }

    Scenario maxRetries(int count) {
        maxRetries = Integer.toString(count);
        return this;
    }

    /** Further arguments. */
    Scenario with(String... arguments) {
        more = List.of(arguments);
        return this;
    }

    /** Later events have this offset. */
    Scenario at(long millis) {
        at = millis;
        return this;
    }

    /** A pool {@code loadBalancer/pool} of the inventory. */
    Scenario pool(String key, String... addresses) {
        pools.put(key, List.of(addresses));
        return this;
    }

    Scenario fault(String rule) {
        rules.add(rule.replace('\'', '"'));
        return this;
    }

    Scenario leaseHeldElsewhere(long from, long until) {
        lease.add("{\"fromMillis\":" + from + ",\"untilMillis\":" + until + "}");
        return this;
    }

    Scenario event(String type, String object) {
        events.add(
                "{\"offsetMillis\":%d,\"type\":\"%s\",\"object\":%s}".formatted(at, type, object.replace('\'', '"')));
        return this;
    }

    Scenario node(String name, String... addresses) {
        return event("ADDED", nodeObject(name, "{}", addresses));
    }

    Scenario labelledNode(String name, String label, String value, String... addresses) {
        return event("MODIFIED", nodeObject(name, "{'" + label + "':'" + value + "'}", addresses));
    }

    Scenario nodeDeleted(String name, String... addresses) {
        return event("DELETED", nodeObject(name, "{}", addresses));
    }

    private static String nodeObject(String name, String labels, String... addresses) {
        return "{'kind':'Node','apiVersion':'v1','metadata':{'name':'%s','labels':%s},'status':{'addresses':[%s]}}"
                .formatted(
                        name,
                        labels,
                        List.of(addresses).stream()
                                .map("{'type':'InternalIP','address':'%s'}"::formatted)
                                .collect(Collectors.joining(",")));
    }

    Scenario localService(String name, String... families) {
        return event("ADDED", serviceObject(name, "LoadBalancer", "Local", families));
    }

    /** A local Service of this age; without a time it is the oldest. */
    Scenario createdService(String name, String createdAt, String... families) {
        return event(
                "MODIFIED",
                serviceObject(name, "LoadBalancer", "Local", families)
                        .replace("'metadata':{", "'metadata':{'creationTimestamp':'" + createdAt + "',"));
    }

    Scenario classedService(String name, String loadBalancerClass) {
        return event(
                "MODIFIED",
                serviceObject(name, "LoadBalancer", "Local")
                        .replace("'spec':{", "'spec':{'loadBalancerClass':'" + loadBalancerClass + "',"));
    }

    Scenario service(String name, String type, String policy) {
        return event("MODIFIED", serviceObject(name, type, policy));
    }

    Scenario serviceDeleted(String name) {
        return event("DELETED", serviceObject(name, "LoadBalancer", "Local"));
    }

    private static String serviceObject(String name, String type, String policy, String... families) {
        String[] parts = name.split("/", 2);
        return ("{'kind':'Service','apiVersion':'v1','metadata':{'name':'%s','namespace':'%s'},"
                        + "'spec':{'type':'%s','externalTrafficPolicy':'%s','ipFamilies':[%s]}}")
                .formatted(
                        parts[1],
                        parts[0],
                        type,
                        policy,
                        List.of(families).stream().map("'%s'"::formatted).collect(Collectors.joining(",")));
    }

    Scenario slice(String service, String slice, String... nodes) {
        return event("ADDED", sliceObject(service, slice, "IPv4", nodes));
    }

    Scenario sliceOf(String type, String service, String slice, String... nodes) {
        return event("ADDED", sliceObject(service, slice, type, nodes));
    }

    Scenario sliceDeleted(String service, String slice, String... nodes) {
        return event("DELETED", sliceObject(service, slice, "IPv4", nodes));
    }

    private static String sliceObject(String service, String slice, String type, String... nodes) {
        String[] parts = service.split("/", 2);
        return ("{'kind':'EndpointSlice','apiVersion':'discovery.k8s.io/v1','addressType':'%s','metadata':{'name':'%s',"
                        + "'namespace':'%s','labels':{'kubernetes.io/service-name':'%s'}},'endpoints':[%s]}")
                .formatted(
                        type,
                        slice,
                        parts[0],
                        parts[1],
                        List.of(nodes).stream()
                                .map("{'addresses':['10.1.0.1'],'nodeName':'%s'}"::formatted)
                                .collect(Collectors.joining(",")));
    }

    /** Plays it and reads the report. */
    Outcome play() {
        try {
            Path recording = Files.write(folder.resolve("recording.jsonl"), events);
            Path inventory = Files.writeString(folder.resolve("inventory.json"), inventory());
            Path faults = Files.writeString(
                    folder.resolve("faults.json"),
                    "{\"rules\":[%s],\"lease\":[%s]}".formatted(String.join(",", rules), String.join(",", lease)));
            Path report = folder.resolve("report.json");
            List<String> line = new ArrayList<>(List.of(
                    "replay",
                    recording.toString(),
                    "--inventory",
                    inventory.toString(),
                    "--faults",
                    faults.toString(),
                    "--model",
                    model,
                    "--interval",
                    interval,
                    "--max-retries",
                    maxRetries,
                    "--report",
                    report.toString()));
            line.addAll(more);
            CommandLineRun run = LabRun.of(line.toArray(String[]::new));
            if (run.exitCode() == 2) {
                throw new AssertionError(run.err());
            }
            return new Outcome(run, JSON.readTree(report.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its recording and inventory, written out, as arguments of {@code replay}. */
    List<String> input() throws IOException {
        Path recording = Files.write(folder.resolve("recording.jsonl"), events);
        Path inventory = Files.writeString(folder.resolve("inventory.json"), inventory());
        return List.of(recording.toString(), "--inventory", inventory.toString());
    }

    /** What the command line would make of it. */
    ReplayOptions options(ReplayOptions.Via via) throws IOException, BadInputException {
        return options(via, "{}");
    }

    /** What the command line would make of it, with a faults file that is written out. */
    ReplayOptions options(ReplayOptions.Via via, String faultsFile) throws IOException, BadInputException {
        Path recording = Files.write(folder.resolve("recording.jsonl"), events);
        Path inventory = Files.writeString(folder.resolve("inventory.json"), inventory());
        return ReplayOptions.reference(
                new ReplayInput(
                        List.of(Recording.of(recording)),
                        events.size(),
                        Inventory.read(inventory),
                        Faults.read(Files.writeString(folder.resolve("faults.json"), faultsFile))),
                via,
                EngineSettings.REFERENCE
                        .withModel(Objects.requireNonNull(Keys.MODELS.words().get(model)))
                        .withPace(new Pace.Tick(Duration.ofSeconds(Long.parseLong(interval))))
                        .withMaxRetries(Integer.parseInt(maxRetries)));
    }

    private String inventory() {
        Map<String, List<String>> byLoadBalancer = new TreeMap<>();
        pools.forEach((key, addresses) -> byLoadBalancer
                .computeIfAbsent(key.split("/", 2)[0], name -> new ArrayList<>())
                .add("{\"name\":\"%s\",\"properties\":{\"loadBalancerBackendAddresses\":[%s]}}"
                        .formatted(
                                key.split("/", 2)[1],
                                addresses.stream()
                                        .map("{\"name\":\"x\",\"properties\":{\"ipAddress\":\"%s\"}}"::formatted)
                                        .collect(Collectors.joining(",")))));
        return byLoadBalancer.entrySet().stream()
                .map(entry -> "{\"name\":\"%s\",\"properties\":{\"backendAddressPools\":[%s]}}"
                        .formatted(entry.getKey(), String.join(",", entry.getValue())))
                .collect(Collectors.joining(",", "{\"value\":[", "]}"));
    }

    /**
     * The result of a scenario.
     *
     * @param run the command line
     * @param report the report
     */
    record Outcome(CommandLineRun run, JsonNode report) {

        /** The events as {@code atMillis namespace/name LastWordOfReason}. */
        List<String> events() {
            return rows("events").stream()
                    .map(event ->
                            event.get("atMillis") + " " + event.get("service").asText() + " "
                                    + event.get("reason").asText().replaceAll(".*(?=Updated|Retrying|Failed)", ""))
                    .toList();
        }

        List<String> messages() {
            return rows("events").stream()
                    .map(event -> event.get("message").asText())
                    .toList();
        }

        /** The calls as {@code atMillis METHOD loadBalancer/pool status}. */
        List<String> calls() {
            return rows("calls").stream()
                    .map(call -> "%s %s %s/%s %s"
                            .formatted(
                                    call.get("atMillis"),
                                    call.get("method").asText(),
                                    call.get("loadBalancer").asText(),
                                    call.get("pool").asText(),
                                    call.get("status")))
                    .toList();
        }

        /** The pools as {@code loadBalancer/pool [services] desired [..] actual [..] converged}. */
        List<String> pools() {
            return rows("pools").stream()
                    .map(pool -> "%s/%s %s desired %s actual %s %s"
                            .formatted(
                                    pool.get("loadBalancer").asText(),
                                    pool.get("pool").asText(),
                                    texts(pool.get("services")),
                                    texts(pool.get("desired")),
                                    texts(pool.get("actual")),
                                    pool.get("converged").asBoolean() ? "converged" : "apart"))
                    .toList();
        }

        /** Succeeded, failed, retried. */
        List<Integer> metrics() {
            JsonNode metrics = report.get("metrics");
            return List.of(
                    metrics.get("succeeded").asInt(),
                    metrics.get("failed").asInt(),
                    metrics.get("retried").asInt());
        }

        private static List<String> texts(JsonNode array) {
            return StreamSupport.stream(array.spliterator(), false)
                    .map(JsonNode::asText)
                    .toList();
        }

        private List<JsonNode> rows(String field) {
            return StreamSupport.stream(report.get(field).spliterator(), false).toList();
        }
    }
}

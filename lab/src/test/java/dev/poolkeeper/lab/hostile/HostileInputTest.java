package dev.poolkeeper.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.commands.LabRun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile files: whatever they contain, a command either completes or ends with one line per fault. A case is its seed,
 * and {@code -Dfuzz.seed=N -Dfuzz.cases=1} runs it again; {@code -Dfuzz.cases=100000} runs more cases.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileInputTest {

    private static final int CASES = Integer.getInteger("fuzz.cases", 250);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final int LONGEST_LINE = 2_000;

    private static final String RECORDING = """
        {"offsetMillis":0,"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","labels":{"kubernetes.azure.com/managed":"true"}},"status":{"addresses":[{"type":"InternalIP","address":"10.0.0.4"},{"type":"InternalIP","address":"fd00::4"}]}}}
        {"offsetMillis":5,"type":"ADDED","object":{"kind":"Service","apiVersion":"v1","metadata":{"name":"web","namespace":"shop"},"spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local","ipFamilies":["IPv4","IPv6"]}}}
        {"offsetMillis":9,"type":"ADDED","object":{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","addressType":"IPv4","metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},"endpoints":[{"addresses":["10.1.0.1"],"nodeName":"n1"}]}}
        {"offsetMillis":9,"type":"BOOKMARK","object":{"kind":"Node","metadata":{"resourceVersion":"7"}}}
        {"offsetMillis":70000,"type":"DELETED","object":{"kind":"Service","apiVersion":"v1","metadata":{"name":"web","namespace":"shop"},"spec":{}}}
        """;
    private static final String INVENTORY = """
        {"value":[{"name":"lb-1","id":"/subscriptions/s/lb-1","etag":"W/1","properties":{"backendAddressPools":[
          {"name":"shop-web","etag":"W/1","properties":{"loadBalancerBackendAddresses":[{"name":"n9","properties":{"ipAddress":"10.0.0.9"}}]}},
          {"name":"shop-web-ipv6","properties":{}}]}}]}
        """;
    private static final String FAULTS = """
        {"rules":[{"method":"PUT","loadBalancer":"lb-*","pool":"*web?","fromMillis":0,"untilMillis":60000,"skip":1,"times":2,"status":429,"retryAfterSeconds":17,"code":"TooManyRequests"},
                  {"status":409,"times":1}],"lease":[{"fromMillis":11000,"untilMillis":16500}]}
        """;
    private static final String CONFIGURATION = """
        {"subscriptionId":"00000000-0000-0000-0000-000000000000","resourceGroup":"rg","vnetName":"v","tenantId":"t",
         "aadClientId":"c","aadClientSecret":"hush","cloud":"AzurePublicCloud","updateModel":"diff",
         "loadBalancerBackendPoolUpdateIntervalInSeconds":30,"loadBalancerBackendPoolUpdateMaxRetries":3,
         "retry":{"codes":[500,503],"attempts":2,"backoff":"100ms"},"timeouts":{"request":"30s"},
         "retryConstraint":{"budget":{"percent":20,"interval":"10s"},"minRetryRate":{"count":10,"interval":"1s"}},
         "cloudProviderRateLimit":true,"cloudProviderRateLimitQPS":6.5,"cloudProviderRateLimitBucket":20}
        """;
    private static final String POLICIES = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata: {name: retry-example, namespace: infra, creationTimestamp: "2026-01-02T00:00:00Z"}
        spec:
          rules:
          - backendRefs: [{name: azure-resource-manager, port: 443}]
            retry: {codes: [500, 502, 503, 504], attempts: 2, backoff: 100ms}
            timeouts: {request: 30s, backendRequest: 10s}
        ---
        {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy","metadata":{"name":"budget"},
         "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}],
         "retryConstraint":{"budget":{"percent":10},"minRetryRate":{"count":3}}}}
        """;
    private static final String SCENARIO = """
        {"description":"d","seed":7,"duration":"2s","workload":{"rps":20,"tick":"1s","maxRetries":3},
         "backend":{"success":0.9,"status":503,"latency":{"p50":"40ms","p99":"400ms"},"workers":3,"queue":9,"burst":20,"refill":3.33},
         "phases":[{"from":"500ms","until":"1s","rpsFactor":2.5,"success":0.5,"latencyFactor":2}],
         "policies":[{"name":"a","retry":{"attempts":1,"backoff":"10ms"},"budget":"endless"},
                     {"name":"b","retryBudget":{"retryRatio":0.2,"minRetriesPerSecond":1,"ttl":"10s"}},
                     {"name":"c","envoy":{"budget_percent":20,"min_retry_concurrency":3}}]}
        """;

    @TempDir
    private Path folder;

    /** The kinds of input, each with its command. */
    private enum Kind {
        RECORDING,
        INVENTORY,
        FAULTS,
        CONFIGURATION,
        POLICIES,
        SCENARIO
    }

    @BeforeEach
    void goodFiles() throws IOException {
        Files.writeString(file(Kind.RECORDING), RECORDING);
        Files.writeString(file(Kind.INVENTORY), INVENTORY.strip());
        Files.writeString(file(Kind.FAULTS), FAULTS.strip());
    }

    private Path file(Kind kind) {
        return folder.resolve(kind.name().toLowerCase(Locale.ROOT) + ".txt");
    }

    private String good(Kind kind) {
        return switch (kind) {
            case RECORDING -> RECORDING;
            case INVENTORY -> INVENTORY;
            case FAULTS -> FAULTS;
            case CONFIGURATION -> CONFIGURATION;
            case POLICIES -> POLICIES;
            case SCENARIO -> SCENARIO;
        };
    }

    private CommandLineRun run(Kind kind) throws IOException {
        return switch (kind) {
            case RECORDING, INVENTORY, FAULTS ->
                LabRun.of(
                        "replay",
                        file(Kind.RECORDING).toString(),
                        "--inventory",
                        file(Kind.INVENTORY).toString(),
                        "--faults",
                        file(Kind.FAULTS).toString());
            case CONFIGURATION -> LabRun.of("check-config", file(kind).toString());
            case POLICIES -> {
                Path config = Files.writeString(
                        folder.resolve("config.yaml"),
                        "subscriptionId: s\nresourceGroup: g\nretryPolicyFiles: ["
                                + file(kind).getFileName() + "]\n");
                yield LabRun.of("check-config", config.toString());
            }
            case SCENARIO ->
                LabRun.of("simulate-retries", "--scenario", file(kind).toString());
        };
    }

    @ParameterizedTest
    @EnumSource
    void the_valid_file_is_accepted(Kind kind) throws IOException {
        Files.writeString(file(kind), good(kind));

        CommandLineRun run = run(kind);
        assertThat(run.exitCode()).isZero();
        assertThat(wrong(run)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "X6",
            says = "Whatever a recording, an inventory, a faults file, a configuration, a manifest or a scenario"
                    + " contains, the command either completes or ends with exit code 2 and one line per fault;"
                    + " never with a stack trace.",
            source = "contract, The command line")
    void any_invalid_file_ends_the_command_with_one_line_per_fault(Kind kind) throws IOException {
        Map<Integer, Integer> ends = new TreeMap<>();
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            Mutator mutator = new Mutator(seed);
            byte[] bytes = kind == Kind.RECORDING ? mutator.mutateLines(good(kind)) : mutator.mutate(good(kind));
            Files.write(file(kind), bytes);
            CommandLineRun run = run(kind);
            List<String> wrong = wrong(run);
            assertThat(wrong)
                    .as(
                            "%s: ./mvnw -pl lab -am verify -Dtest=HostileInputTest"
                                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dfuzz.seed=%d -Dfuzz.cases=1",
                            kind, seed)
                    .isEmpty();
            ends.merge(run.exitCode(), 1, Integer::sum);
        }
        System.out.println("hostile " + kind + ": " + CASES + " cases, by exit code " + ends);
        if (CASES > 100) {
            assertThat(ends).containsKeys(0, 2);
        }
    }

    private static List<String> wrong(CommandLineRun run) {
        List<String> wrong = new ArrayList<>();
        boolean refused = run.exitCode() == 2;
        if (run.exitCode() < 0 || run.exitCode() > 2) {
            wrong.add("exit code " + run.exitCode());
        }
        if (refused && (run.err().isBlank() || !run.out().isEmpty())) {
            wrong.add("refused without a word, or after it wrote something");
        }
        if (!run.err().isEmpty() && !run.err().endsWith("\n")) {
            wrong.add("a line without an end");
        }
        for (String line : run.err().split("\n", -1)) {
            boolean known = line.isEmpty() || line.startsWith("poolkeeper: ") || line.startsWith("warning: ");
            if (!known
                    || (!refused && line.startsWith("poolkeeper: "))
                    || line.contains("Exception")
                    || line.contains("Error:")
                    || line.contains("\tat ")
                    || line.length() > LONGEST_LINE
                    || line.chars().anyMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u202e')) {
                wrong.add(line.length() > 300 ? line.length() + " characters: " + line.substring(0, 300) : line);
            }
        }
        return wrong;
    }

    @Test
    @Rule(
            id = "X7",
            says = "A Service with a million endpoints is replayed: only the nodes of its endpoints matter.",
            source = "contract, Files")
    void a_service_with_a_million_endpoints_is_replayed() throws IOException {
        Path recording = file(Kind.RECORDING);
        try (BufferedWriter out = Files.newBufferedWriter(recording)) {
            for (int node = 0; node < 250; node++) {
                out.write(
                        ("{\"offsetMillis\":0,\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n%d\"},\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"10.1.0.%d\"}]}}}\n")
                                .formatted(node, node));
            }
            out.write(RECORDING.lines().toList().get(1) + "\n");
            for (int slice = 0; slice < 100; slice++) {
                out.write(
                        "{\"offsetMillis\":9,\"type\":\"ADDED\",\"object\":{\"kind\":\"EndpointSlice\","
                                + "\"addressType\":\"IPv4\",\"metadata\":{\"name\":\"web-" + slice
                                + "\",\"namespace\":\"shop\",\"labels\":{\"kubernetes.io/service-name\":\"web\"}},\"endpoints\":[");
                for (int endpoint = 0; endpoint < 10_000; endpoint++) {
                    out.write((endpoint == 0 ? "" : ",") + "{\"nodeName\":\"n" + (endpoint + slice) % 250 + "\"}");
                }
                out.write("]}}\n");
            }
        }
        Files.writeString(file(Kind.FAULTS), "{}");
        Path report = folder.resolve("report.json");

        CommandLineRun run = LabRun.of(
                "replay",
                recording.toString(),
                "--inventory",
                file(Kind.INVENTORY).toString(),
                "--report",
                report.toString());

        assertThat(run.errLines()).isEmpty();
        assertThat(Files.readString(report)).contains("\"10.1.0.249\"").contains("\"converged\" : true");
    }

    static Stream<String> absurdNames() {
        return Stream.of("n".repeat(253), "n".repeat(100_000), "web\\u0000\\n", "\\u202eweb", "../../web", "shop/web");
    }

    @ParameterizedTest
    @MethodSource("absurdNames")
    void invalid_names_do_no_harm(String name) throws IOException {
        Files.writeString(file(Kind.RECORDING), RECORDING.replace("\"web\"", "\"" + name + "\""));

        assertThat(wrong(run(Kind.RECORDING))).isEmpty();
    }

    @Test
    @Rule(
            id = "X8",
            says = "An invalid address is ignored; the Service's other nodes stay in its pool.",
            source = "contract, Files")
    void invalid_addresses_are_ignored() throws IOException {
        Files.writeString(
                file(Kind.RECORDING),
                RECORDING.replace(
                        "\"status\":{\"addresses\":[",
                        "\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"10.0.0.4.5\"},"
                                + "{\"type\":\"InternalIP\",\"address\":\"https://10.0.0.4/\"},"));
        Path report = folder.resolve("report.json");

        CommandLineRun run = LabRun.of(
                "replay",
                file(Kind.RECORDING).toString(),
                "--inventory",
                file(Kind.INVENTORY).toString(),
                "--report",
                report.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.errLines()).isEmpty();
        assertThat(run.out() + Files.readString(report))
                .doesNotContain("10.0.0.4.5")
                .doesNotContain("https");
    }

    @Test
    @Rule(
            id = "X9",
            says = "An oversized configuration, manifest, scenario, inventory or faults file is refused before it is"
                    + " read.",
            source = "contract, The command line")
    void oversized_files_are_refused_before_they_are_read() throws IOException {
        for (Kind kind : List.of(Kind.CONFIGURATION, Kind.POLICIES, Kind.SCENARIO, Kind.INVENTORY, Kind.FAULTS)) {
            goodFiles();
            try (RandomAccessFile file = new RandomAccessFile(file(kind).toFile(), "rw")) {
                file.setLength(1L << 40); // a sparse terabyte takes no disk space
            }
            CommandLineRun run = run(kind);
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.errLines()).singleElement().asString().contains("is larger than");
        }
    }
}

package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateRetriesCommandTest {

    @TempDir
    private Path folder;

    private CommandLineRun play(String scenario) throws IOException {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, scenario);
        return LabRun.of("simulate-retries", "--scenario", file.toString());
    }

    @Test
    void the_table_has_the_columns_of_the_blog_post() {
        CommandLineRun run = LabRun.of("simulate-retries", "--scenario", "linkerd-demo");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("EFFECTIVE_SUCCESS", "ACTUAL_RPS", "LATENCY_P99")
                .contains("no-retries", "retries-timeout");
    }

    @Test
    void routes_have_their_own_rows() {
        List<String> lines = LabRun.of("simulate-retries", "--scenario", "linkerd-demo")
                .out()
                .lines()
                .toList();
        int table = lines.indexOf("By route, under retries:");
        assertThat(table).isPositive();
        assertThat(lines.get(table + 2)).startsWith("ROUTE ");
        assertThat(lines.get(table + 6)).matches("HEAD /authors/\\{id}\\.json +100\\.00%.*");
        assertThat(lines.get(table + 8)).matches("\\[DEFAULT] +0\\.00%.*");
    }

    @Test
    void invalid_routes_are_reported() throws IOException {
        CommandLineRun run = play("""
            duration: 10s
            workload:
              rps: 1
              routes: [{name: a, share: 0.7}, {name: a, share: 0.7}, {name: "[DEFAULT]", share: 2, status: 500}]
            backend: {latency: {p50: 5ms, p99: 20ms}}
            policies:
            - {name: p, routes: [{name: b}, {name: a, attempts: 1}, {name: a}]}
            """);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .extracting(line -> line.replaceFirst("poolkeeper: .*mine.yaml: ", ""))
                .containsExactly(
                        "workload.routes[1].name: found \"a\", must be different for each route, and not [DEFAULT]",
                        "workload.routes[2].status: unknown key, must be one of name, share, success",
                        "workload.routes[2].name: found \"[DEFAULT]\", must be different for each route, and not"
                                + " [DEFAULT]",
                        "workload.routes[2].share: found 2, must be a number from 0 to 1",
                        "workload.routes: found shares of 1.4 together, must be at most 1",
                        "policies[0].routes[0].name: found \"b\", must be the name of a route of the workload",
                        "policies[0].routes[1].attempts: unknown key, must be one of name, retry, timeouts",
                        "policies[0].routes[2].name: found \"a\" twice, must be unique");
    }

    @Test
    void the_json_has_its_fields() throws IOException {
        CommandLineRun run = LabRun.of("simulate-retries", "--scenario", "outage", "--output", "json");
        JsonNode json = JsonMapper.builder().build().readTree(run.out());
        assertThat(json.path("scenario").asText()).isEqualTo("outage");
        JsonNode policy = json.path("policies").get(0);
        assertThat(StreamSupport.stream(((Iterable<String>) policy::fieldNames).spliterator(), false))
                .containsExactly(
                        "name",
                        "effectiveSuccess",
                        "actualSuccess",
                        "effectiveRps",
                        "actualRps",
                        "p50Millis",
                        "p95Millis",
                        "p99Millis",
                        "retriesRefused",
                        "amplification",
                        "confidence95");
        assertThat(policy.path("effectiveSuccess").doubleValue()).isBetween(0.0, 1.0);
    }

    @Test
    @Rule(
            id = "W20",
            says = "Invalid scenarios are reported immediately, one line per fault, with exit code 2.",
            source = "ours")
    void invalid_scenarios_are_reported_with_one_line_per_fault() throws IOException {
        CommandLineRun run = play("""
            duration: 0s
            workload: {rps: -1, lanes: 3}
            backend: {success: 1.5, latency: {p50: 20ms, p99: 10ms}, workers: 0}
            phases: [{from: 20s, until: 10s, latencyFactor: 5000}]
            policies:
            - {name: a, retry: {codes: [600], attempts: -1}, budget: some}
            - {name: a, retryBudget: {retryRatio: 2000, ttl: 10s}, envoy: {}}
            - {name: c, envoy: {budget_percent: 100.1, min_retry_concurrency: -1}}
            """);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines())
                .extracting(line -> line.replaceFirst("poolkeeper: .*mine.yaml: ", ""))
                .containsExactly(
                        "duration: found 0s, must be from 1ms to 24h",
                        "workload.lanes: unknown key, must be one of rps, tick, maxRetries, routes",
                        "workload.rps: found -1, must be a number from 1.0E-6 to 1000000",
                        "backend.latency.p99: found 10ms, must be p50 or longer",
                        "backend.success: found 1.5, must be a number from 0 to 1",
                        "backend.workers: found 0, must be a whole number from 1 to 1000000",
                        "phases[0].until: found 10s, must be after from",
                        "phases[0].latencyFactor: found 5000, must be a number from 0.001 to 1000",
                        "policies[0].retry.attempts: found -1, must be a whole number from 0 to 2147483647",
                        "policies[0].retry.codes: found 600, must be a status from 400 to 599",
                        "policies[0].budget: found \"some\", must be one of none, endless",
                        "policies[1].name: found \"a\" twice, must be unique",
                        "policies[1].envoy: is a second budget; only one is allowed of retryConstraint, retryBudget,"
                                + " envoy, budget",
                        "policies[2].envoy.budget_percent: found 100.1, must be from 0 to 100",
                        "policies[2].envoy.min_retry_concurrency: found -1, must be 0 or more");
    }

    @Test
    void bad_options_are_reported_before_anything_is_computed() {
        assertThat(LabRun.of("simulate-retries", "--scenario", "no-such").errLines())
                .containsExactly(
                        "poolkeeper: --scenario: found \"no-such\", must be a file or one of linkerd-demo, outage,"
                                + " overload, chain, arm-quota");
        assertThat(LabRun.of("simulate-retries", "--seed", "x").errLines())
                .containsExactly("poolkeeper: --seed: found \"x\", must be a whole number of 64 bits");
        for (List<String> options : List.of(
                List.of("--output", "xml"),
                List.of("--html", folder + "/none/a.html"),
                List.of("--html", "" + folder))) {
            CommandLineRun run = LabRun.of("simulate-retries", options.get(0), options.get(1));
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.errLines())
                    .singleElement()
                    .asString()
                    .startsWith("poolkeeper: " + options.get(0) + ": found");
        }
    }

    @Test
    void a_yaml_syntax_error_in_a_scenario_is_reported_with_its_position() throws IOException {
        CommandLineRun run = play("duration: [");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("mine.yaml: line ");
    }
}

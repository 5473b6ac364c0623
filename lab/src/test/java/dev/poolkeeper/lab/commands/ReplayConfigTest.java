package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.lab.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The retry settings of a configuration in a replay: the first two writes fail. */
class ReplayConfigTest {

    private static final String RECORDING = """
        {"offsetMillis":0,"type":"ADDED","object":{"kind":"Node","metadata":{"name":"n1"},"status":{"addresses":[{"type":"InternalIP","address":"10.0.0.4"}]}}}
        {"offsetMillis":0,"type":"ADDED","object":{"kind":"Service","metadata":{"name":"web","namespace":"shop"},"spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local"}}}
        {"offsetMillis":0,"type":"ADDED","object":{"kind":"EndpointSlice","addressType":"IPv4","metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},"endpoints":[{"nodeName":"n1"}]}}
        """;
    private static final String INVENTORY =
            "{\"value\":[{\"name\":\"lb-1\",\"properties\":{\"backendAddressPools\":[{\"name\":\"shop-web\",\"properties\":{}}]}}]}";
    private static final String FAULTS = "{\"rules\":[{\"method\":\"PUT\",\"status\":503,\"times\":2}]}";

    @TempDir
    private Path folder;

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https  | {}                                              | updated",
                "https  | retry: {attempts: 2}                            | updated",
                "https  | retry: {attempts: 1}                            | FAILED",
                "https  | retry: {attempts: 0}                            | FAILED",
                "https  | retry: {codes: [500]}                           | FAILED",
                "https  | retryPolicyFiles: [route.yaml]                  | FAILED",
                "memory | retry: {attempts: 3}                            | FAILED"
            })
    void calls_are_repeated_as_the_configuration_says(String via, String config, String outcome) throws IOException {
        file("route.yaml", """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: arm}
            spec:
              parentRefs: [{group: "", kind: Service, name: azure-resource-manager}]
              rules: [{retry: {attempts: 1, codes: [503]}}]
            """);
        CommandLineRun run = replay(FAULTS, via, config);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().filter(line -> line.contains("shop/web")).findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains(outcome));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | false",
                "retryConstraint: {budget: {percent: 0}} | false",
                "'retryConstraint: {budget: {percent: 0, interval: 1h}, minRetryRate: {count: 1, interval: 1h}}' | true"
            })
    void updates_are_repeated_within_the_retry_constraint(String config, boolean held) throws IOException {
        CommandLineRun run = replay(FAULTS.replace("503", "409"), "memory", config);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().contains("the retry budget is exhausted")).isEqualTo(held);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{subscriptionId: s, resourceGroup: r, useFederatedWorkloadIdentityExtension: true}",
                "aadClientSecretFile: /etc/nowhere/secret",
                "caFile: /etc/nowhere/ca.pem",
                "kubeconfig: /etc/nowhere/kubeconfig",
                "SubscriptionId: <subscription>",
                "authorityHost: 7",
                "loadBalancerTag: {name: cluster}",
                "leaderElection: 5",
                "location: <region>"
            })
    void keys_about_credentials_subscription_and_cluster_are_not_read(String config) throws IOException {
        CommandLineRun run = replay(FAULTS, "https", config);

        assertThat(run.exitCode()).isZero();
    }

    @Test
    void neither_is_the_environment() throws Exception {
        ProcessBuilder replay = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "replay",
                        "--via",
                        "memory",
                        "--config",
                        file("config.yaml", "{}"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile());
        replay.environment().put("POD_NAMESPACE", "Bad");
        replay.environment().put("HTTPS_PROXY", "socks5://proxy");
        replay.environment().put("AZURE_CLIENT_ID", "<client-id>");

        assertThat(replay.start().waitFor())
                .as(Files.readString(folder.resolve("out")))
                .isZero();
    }

    @Test
    void other_keys_are() throws IOException {
        CommandLineRun run = LabRun.of("replay", "--config", file("config.yaml", "updateModel: none\nretry: {no: 1}"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("updateModel", "retry.no");
    }

    private CommandLineRun replay(String faults, String via, String config) throws IOException {
        CommandLineRun run = LabRun.of(
                "replay",
                file("recording.jsonl", RECORDING),
                "--inventory",
                file("inventory.json", INVENTORY),
                "--faults",
                file("faults.json", faults),
                "--via",
                via,
                "--config",
                file("config.yaml", config));
        assertThat(run.err()).isEmpty();
        return run;
    }
}

package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.ForeignText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckConfigCommandTest {

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        Files.writeString(folder.resolve("kube.yaml"), "{kind: Config, apiVersion: v1, contexts: [], clusters: []}");
        Files.writeString(folder.resolve("no.pem"), "no certificate");
        Files.writeString(folder.resolve("token.yaml"), """
            {kind: Config, apiVersion: v1, current-context: a, contexts: [{name: a, context: {cluster: b, user: c}}],
             clusters: [{name: b, cluster: {server: 'https://127.0.0.1:1'}}],
             users: [{name: c, user: {tokenFile: gone}}]}
            """);
        return Files.writeString(folder.resolve("poolkeeper.yaml"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "updateModel: diff",
                "kind: Deployment\nspec: {replicas: 2}",
                "subscriptionId: SUBSCRIPTION-ID\nresourceGroup: g",
                "subscriptionId: s\nresourceGroup: RESOURCE-GROUP",
                "subscriptionId: s\nresourceGroup: g\ntenantId: TENANT-ID\naadClientId: CLIENT-ID\naadClientSecret: x",
                "subscriptionId: s\nresourceGroup: g\ncaFile: no.pem",
                "subscriptionId: s\nresourceGroup: g\nkubeconfig: kube.yaml\nkubeContext: blue",
                "subscriptionId: s\nresourceGroup: g\nkubeconfig: no.pem",
                "subscriptionId: s\nresourceGroup: g\ntenantId: t\naadClientId: c\naadClientCertPath: none.pfx",
                "subscriptionId: s\nresourceGroup: g\ntenantId: t\naadClientId: c\naadClientCertPath: no.pem",
                "subscriptionId: s\nresourceGroup: g\nkubeconfig: token.yaml",
            })
    @Rule(
            id = "I25",
            says = "check-config refuses what run refuses in the file and the files that it names, with the same"
                    + " lines.",
            source = "contract, The command line")
    void check_config_reports_the_same_lines_as_run(String text) throws IOException {
        Path file = file(text);

        CommandLineRun check = CommandLineRun.of("check-config", file.toString());
        CommandLineRun run = CommandLineRun.of("run", "--config", file.toString());

        assertThat(check.exitCode()).isEqualTo(2);
        assertThat(check.out()).isEmpty();
        assertThat(check.errLines()).isNotEmpty().allMatch(line -> line.startsWith("poolkeeper: "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).isEqualTo(check.errLines());
    }

    @Test
    void a_placeholder_left_in_the_manifest_is_reported() throws IOException {
        Path file = file("subscriptionId: SUBSCRIPTION-ID\nresourceGroup: g");

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactly("poolkeeper: " + file + ": subscriptionId: found \"SUBSCRIPTION-ID\", which is a"
                        + " placeholder; must be replaced by your value");
    }

    @Test
    void missing_keys_are_reported_one_by_one() throws IOException {
        Path file = file("safetyBrake: {percent: 101}");

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactlyInAnyOrder(
                        "poolkeeper: " + file + ": subscriptionId: is missing, must be set for a daemon",
                        "poolkeeper: " + file + ": resourceGroup: is missing, must be set for a daemon",
                        "poolkeeper: " + file
                                + ": safetyBrake.percent: found 101, must be a whole number from 0 to 100");
    }

    /** As in the cloud provider's examples. */
    @Test
    @Rule(
            id = "I30",
            says = "Each placeholder in a configuration is a fault that names its key: <…>, ${…}, $(…), {{…}}, and"
                    + " the key's name in capitals; also in keys that have no effect here.",
            source = "ours; kubernetes-sigs/cloud-provider-azure examples/azure.json")
    void every_placeholder_is_reported_with_its_key() throws IOException {
        Path file = file("""
            {"cloud": "AzurePublicCloud", "tenantId": "<tenant-id>", "subscriptionId": "${AZURE_SUBSCRIPTION_ID}",
             "resourceGroup": "<resource-group-name>", "aadClientId": "<client-id>",
             "aadClientSecret": "<client-secret>", "location": "<location>", "vnetName": "${CLUSTER_NAME}-vnet",
             "resourceManagerEndpoint": "<arm>", "tags": "a=b,c=d",
             "multipleStandardLoadBalancerConfigurations": [{"name": "kubernetes"}, {"name": "${CLUSTER_NAME}",
               "primaryVMSet": "${CLUSTER_NAME}-mp-0"}]}
            """);

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        String placeholder = ", which is a placeholder; must be replaced by your value";
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactlyInAnyOrder(
                        "poolkeeper: " + file + ": tenantId: found \"<tenant-id>\"" + placeholder,
                        "poolkeeper: " + file + ": subscriptionId: found \"${AZURE_SUBSCRIPTION_ID}\"" + placeholder,
                        "poolkeeper: " + file + ": resourceGroup: found \"<resource-group-name>\"" + placeholder,
                        "poolkeeper: " + file + ": aadClientId: found \"<client-id>\"" + placeholder,
                        "poolkeeper: " + file + ": aadClientSecret: found ***" + placeholder,
                        "poolkeeper: " + file + ": location: found \"<location>\"" + placeholder,
                        "poolkeeper: " + file + ": vnetName: found \"${CLUSTER_NAME}-vnet\"" + placeholder,
                        "poolkeeper: " + file + ": resourceManagerEndpoint: found \"<arm>\"" + placeholder,
                        "poolkeeper: " + file + ": multipleStandardLoadBalancerConfigurations[1].name: found"
                                + " \"${CLUSTER_NAME}\"" + placeholder,
                        "poolkeeper: " + file + ": multipleStandardLoadBalancerConfigurations[1].primaryVMSet: found"
                                + " \"${CLUSTER_NAME}-mp-0\"" + placeholder);
    }

    @ParameterizedTest
    @CsvSource({
        "resourceGroup, MC_<group>_<cluster>_westeurope",
        "vnetName, <cluster>-vnet",
        "vnetName, vnet-<größe 1>",
        "userAssignedIdentityID, /subscriptions/<subscription-id>/resourceGroups/<rg>/x/<name>",
        "location, $(LOCATION)",
        "vnetName, $(cluster.name)-vnet",
        "resourceGroup, {{name}}",
        "vnetName, '{{ .Values.cluster }}-vnet'",
        "aadClientSecretFile, $(SECRET_FILE)",
        "aadClientCertPassword, {{password}}"
    })
    void a_placeholder_may_be_a_part_of_a_value(String key, String value) throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\n".replaceFirst("(?m)^" + key + ": .*\n", "") + key
                + ": '" + value + "'");

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactly("poolkeeper: " + file + ": " + key + ": found "
                        + (key.startsWith("aadClient") ? "***" : JsonObject.shown(TextNode.valueOf(value)))
                        + ", which is a placeholder; must be replaced by your value");
    }

    @ParameterizedTest
    @CsvSource({
        "aadClientCertPassword, a<b>c$(d)e{{f}}g",
        "tags, 'owner=Anna <anna@example.com>'",
        "tags, 'size=1 < 2 > 0, price=$(5), {}'"
    })
    void a_mere_character_is_no_placeholder(String key, String value) throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\n" + key + ": '" + value + "'");

        assertThat(CommandLineRun.of("check-config", file.toString()).exitCode())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "subscriptionId, SUBSCRIPTION_ID",
        "subscriptionId, SUBSCRIPTIONID",
        "subscriptionId, YOUR-SUBSCRIPTION-ID",
        "resourceGroup, RESOURCE_GROUP",
        "tenantId, TENANT-ID",
        "aadClientId, CLIENT-ID",
        "aadClientId, AAD_CLIENT_ID",
        "vnetName, VNET-NAME"
    })
    void a_keys_name_in_capitals_is_a_placeholder(String key, String value) throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\n".replaceFirst("(?m)^" + key + ": .*\n", "") + key + ": "
                + value);

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactly("poolkeeper: " + file + ": " + key + ": found \"" + value
                        + "\", which is a placeholder; must be replaced by your value");
    }

    @ParameterizedTest
    @CsvSource({
        "serviceGatewayEnabled, true, 1",
        "serviceGatewayEnabled, false, 0",
        "loadBalancerBackendPoolConfigurationType, nodeIPConfiguration, 1",
        "loadBalancerBackendPoolConfigurationType, podIP, 1",
        "loadBalancerBackendPoolConfigurationType, nodeIP, 0",
        "loadBalancerBackendPoolConfigurationType, NODEIP, 0",
        "loadBalancerSku, service, 1",
        "loadBalancerSku, basic, 1",
        "loadBalancerSku, Standard, 0",
        "preConfiguredBackendPoolLoadBalancerTypes, all, 1",
        "preConfiguredBackendPoolLoadBalancerTypes, '', 0",
        "preConfiguredBackendPoolLoadBalancerTypes, none, 0",
        "preConfiguredBackendPoolLoadBalancerTypes, None, 0",
        "preConfiguredBackendPoolLoadBalancerTypes, ' none ', 0",
        "LOADBALANCERSKU, basic, 1",
        "servicegatewayenabled, TRUE, 1",
        "vmType, standard, 0"
    })
    @Rule(
            id = "I31",
            says = "check-config and run warn of each key of the cloud provider with whose value no pool can be"
                    + " managed, with the value found and the value allowed.",
            source = "ours; kubernetes-sigs/cloud-provider-azure pkg/provider/azure.go")
    void a_key_with_which_no_pool_can_be_managed_is_a_warning(String key, String value, int warnings)
            throws IOException {
        Path file =
                file("subscriptionId: s\nresourceGroup: g\nmultipleStandardLoadBalancerConfigurations: [{name: k}]\n"
                        + key + ": '" + value + "'");

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.errLines())
                .hasSize(warnings)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("warning: " + file + ": " + key + ": found \"" + value
                                + "\", with which no pool can be managed: ")
                        .contains("; must be "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "serviceGatewayEnabled",
                "loadBalancerBackendPoolConfigurationType",
                "loadBalancerSku",
                "preConfiguredBackendPoolLoadBalancerTypes"
            })
    void a_key_of_the_cloud_provider_without_a_value_is_no_warning(String key) throws IOException {
        for (String value : List.of("null", "~", "", "''", "'  '")) {
            Path file = file("subscriptionId: s\nresourceGroup: g\n"
                    + "multipleStandardLoadBalancerConfigurations: [{name: k}]\n" + key + ": " + value);

            assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                    .as(value)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2020-03-01", "2018-11-01", "2025-13-01", "2025-03-32", "latest", "2025-03-01-beta", "25-03-01"})
    void an_api_version_is_a_date_with_pools_of_addresses(String version) throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\nnetworkApiVersion: '" + version + "'");

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactly("poolkeeper: " + file + ": networkApiVersion: found \"" + version
                        + "\", must be a date from 2020-04-01 on, such as 2021-01-01, perhaps followed by -preview");
    }

    @Test
    void each_value_is_printed_with_where_it_comes_from() throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\n");

        List<String> lines =
                CommandLineRun.of("check-config", file.toString()).out().lines().toList();
        JsonNode json = JsonMapper.builder()
                .build()
                .readTree(CommandLineRun.of("check-config", file.toString(), "--output", "json")
                        .out());

        assertThat(lines)
                .anyMatch(line -> line.matches("resourceGroup +=.* g  \\(" + Pattern.quote(file.toString()) + "\\)"))
                .allMatch(line -> line.indexOf(" = ") == lines.getFirst().indexOf(" = "));
        assertThat(json.properties()).extracting(Map.Entry::getKey).containsExactly("values");
        assertThat(json.path("values"))
                .extracting(value -> value.path("key").asText() + " = "
                        + ForeignText.line(value.path("value").asText()) + "  ("
                        + value.path("origin").asText() + ")")
                .isEqualTo(lines.stream()
                        .map(line -> line.replaceFirst(" += ", " = "))
                        .toList());
    }

    @Test
    void each_warning_is_printed_beside_the_values() throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\nloadBalancerSku: basic\nserviceGatewayEnabled: true\n"
                + "multipleStandardLoadBalancerConfigurations: [{name: k}]\n");

        for (String format : List.of("text", "json")) {
            CommandLineRun run = CommandLineRun.of("check-config", file.toString(), "--output", format);

            assertThat(run.exitCode()).isZero();
            assertThat(run.errLines()).hasSize(2).allMatch(line -> line.startsWith("warning: " + file + ": "));
            assertThat(run.out()).contains("resourceGroup").doesNotContain("warning");
        }
    }

    @Test
    void another_format_is_refused() throws IOException {
        Path file = file("subscriptionId: s\nresourceGroup: g\n");

        for (String format : List.of("yaml", "JSON", "")) {
            CommandLineRun run = CommandLineRun.of("check-config", file.toString(), "--output", format);

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.errLines())
                    .containsExactly("poolkeeper: --output: found \"" + format + "\", must be one of text, json");
        }
    }
}

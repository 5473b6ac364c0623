package dev.poolkeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final String PLACE = """
        subscriptionId: s-1
        resourceGroup: g-1
        multipleStandardLoadBalancerConfigurations: [{name: kubernetes}]
        """;

    @TempDir
    private Path folder;

    private Configuration read(String text) throws IOException, BadInputException {
        return ConfigurationReader.read(file(text), Map.of());
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("poolkeeper.yaml"), text);
    }

    @ParameterizedTest
    @CsvSource({"{}", "'{\"vmType\": \"standard\"}'", "vmType: standard"})
    void without_settings_the_defaults_apply(String text) throws Exception {
        Configuration configuration = read(text);

        assertThat(configuration.updateInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(configuration.engine().maxRetries()).isEqualTo(3);
        assertThat(configuration.engine().model()).isEqualTo(UpdateModel.DESIRED_STATE);
        assertThat(configuration.warnings()).isEmpty();
        assertThat(configuration.values())
                .allSatisfy(value -> assertThat(value.origin()).isEqualTo("default"))
                .extracting(Configuration.EffectiveValue::key)
                .containsExactlyElementsOf(Keys.all().stream().map(Key::name).toList());
    }

    @Test
    void every_setting_is_read() throws Exception {
        Configuration configuration = read("""
            loadBalancerBackendPoolUpdateIntervalInSeconds: 7
            loadBalancerBackendPoolUpdateMaxRetries: 5
            updateModel: diff
            """);

        assertThat(configuration.updateInterval()).isEqualTo(Duration.ofSeconds(7));
        assertThat(configuration.engine().maxRetries()).isEqualTo(5);
        assertThat(configuration.engine().model()).isEqualTo(UpdateModel.DIFF);
    }

    @Test
    @Rule(
            id = "D22.2",
            says = "An explicit 0 for maxRetries is not the default: it stays 0 through the configuration.",
            source = "design document, Tests 22")
    void an_explicit_zero_for_max_retries_stays_zero() throws Exception {
        assertThat(read("loadBalancerBackendPoolUpdateMaxRetries: 0").engine().maxRetries())
                .isZero();
        assertThat(read("{\"loadBalancerBackendPoolUpdateMaxRetries\": null}")
                        .engine()
                        .maxRetries())
                .isEqualTo(3);
        assertThat(read("loadBalancerBackendPoolUpdateMaxRetries: -2").engine().maxRetries())
                .isZero();
    }

    @Test
    void keys_are_case_insensitive_as_in_the_cloud_provider() throws Exception {
        assertThat(read("LoadBalancerBackendPoolUpdateMaxRetries: 1").engine().maxRetries())
                .isEqualTo(1);
        assertThat(read("loadBalancerBackendPoolUpdateIntervalInSeconds: 0").updateInterval())
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @Rule(
            id = "I4",
            says = "A configuration's faults are reported all at once; an unknown key is a warning, with the name that"
                    + " was probably meant.",
            source = "contract, The command line")
    void check_config_reports_all_faults_at_once() throws IOException {
        Path file = file(PLACE + """
            loadBalancerBackendPoolUpdateIntervalInSeconds: -1
            loadBalancerBackendPoolUpdateMaxRetries: many
            updateModel: both
            """);

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines())
                .containsExactly(
                        "poolkeeper: " + file
                                + ": loadBalancerBackendPoolUpdateIntervalInSeconds: found -1, must be a whole"
                                + " number from 0 to 2147483647",
                        "poolkeeper: " + file
                                + ": loadBalancerBackendPoolUpdateMaxRetries: found \"many\", must be a whole"
                                + " number from -2147483648 to 2147483647",
                        "poolkeeper: " + file + ": updateModel: found \"both\", must be one of diff, desired-state");
    }

    @Test
    void check_config_prints_each_effective_value_and_where_it_comes_from() throws IOException {
        Path file = file(PLACE + "updateModel: diff\nloadBalancerBackendPoolUpdateMaxRetrys: 1\n");

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines())
                .startsWith(
                        "loadBalancerBackendPoolUpdateIntervalInSeconds = 30  (default)",
                        "loadBalancerBackendPoolUpdateMaxRetries        = 3  (default)",
                        "updateModel                                    = diff  (" + file + ")");
        assertThat(run.errLines())
                .containsExactly(
                        "warning: " + file + ": loadBalancerBackendPoolUpdateMaxRetrys: unknown key, ignored; did"
                                + " you mean loadBalancerBackendPoolUpdateMaxRetries?");
        assertThat(new ObjectMapper()
                        .readTree(CommandLineRun.of("check-config", "--output", "json", file.toString())
                                .out())
                        .at("/values/2/value")
                        .asText())
                .isEqualTo("diff");
    }

    private List<String> warnings(String unknownKey) throws Exception {
        return ConfigurationReader.read(file(PLACE + unknownKey + ": 1\n"), Map.of())
                .warnings();
    }

    @ParameterizedTest
    @ValueSource(strings = {"providerKeyVersion", "UseInstanceMetadata", "systemTags", "virtualNetworkRateLimit"})
    @Rule(
            id = "I26",
            says = "The cloud provider's keys that have no meaning here are ignored without a warning.",
            source = "contract, The command line")
    void other_keys_of_the_cloud_provider_are_ignored(String key) throws Exception {
        assertThat(warnings(key)).isEmpty();
    }

    /** In the order of their names. */
    @Test
    void none_of_the_other_keys_of_the_cloud_provider_is_reported() throws Exception {
        String keys = """
            aadMSIDataPlaneIdentityPath attachDetachDiskRateLimit auxiliaryTokenProvider auxiliaryTokenSecretURI
            availabilitySetNodesCacheTTLInSeconds availabilitySetRateLimit availabilitySetsCacheTTLInSeconds
            cloudConfigType cloudProviderBackoffDuration cloudProviderBackoffExponent cloudProviderBackoffJitter
            cloudProviderBackoffMode clusterServiceLoadBalancerHealthProbeMode
            clusterServiceSharedLoadBalancerHealthProbePath clusterServiceSharedLoadBalancerHealthProbePort
            containerServiceRateLimit deploymentRateLimit disableAPICallCache disableAvailabilitySetNodes
            disableAzureStackCloud disableOutboundSNAT diskRateLimit enableIPTagMutationForExistingPublicIP
            enableMigrateToIPBasedBackendPoolAPI enableMinimumRetryAfter enableMultipleStandardLoadBalancers
            enableVmssFlexNodes excludeMasterFromStandardLB extendedLocationName extendedLocationType identitySystem
            interfaceRateLimit listVmssVirtualMachinesWithoutInstanceView loadBalancerBackendPoolConfigurationType
            loadBalancerCacheTTLInSeconds loadBalancerName loadBalancerRateLimit loadBalancerSku location
            maximumLoadBalancerRuleCount nodeInstanceNotFoundGracePeriodInSeconds nodePoolsWithoutDedicatedSLB
            nodePoolsWithoutDedicatedSNAT nonVmssUniformNodesCacheTTLInSeconds nsgCacheTTLInSeconds
            plsCacheTTLInSeconds podCidrIPv4 podCidrIPv6 preConfiguredBackendPoolLoadBalancerTypes
            primaryAvailabilitySetName primaryScaleSetName privateDNSRateLimit privateDNSZoneGroupRateLimit
            privateEndpointRateLimit privateLinkServiceRateLimit privateLinkServiceResourceGroup providerKeyName
            providerKeyVersion providerVaultName publicIPAddressRateLimit publicIPCacheTTLInSeconds
            putVMSSVMBatchSize routeRateLimit routeTableCacheTTLInSeconds routeTableName routeTableRateLimit
            routeTableResourceGroup routeUpdateIntervalInSeconds routeUpdateWaitingInSeconds securityGroupName
            securityGroupRateLimit securityGroupResourceGroup serviceGatewayEnabled snapshotRateLimit
            storageAccountRateLimit subnetName subnetsRateLimit systemTags tags tagsMap useInstanceMetadata
            userAgent virtualMachineRateLimit virtualMachineScaleSetRateLimit virtualMachineSizesRateLimit
            virtualNetworkRateLimit vmCacheTTLInSeconds vmssCacheTTLInSeconds vmssFlexCacheTTLInSeconds
            vmssFlexVMCacheTTLInSeconds vmssVirtualMachinesCacheTTLInSeconds vmType
            """;
        String text = Arrays.stream(keys.strip().split("\\s+"))
                .map(key -> key + ":\n")
                .collect(Collectors.joining());
        assertThat(ConfigurationReader.read(file(PLACE + text), Map.of()).warnings())
                .isEmpty();
        assertThat(ConfigurationReader.read(file(PLACE + text.toUpperCase(Locale.ROOT)), Map.of())
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a, 'unknown key, ignored'",
        "providerKey, 'unknown key, ignored'",
        "amin, 'unknown key, ignored; did you mean admin?'",
        "updateModl, 'unknown key, ignored; did you mean updateModel?'",
        "UPDATEMODL, 'unknown key, ignored; did you mean updateModel?'",
        "directoryRefresh, 'unknown key, ignored; did you mean directoryRefreshIntervalInSeconds?'",
        "cloudProviderRateLimitBucketWrit, 'unknown key, ignored; did you mean cloudProviderRateLimitBucketWrite?'",
        "cloudProviderRateLimitQP, 'unknown key, ignored; did you mean cloudProviderRateLimitQPS?'"
    })
    void a_name_is_suggested_only_if_it_is_close(String key, String warning) throws Exception {
        assertThat(warnings(key)).singleElement().asString().endsWith(": " + key + ": " + warning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "just text", "- a list", "a: b: c", "{\"a\":", "{\"a\":1} x", "a: 1\na: 2", "%"})
    void an_invalid_file_is_refused_with_one_line(String text) throws IOException {
        Path file = file(text);

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().startsWith("poolkeeper: " + file + ": ");
    }

    @Test
    void a_key_in_two_spellings_is_a_fault() throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "check-config", file("updateModel: diff\nUpdateModel: diff\n").toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("is set twice");
    }

    @Test
    void binary_and_missing_files_are_refused() throws IOException {
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

        assertThat(CommandLineRun.of("check-config", binary.toString()).errLines())
                .hasSize(1);
        assertThat(CommandLineRun.of("check-config", folder.toString()).err()).contains("is a directory");
        assertThat(CommandLineRun.of("check-config", "no-such-file").err()).contains("there is no such file");
    }

    @Test
    void a_file_has_a_mebibyte_at_most() throws Exception {
        String longest = "updateModel: diff\n" + "#".repeat((1 << 20) - 18);
        assertThat(read(longest).engine().model()).isEqualTo(UpdateModel.DIFF);
        assertThatThrownBy(() -> read(longest + "#"))
                .isInstanceOf(BadInputException.class)
                .hasMessageEndingWith("poolkeeper.yaml: is larger than 1048576 bytes");
    }

    @Test
    void a_negative_number_of_retries_is_shown_as_what_it_counts_as() throws Exception {
        assertThat(read("loadBalancerBackendPoolUpdateMaxRetries: -2").values())
                .contains(new Configuration.EffectiveValue(
                        "loadBalancerBackendPoolUpdateMaxRetries",
                        "0",
                        folder.resolve("poolkeeper.yaml") + ": -2 counts as 0"));
    }

    @Test
    void the_eager_pace_is_read_and_needs_the_desired_state() throws Exception {
        String eager = """
            loadBalancerBackendPoolUpdatePace: EAGER
            loadBalancerBackendPoolUpdateIntervalInSeconds: 7
            loadBalancerBackendPoolGatherInMilliseconds: 1500
            loadBalancerBackendPoolMaxWaitInSeconds: 90
            """;
        assertThat(read(eager).engine().pace())
                .isEqualTo(new Pace.Eager(Duration.ofMillis(1_500), Duration.ofSeconds(90), Duration.ofSeconds(7)));
        assertThat(read(eager.replace("EAGER", "tick")).engine().pace())
                .isEqualTo(new Pace.Tick(Duration.ofSeconds(7)));
        assertThat(read(eager.replace("loadBalancerBackendPoolUpdatePace: EAGER", "updateModel: diff"))
                        .engine()
                        .pace())
                .isEqualTo(new Pace.Tick(Duration.ofSeconds(7)));
        assertThatThrownBy(() -> read(eager + "updateModel: diff\n"))
                .isInstanceOf(BadInputException.class)
                .hasMessageEndingWith(
                        "loadBalancerBackendPoolUpdatePace: found eager, must be tick with updateModel: diff");
    }
}

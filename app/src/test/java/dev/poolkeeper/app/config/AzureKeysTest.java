package dev.poolkeeper.app.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.proxy.Proxies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AzureKeysTest {

    private static final String PLACE = """
        subscriptionId: s-1
        resourceGroup: g-1
        multipleStandardLoadBalancerConfigurations: [{name: kubernetes}]
        """;
    private static final AzureScope DEFAULT_SCOPE = new AzureScope("s-1", "g-1", "g-1", "s-1", null, "g-1");
    private static final LoadBalancerSelection OURS = LoadBalancerSelection.named(List.of("kubernetes"));

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("poolkeeper.yaml"), text);
    }

    private AzureConfiguration azure(String text) throws IOException, BadInputException {
        return requireNonNull(ConfigurationReader.read(file(text), Map.of()).azure());
    }

    private String effective(String text, String key) throws IOException, BadInputException {
        return ConfigurationReader.read(file(text), Map.of()).values().stream()
                .filter(value -> value.key().equals(key))
                .map(value -> value.value() + " (" + value.origin().replaceFirst(".*poolkeeper.yaml", "file") + ")")
                .findFirst()
                .orElseThrow();
    }

    private void assertFault(String text, String fault) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> ConfigurationReader.read(file, Map.of()))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults()).extracting(Object::toString).containsExactly(file + ": " + fault));
    }

    @Test
    void without_subscription_and_resource_group_there_is_no_azure() throws Exception {
        assertThat(ConfigurationReader.read(file("{}"), Map.of()).azure()).isNull();
        assertThat(ConfigurationReader.read(
                                file("cloud: AzureChinaCloud\naadClientSecret: x\nsubscriptionId: ''\n"), Map.of())
                        .azure())
                .isNull();
    }

    @Test
    void with_subscription_and_resource_group_alone_the_defaults_apply() throws Exception {
        assertThat(azure(PLACE))
                .isEqualTo(new AzureConfiguration(
                        AzureSettings.of(AzureCloud.PUBLIC, DEFAULT_SCOPE).withLoadBalancers(OURS),
                        AzureIdentitySettings.NONE,
                        null,
                        Proxies.NONE));
    }

    @Test
    void every_key_is_read() throws Exception {
        Files.writeString(folder.resolve("ca.pem"), "a certificate");
        AzureConfiguration azure = azure(PLACE + """
            resourceManagerEndpoint: https://localhost:4443
            authorityHost: https://127.0.0.1:5443/
            caFile: ca.pem
            loadBalancerResourceGroup: g-2
            networkResourceSubscriptionID: s-2
            vnetName: v-1
            vnetResourceGroup: g-3
            operationPollIntervalInSeconds: 13
            operationDeadlineInSeconds: 77
            networkApiVersion: 2021-01-01
            tenantId: t-1
            networkResourceTenantID: t-2
            aadClientId: c-1
            aadClientSecret: hush
            aadClientCertPath: /etc/client.pfx
            aadClientCertPassword: quiet
            useManagedIdentityExtension: true
            userAssignedIdentityID: u-1
            useFederatedWorkloadIdentityExtension: true
            aadFederatedTokenFile: /var/token
            cloudProviderRateLimit: true
            cloudProviderRateLimitQPS: 2.5
            cloudProviderRateLimitBucket: 7
            cloudProviderRateLimitQPSWrite: 0.25
            cloudProviderRateLimitBucketWrite: 3
            """);

        assertThat(azure.settings())
                .isEqualTo(new AzureSettings(
                        AzureCloud.at(URI.create("https://localhost:4443"), URI.create("https://127.0.0.1:5443/")),
                        new AzureScope("s-1", "g-1", "g-2", "s-2", "v-1", "g-3"),
                        new PollSettings(Duration.ofSeconds(13), Duration.ofSeconds(13), Duration.ofSeconds(77)),
                        new RateLimit(2.5, 7),
                        new RateLimit(0.25, 3),
                        OURS,
                        "2021-01-01"));
        assertThat(azure.identity())
                .isEqualTo(new AzureIdentitySettings(
                        "t-1", "t-1", "c-1", "hush", "/etc/client.pfx", "quiet", true, "u-1", true, "/var/token"));
        assertThat(azure.caFile()).isEqualTo(folder.resolve("ca.pem"));
        assertThat(azure.toString()).doesNotContain("hush", "quiet");
    }

    @Test
    void an_empty_value_counts_as_absent_as_in_the_cloud_provider() throws Exception {
        AzureConfiguration azure = azure(PLACE + "vnetName: ''\nvnetResourceGroup: ''\naadClientSecret: ''\ncloud: ''\n"
                + "resourceManagerEndpoint: ''\ncaFile: ''\naadClientCertPath: ''\n");

        assertThat(azure.settings().scope()).isEqualTo(DEFAULT_SCOPE);
        assertThat(azure.identity()).isEqualTo(AzureIdentitySettings.NONE);
    }

    @ParameterizedTest
    @CsvSource({"AzureChinaCloud", "azureusgovernmentcloud", "AzurePublicCloud"})
    void a_cloud_is_selected_by_name(String name) throws Exception {
        assertThat(azure(PLACE + "cloud: " + name).settings().cloud()).isEqualTo(AzureCloud.named(name));
        assertThat(effective(PLACE + "cloud: " + name, "cloud")).isEqualTo(name + " (file)");
        assertThat(effective(PLACE + "cloud: " + name, "authorityHost"))
                .isEqualTo(AzureCloud.named(name).authority() + " (default)");
    }

    @Test
    void explicit_endpoints_take_precedence_over_the_clouds_name() throws Exception {
        String text = PLACE + "cloud: AzureStackCloud\nresourceManagerEndpoint: https://arm.local\n"
                + "authorityHost: https://login.local\n";

        assertThat(azure(text).settings().cloud().authority()).isEqualTo(URI.create("https://login.local"));
        assertThat(ConfigurationReader.read(file(text), Map.of()).warnings())
                .containsExactly("cloud: not used, resourceManagerEndpoint takes precedence");
        assertThat(effective(text, "cloud")).isEqualTo("none (file: resourceManagerEndpoint takes precedence)");
    }

    @Test
    void client_side_rate_limits_apply_only_if_enabled() throws Exception {
        String off = PLACE + "cloudProviderRateLimitQPS: 9\ncloudProviderRateLimitBucket: 9\n";
        String on = off + "cloudProviderRateLimit: true\n";

        assertThat(azure(off).settings().readLimit()).isNull();
        assertThat(effective(off, "cloudProviderRateLimitQPS"))
                .isEqualTo("none (file: cloudProviderRateLimit is not true)");
        assertThat(azure(on).settings().readLimit()).isEqualTo(new RateLimit(9, 9));
        assertThat(azure(on).settings().writeLimit()).isEqualTo(new RateLimit(9, 9));
        assertThat(azure(PLACE + "cloudProviderRateLimit: true\ncloudProviderRateLimitQPS: 0\n")
                        .settings()
                        .writeLimit())
                .isEqualTo(new RateLimit(1, 5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cloudProviderBackoff: true, cloudProviderBackoffRetries: 6 | 6 (file: cloudProviderBackoffRetries) |"
                        + " 6 (file)",
                "cloudProviderBackoff: true, cloudProviderBackoffRetries: 0 | 3 (default) | none (file: 0 does not"
                        + " disable retries)",
                "cloudProviderBackoffRetries: 6 | 3 (default) | none (file: cloudProviderBackoff is not true)",
                "cloudProviderBackoff: true | 3 (default) | none (default)",
                "cloudProviderBackoff: true, cloudProviderBackoffRetries: 6, retry: {attempts: 0} | 0 (file) | none"
                        + " (file: retry.attempts takes precedence)",
            })
    void backoff_retries_apply_only_if_positive_and_backoff_is_enabled(
            String keys, String attempts, String backoffRetries) throws Exception {
        String text = "{" + keys + "}";

        assertThat(effective(yaml(text), "retry.attempts")).isEqualTo(attempts);
        assertThat(effective(yaml(text), "cloudProviderBackoffRetries")).isEqualTo(backoffRetries);
        assertThat(ConfigurationReader.read(file(yaml(text)), Map.of())
                        .live()
                        .retries()
                        .policy()
                        .attempts())
                .isEqualTo(Integer.parseInt(attempts.substring(0, 1)));
    }

    @Test
    void a_manifest_takes_precedence_over_backoff_retries() throws Exception {
        Files.writeString(folder.resolve("route.yaml"), """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: retries}
            spec:
              rules:
                - backendRefs: [{kind: Service, name: azure-resource-manager}]
                  retry: {attempts: 2}
            """);
        String text = "retryPolicyFiles: [route.yaml]\ncloudProviderBackoff: true\ncloudProviderBackoffRetries: 6\n";

        assertThat(ConfigurationReader.read(file(text), Map.of())
                        .live()
                        .retries()
                        .policy()
                        .attempts())
                .isEqualTo(2);
        assertThat(effective(text, "cloudProviderBackoffRetries"))
                .startsWith("none (file: ")
                .endsWith(" takes precedence)");
    }

    /** A flow mapping is YAML that does not begin as JSON does. */
    private static String yaml(String flow) {
        return "# keys\n" + flow;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cloud: Heaven | cloud: found \"Heaven\", must be one of AzurePublicCloud, AzureChinaCloud,"
                        + " AzureUSGovernmentCloud",
                "authorityHost: https://a | resourceManagerEndpoint: is missing, must be set together with"
                        + " authorityHost",
                "caFile: none.pem | caFile: found \"none.pem\", must be a PEM file that can be read",
                "vnetName: a/b | vnetName: found \"a/b\", must be a name without slashes and spaces",
                "operationPollIntervalInSeconds: 0 | operationPollIntervalInSeconds: found 0, must be a whole number"
                        + " from 1 to 3600",
                "operationPollIntervalInSeconds: 3601 | operationPollIntervalInSeconds: found 3601, must be a whole"
                        + " number from 1 to 3600",
                "operationDeadlineInSeconds: 0 | operationDeadlineInSeconds: found 0, must be a whole number from 1 to"
                        + " 86400",
                "operationDeadlineInSeconds: 86401 | operationDeadlineInSeconds: found 86401, must be a whole number"
                        + " from 1 to 86400",
                "cloudProviderRateLimitQPS: -1 | cloudProviderRateLimitQPS: found -1, must be a number from 0 to"
                        + " 1000000",
                "cloudProviderRateLimitQPSWrite: 1000001 | cloudProviderRateLimitQPSWrite: found 1000001, must be a"
                        + " number from 0 to 1000000",
                "cloudProviderRateLimitBucket: -1 | cloudProviderRateLimitBucket: found -1, must be a whole number"
                        + " from 0 to 2147483647",
                "cloudProviderRateLimitBucketWrite: 1.5 | cloudProviderRateLimitBucketWrite: found 1.5, must be a"
                        + " whole number from 0 to 2147483647",
                "cloudProviderRateLimit: often | cloudProviderRateLimit: found \"often\", must be true or false",
                "cloudProviderBackoffRetries: -1 | cloudProviderBackoffRetries: found -1, must be a whole number from"
                        + " 0 to 2147483647",
                "useManagedIdentityExtension: 1 | useManagedIdentityExtension: found 1, must be true or false",
                "aadClientSecret: 4711 | aadClientSecret: found ***, must be a string",
                "aadClientCertPassword: [a] | aadClientCertPassword: found ***, must be a string",
            })
    void a_value_out_of_bounds_is_reported_with_the_allowed_range(String key, String fault) throws Exception {
        assertFault(PLACE + key + "\n", fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "subscriptionId: s | resourceGroup: is missing, must be set together with subscriptionId",
                "resourceGroup: g | subscriptionId: is missing, must be set together with resourceGroup",
            })
    void subscription_and_resource_group_are_required_together(String key, String fault) throws Exception {
        assertFault(key, fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a",
                "nowhere",
                "https://user:hush@a",
                "https://a?sig=hush",
                "https://a#b",
                "https://",
                "https://a:65536",
                "https://a/arm",
                "h t"
            })
    void endpoints_are_https_and_carry_no_secret(String address) throws Exception {
        Path file = file(PLACE + "resourceManagerEndpoint: '" + address + "'\nauthorityHost: https://b\n");

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains("must be an absolute https address");
        assertThat(run.err()).doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource({"https://a:65535/, https://b/adfs, ''", "https://a, https://b:65536, authorityHost"})
    void an_issuer_may_have_a_path_and_ports_end_at_65535(String arm, String issuer, String refused) throws Exception {
        Path file = file(PLACE + "resourceManagerEndpoint: " + arm + "\nauthorityHost: " + issuer + "\n");

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.err()).contains(refused);
        assertThat(run.err().contains("must be an absolute https address")).isEqualTo(!refused.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https", "HTTPS", "Https"})
    void the_scheme_of_an_endpoint_is_accepted_in_any_case(String scheme) throws Exception {
        String arm = scheme + "://arm.local";
        String authority = scheme + "://login.local";

        assertThat(azure(PLACE + "resourceManagerEndpoint: " + arm + "\nauthorityHost: " + authority + "\n")
                        .settings()
                        .cloud())
                .isEqualTo(AzureCloud.at(URI.create(arm), URI.create(authority)));
    }

    @Test
    void all_faults_and_missing_credential_keys_are_reported_at_once() throws Exception {
        Path file = file("""
            cloud: Heaven
            subscriptionId: s/1
            resourceGroup: g-1
            aadClientSecret: hush
            cloudProviderRateLimitBucket: -1
            """);

        CommandLineRun run = CommandLineRun.of("check-config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactlyInAnyOrder(
                        "poolkeeper: " + file + ": cloud: found \"Heaven\", must be one of AzurePublicCloud,"
                                + " AzureChinaCloud, AzureUSGovernmentCloud",
                        "poolkeeper: " + file
                                + ": subscriptionId: found \"s/1\", must be a name without slashes and spaces",
                        "poolkeeper: " + file + ": aadClientId: is missing, aadClientSecret needs it",
                        "poolkeeper: " + file + ": tenantId: is missing, aadClientSecret needs it",
                        "poolkeeper: " + file + ": cloudProviderRateLimitBucket: found -1, must be a whole number from"
                                + " 0 to 2147483647");
        assertFault(
                PLACE + "useFederatedWorkloadIdentityExtension: true\naadClientId: c\ntenantId: t\n",
                "aadFederatedTokenFile: is missing, useFederatedWorkloadIdentityExtension needs it");
        assertThat(azure(PLACE + "useManagedIdentityExtension: true\naadClientId: msi\naadClientSecret: msi\n")
                        .identity()
                        .useManagedIdentity())
                .isTrue();
    }

    @Test
    void check_config_masks_secrets() throws Exception {
        Path file = file(PLACE + "tenantId: t\naadClientId: c\naadClientSecret: hush\naadClientCertPassword: quiet\n");

        for (String output : new String[] {"text", "json"}) {
            CommandLineRun run = CommandLineRun.of("check-config", "--output", output, file.toString());
            assertThat(run.exitCode()).isZero();
            assertThat(run.out() + run.err()).contains("***").doesNotContain("hush", "quiet");
        }
        assertThat(effective(Files.readString(file), "aadClientSecret")).isEqualTo("*** (file)");
        assertThat(effective(PLACE, "aadClientSecret")).isEqualTo("none (default)");
    }

    @Test
    void a_secret_may_be_in_its_own_file_and_is_never_shown() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "hush\n");
        String text = PLACE + "tenantId: t\naadClientId: c\naadClientSecretFile: secret\n";

        assertThat(azure(text).identity().clientSecret()).isEqualTo("hush");
        assertThat(effective(text, "aadClientSecretFile")).isEqualTo("secret (file)");
        assertThat(CommandLineRun.of("check-config", file(text).toString()).out())
                .doesNotContain("hush");

        assertFault(
                text + "aadClientSecret: x\n", "aadClientSecretFile: must not be set together with aadClientSecret");
        Files.writeString(secret, "\n");
        assertFault(
                text, "aadClientSecretFile: found \"secret\", must be a readable file that contains only the secret");
        Files.write(secret, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertFault(
                text, "aadClientSecretFile: found \"secret\", must be a readable file that contains only the secret");
    }

    private AzureIdentitySettings identity(String text, Map<String, String> environment) throws Exception {
        return requireNonNull(ConfigurationReader.read(file(text), environment).azure())
                .identity();
    }

    @Test
    @Rule(
            id = "A33",
            says = "The identity has the cloud provider's precedence: AZURE_TENANT_ID, AZURE_CLIENT_ID,"
                + " AZURE_CLIENT_SECRET and AZURE_FEDERATED_TOKEN_FILE take precedence over the file, and the last one"
                + " alone switches workload identity on.",
            source =
                    "https://github.com/kubernetes-sigs/cloud-provider-azure/blob/7b31c76ce2ff602cc2dfec988744d8d0534b448c/pkg/azclient/auth_conf.go")
    void the_environment_takes_precedence_over_the_file_as_in_the_cloud_provider() throws Exception {
        String file = PLACE + "tenantId: t\naadClientId: c\naadClientSecret: hush\naadFederatedTokenFile: /f\n";
        Map<String, String> webhook =
                Map.of("AZURE_TENANT_ID", "T", "AZURE_CLIENT_ID", "C", "AZURE_FEDERATED_TOKEN_FILE", "/var/run/token");

        AzureIdentitySettings settings = identity(file, webhook);
        assertThat(settings.tenantId()).isEqualTo("T");
        assertThat(settings.clientId()).isEqualTo("C");
        assertThat(settings.useWorkloadIdentity()).isTrue();
        assertThat(settings.federatedTokenFile()).isEqualTo("/var/run/token");
        assertThat(identity(file, Map.of("AZURE_CLIENT_SECRET", "quiet")).clientSecret())
                .isEqualTo("quiet");
        assertThat(identity(file, Map.of("AZURE_CLIENT_ID", "", "AZURE_FEDERATED_TOKEN_FILE", "")))
                .isEqualTo(identity(file, Map.of()));
        assertThat(identity(file, Map.of()).useWorkloadIdentity()).isFalse();
    }

    @Test
    void workload_identity_is_read_from_the_environment() throws Exception {
        String file = PLACE + "useFederatedWorkloadIdentityExtension: true\n";
        Map<String, String> webhook =
                Map.of("AZURE_TENANT_ID", "T", "AZURE_CLIENT_ID", "C", "AZURE_FEDERATED_TOKEN_FILE", "/token");

        assertThat(identity(file, webhook).federatedTokenFile()).isEqualTo("/token");
        assertThat(ConfigurationReader.read(file(file), webhook).values())
                .contains(
                        new EffectiveValue("aadClientId", "C", "environment: AZURE_CLIENT_ID"),
                        new EffectiveValue(
                                "useFederatedWorkloadIdentityExtension",
                                "true",
                                "environment: AZURE_FEDERATED_TOKEN_FILE"));
    }

    @Test
    void a_secret_in_the_environment_takes_precedence_over_the_secrets_file() throws Exception {
        String file = PLACE + "tenantId: t\naadClientId: c\naadClientSecretFile: none\n";

        assertThat(identity(file, Map.of("AZURE_CLIENT_SECRET", "quiet")).clientSecret())
                .isEqualTo("quiet");
    }

    @Test
    void a_cloud_with_only_an_endpoint_is_discovered_from_that_endpoint() throws Exception {
        String stack = PLACE + "resourceManagerEndpoint: https://arm.local/\n";

        assertThat(azure(stack).settings().cloud())
                .isEqualTo(AzureCloud.discoveredAt(URI.create("https://arm.local/")));
        assertThat(effective(stack, "authorityHost")).isEqualTo("none (from /metadata/endpoints)");
    }

    @Test
    void the_audience_of_tokens_can_be_set() throws Exception {
        String stack = PLACE + "resourceManagerEndpoint: https://arm.local/\nauthorityHost: https://login.local\n";

        assertThat(azure(stack + "tokenAudience: https://management.stack/guid\n")
                        .settings()
                        .cloud()
                        .audience())
                .isEqualTo("https://management.stack/guid");
        assertThat(azure(PLACE + "tokenAudience: https://a\n").settings().cloud())
                .isEqualTo(AzureCloud.PUBLIC.withAudience("https://a"));
        assertThat(effective(stack, "tokenAudience")).isEqualTo("https://arm.local (default)");
    }

    private Configuration readWith(Map<String, String> environment) throws Exception {
        return ConfigurationReader.read(file(PLACE), environment);
    }

    @Test
    void the_proxy_of_the_environment_is_used_and_shown() throws Exception {
        Configuration both = readWith(Map.of("https_proxy", "proxy:3128", "no_proxy", "a,b"));

        Proxies proxies = requireNonNull(both.azure()).proxies();
        assertThat(proxies.select(URI.create("https://arm.test")).getFirst())
                .isEqualTo(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy", 3128)));
        assertThat(both.values())
                .contains(
                        new EffectiveValue("HTTPS_PROXY", "http://proxy:3128", "environment"),
                        new EffectiveValue("NO_PROXY", "a,b", "environment"));
        assertThat(readWith(Map.of("HTTPS_PROXY", "http://proxy")).values())
                .contains(new EffectiveValue("NO_PROXY", "none", "default"));
        assertThat(readWith(Map.of("NO_PROXY", "a")).values())
                .extracting(EffectiveValue::key)
                .doesNotContain("HTTPS_PROXY", "NO_PROXY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http.proxyHost", "https.proxyHost", "socksProxyHost", "java.net.useSystemProxies"})
    void a_proxy_of_the_jdk_is_not_used_and_a_warning(String property) throws Exception {
        System.setProperty(property, "proxy");
        try {
            assertThat(readWith(Map.of()).warnings())
                    .containsExactly(property + ": not used, HTTPS_PROXY and HTTP_PROXY name the proxies");
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void a_proxy_that_cannot_be_used_is_a_fault() {
        assertThatThrownBy(() -> readWith(Map.of("HTTPS_PROXY", "http://user:hush@proxy:3128")))
                .isInstanceOf(BadInputException.class)
                .hasMessage("HTTPS_PROXY: found \"http://***@proxy:3128\", must be an http proxy such as"
                        + " http://proxy:3128, without user and password; SOCKS and https proxies are not supported");
    }

    @Test
    void workload_identity_requests_tokens_only_in_the_clusters_tenant() throws Exception {
        String file = PLACE + "tenantId: t\nnetworkResourceTenantID: n\naadClientId: c\n"
                + "useFederatedWorkloadIdentityExtension: true\naadFederatedTokenFile: /token\n";

        assertThat(identity(file, Map.of()).networkResourceTenantId()).isEqualTo("t");
        assertThat(identity(PLACE + "tenantId: t\nnetworkResourceTenantID: n\n", Map.of())
                        .networkResourceTenantId())
                .isEqualTo("n");
        assertThat(ConfigurationReader.read(file(file), Map.of()).warnings())
                .containsExactly("networkResourceTenantID: not used with workload identity");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"aadClientSecret\": hush}",
                "{\"aadClientSecret\": \"hush}",
                "{\"aadClientSecret\": \"hu\\qhush\"}",
                "aadClientSecret: *hush",
                "aadClientSecret: {hush",
                "aadClientSecret: \"hush",
                "aadClientSecret: !!hush hush: hush",
                "aadClientSecret: hush: hush",
                "aadClientSecret: x\naadclientsecret: hush",
                "aadClientSecrets: hush",
                "hush",
            })
    void a_secret_in_an_unreadable_file_is_never_shown(String text) throws Exception {
        CommandLineRun run = CommandLineRun.of("check-config", file(text).toString());

        assertThat(run.out() + run.err()).doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        cloud: AzureChinaCloud              | resourceManagerEndpoint           | https://management.chinacloudapi.cn/ (default)
        cloud: AzureChinaCloud              | tokenAudience                     | https://management.core.chinacloudapi.cn (default)
        useFederatedWorkloadIdentityExtension: true, networkResourceTenantID: n, tenantId: t, aadClientId: c, aadFederatedTokenFile: /t | networkResourceTenantID | none (file: not used with workload identity)
        cloudProviderRateLimitQPS: 9        | cloudProviderRateLimitQPS         | none (file: cloudProviderRateLimit is not true)
        cloudProviderRateLimitBucket: 9     | cloudProviderRateLimitBucket      | none (file: cloudProviderRateLimit is not true)
        cloudProviderRateLimitQPSWrite: 9   | cloudProviderRateLimitQPSWrite    | none (file: cloudProviderRateLimit is not true)
        cloudProviderRateLimitBucketWrite: 9 | cloudProviderRateLimitBucketWrite | none (file: cloudProviderRateLimit is not true)
        cloudProviderRateLimit: true, cloudProviderRateLimitQPS: 0          | cloudProviderRateLimitQPS         | 1.0 (file: 0 is the default)
        cloudProviderRateLimit: true, cloudProviderRateLimitBucket: 0       | cloudProviderRateLimitBucket      | 5 (file: 0 is the default)
        cloudProviderRateLimit: true, cloudProviderRateLimitQPS: 7, cloudProviderRateLimitQPSWrite: 0 | cloudProviderRateLimitQPSWrite | 7.0 (file: 0 is the default)
        cloudProviderRateLimit: true, cloudProviderRateLimitBucket: 7, cloudProviderRateLimitBucketWrite: 0 | cloudProviderRateLimitBucketWrite | 7 (file: 0 is the default)
        cloudProviderRateLimit: true, cloudProviderRateLimitQPS: 1000000    | cloudProviderRateLimitQPS         | 1000000.0 (file)
        loadBalancerBackendPoolUpdateIntervalInSeconds: 0 | loadBalancerBackendPoolUpdateIntervalInSeconds | 30 (file: 0 is the default)
        """)
    void each_value_that_another_takes_the_place_of_is_shown_with_the_reason(String keys, String key, String shown)
            throws Exception {
        assertThat(effective(yaml("{subscriptionId: s, resourceGroup: g, " + keys + "}"), key))
                .isEqualTo(shown);
    }

    @Test
    void a_secrets_file_that_the_environment_overrules_is_shown_with_the_reason() throws Exception {
        Path file = file(PLACE + "tenantId: t\naadClientId: c\naadClientSecretFile: none\n");
        assertThat(ConfigurationReader.read(file, Map.of("AZURE_CLIENT_SECRET", "quiet"))
                        .values())
                .contains(new EffectiveValue(
                        "aadClientSecretFile", "none", file + ": AZURE_CLIENT_SECRET takes precedence"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        aadClientSecret: x                  | aadClientSecret
        aadClientSecretFile: secret         | aadClientSecretFile
        aadClientCertPath: client.pfx       | aadClientCertPath
        useFederatedWorkloadIdentityExtension: true, aadFederatedTokenFile: /t | useFederatedWorkloadIdentityExtension
        """)
    void each_credential_needs_a_client_and_a_tenant(String keys, String credential) throws Exception {
        Files.writeString(folder.resolve("secret"), "hush");
        String text = "{subscriptionId: s, resourceGroup: g, " + keys + "}";
        Path file = file(yaml(text));
        assertThatThrownBy(() -> ConfigurationReader.read(file, Map.of()))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults())
                                .extracting(Object::toString)
                                .containsExactly(
                                        file + ": aadClientId: is missing, " + credential + " needs it",
                                        file + ": tenantId: is missing, " + credential + " needs it"));
        String client = text.replace("resourceGroup: g", "resourceGroup: g, aadClientId: c");
        assertThat(azure(yaml(client.replace("aadClientId: c", "aadClientId: c, tenantId: t"))))
                .isNotNull();
        if (!keys.startsWith("useFederated")) { // which requests tokens in the cluster's tenant only
            assertThat(azure(yaml(client.replace("aadClientId: c", "aadClientId: c, networkResourceTenantID: t"))))
                    .isNotNull();
        }
        assertThat(azure(yaml(text.replace(keys, keys + ", useManagedIdentityExtension: true")
                        .replace("useFederatedWorkloadIdentityExtension: true", "dryRun: true"))))
                .as("a managed identity needs neither")
                .isNotNull();
        assertThat(ConfigurationReader.read(file(yaml("{" + keys + "}")), Map.of())
                        .azure())
                .as("without Azure")
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "subscriptionId: s, aadClientId: is missing",
        "resourceGroup: g, aadClientId: is missing",
        "subscriptionId: s, neither",
        "resourceGroup: g, neither"
    })
    void half_a_place_is_checked_like_a_whole_one(String half, String said) throws Exception {
        CommandLineRun run = CommandLineRun.of(
                "check-config", file(half + "\naadClientSecret: x\n").toString());
        assertThat(run.err()).contains(said.equals("neither") ? "is missing, must be set together with" : said);
    }

    @ParameterizedTest
    @CsvSource({"4096, true", "4097, false"})
    void a_secret_has_4096_bytes_at_most(int length, boolean isAllowed) throws Exception {
        Files.writeString(folder.resolve("secret"), "x".repeat(length));
        String text = PLACE + "tenantId: t\naadClientId: c\naadClientSecretFile: secret\n";
        if (isAllowed) {
            assertThat(azure(text).identity().clientSecret()).hasSize(length);
        } else {
            assertFault(
                    text,
                    "aadClientSecretFile: found \"secret\", must be a readable file that contains only the secret");
        }
    }

    @Test
    void every_proxy_of_the_environment_is_shown_and_every_bad_one_reported() throws Exception {
        assertThat(readWith(Map.of("HTTP_PROXY", "plain:8080")).values())
                .contains(
                        new EffectiveValue("HTTPS_PROXY", "none", "default"),
                        new EffectiveValue("HTTP_PROXY", "http://plain:8080", "environment"),
                        new EffectiveValue("NO_PROXY", "none", "default"));
        assertThatThrownBy(() -> readWith(Map.of("HTTPS_PROXY", "socks5://a", "HTTP_PROXY", "ftp://b")))
                .hasMessageContaining("HTTPS_PROXY: found")
                .hasMessageContaining("HTTP_PROXY: found");
    }
}

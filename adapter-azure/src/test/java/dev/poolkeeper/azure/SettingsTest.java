package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.azure.pool.PollSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        '' | https://management.azure.com/ | https://login.microsoftonline.com/ | https://management.core.windows.net/.default
        azurecloud | https://management.azure.com/ | https://login.microsoftonline.com/ | https://management.core.windows.net/.default
        AzurePublicCloud | https://management.azure.com/ | https://login.microsoftonline.com/ | https://management.core.windows.net/.default
        azureChinaCloud | https://management.chinacloudapi.cn/ | https://login.chinacloudapi.cn/ | https://management.core.chinacloudapi.cn/.default
        AzureUSGovernment | https://management.usgovcloudapi.net/ | https://login.microsoftonline.us/ | https://management.core.usgovcloudapi.net/.default
        AZUREUSGOVERNMENTCLOUD | https://management.usgovcloudapi.net/ | https://login.microsoftonline.us/ | https://management.core.usgovcloudapi.net/.default
        """)
    void a_cloud_is_selected_by_the_cloud_providers_name(
            String name, URI resourceManager, URI authority, String scope) {
        for (String spelled : List.of(name, name.toUpperCase(Locale.ROOT), name.toLowerCase(Locale.ROOT))) {
            AzureCloud cloud = AzureCloud.named(spelled);
            assertThat(cloud.resourceManager()).isEqualTo(resourceManager);
            assertThat(cloud.authority()).isEqualTo(authority);
            assertThat(cloud.scope()).isEqualTo(scope);
        }
    }

    @Test
    void an_invalid_value_is_reported_with_the_allowed_values() {
        assertThatThrownBy(() -> AzureCloud.named("AzureMoonCloud"))
                .hasMessage("cloud is \"AzureMoonCloud\", must be one of AzurePublicCloud, AzureChinaCloud,"
                        + " AzureUSGovernmentCloud");
        assertThatThrownBy(() -> AzureCloud.at(URI.create("http://localhost:1"), URI.create("https://localhost:1")))
                .hasMessage(
                        "the resource manager endpoint is \"http://localhost:1\", must be an absolute https address");
        assertThatThrownBy(() -> AzureScope.of("sub", " "))
                .hasMessage("resourceGroup is \" \", must be a name without slashes, not blank");
        assertThatThrownBy(() -> AzureScope.of("sub", "rg").withVnet("a/b"))
                .hasMessage("vnetName is \"a/b\", must be a name without slashes, not blank");
        assertThatThrownBy(() -> new PollSettings(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .hasMessage("polling needs 0 < interval <= maxInterval, got interval=PT2S, maxInterval=PT1S");
        assertThatThrownBy(() -> new PollSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofDays(2)))
                .hasMessage("the operation deadline is PT48H, must be more than 0 and at most PT24H");
        assertThatThrownBy(() -> new RateLimit(Double.NaN, 1))
                .hasMessage("cloudProviderRateLimitQPS is NaN, must be more than 0 and at most 1000000");
        assertThatThrownBy(() -> new RateLimit(1, 0))
                .hasMessage("cloudProviderRateLimitBucket is 0, must be at least 1");
    }

    @Test
    void the_networks_subscription_and_groups_are_used_if_given() {
        AzureScope scope = new AzureScope("sub", "rg", "lb-rg", "net-sub", "vnet", "vnet-rg");
        assertThat(scope.loadBalancerSubscription()).isEqualTo("net-sub");
        assertThat(scope.loadBalancerGroup()).isEqualTo("lb-rg");
        assertThat(scope.vnetId())
                .contains(
                        "/subscriptions/net-sub/resourceGroups/vnet-rg/providers/Microsoft.Network/virtualNetworks/vnet");
        assertThat(AzureScope.of("sub", "rg").withVnet("v").vnetId())
                .contains("/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v");
        assertThat(AzureScope.of("sub", "rg").vnetId()).isEmpty();
    }

    @Test
    void an_invalid_ca_file_is_reported(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("ca.pem"), "no certificate");
        assertThatThrownBy(() -> ArmHttp.clientTrusting(file)).hasMessageStartingWith(file + " must be a PEM file");
        assertThatThrownBy(() -> ArmHttp.clientTrusting(folder.resolve("none")))
                .hasMessageContaining("must be a PEM file");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "http://a, -, -, the resource manager endpoint is \"http://a\"",
                "a, -, -, the resource manager endpoint is \"a\"",
                "https:///a, -, -, the resource manager endpoint is \"https:///a\"",
                "https://u:SECRET@a:x, -, -, the resource manager endpoint is \"https://…@a:x\"",
                "https://a, http://b, c, the authority host is \"http://b\"",
                "https://a, /b, c, the authority host is \"/b\"",
                "https://a, https://b, -, the audience of tokens must not be blank",
                "https://a, https://b, ' ', the audience of tokens must not be blank",
                "https://a, -, '', the audience of tokens must not be blank"
            })
    void a_cloud_that_cannot_be_is_refused(URI resourceManager, URI authority, String audience, String problem) {
        assertThatThrownBy(() -> new AzureCloud(resourceManager, authority, audience))
                .hasMessageStartingWith(problem);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "HTTPS://A, -, -, HTTPS://A/.default",
                "https://a/, -, -, https://a/.default",
                "https://a, -, c/, c/.default",
                "https://a, https://b, c, c/.default"
            })
    void tokens_are_for_the_audience_or_else_the_endpoint(
            URI resourceManager, URI authority, String audience, String scope) {
        assertThat(new AzureCloud(resourceManager, authority, audience).scope()).isEqualTo(scope);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "/", "a/b"})
    void each_part_of_the_scope_is_a_name(String name) {
        List<ThrowingCallable> parts = List.of(
                () -> new AzureScope(name, "b", null, null, null, null),
                () -> new AzureScope("a", name, null, null, null, null),
                () -> new AzureScope("a", "b", name, null, null, null),
                () -> new AzureScope("a", "b", null, name, null, null),
                () -> new AzureScope("a", "b", null, null, name, null),
                () -> new AzureScope("a", "b", null, null, null, name));
        List<String> keys = List.of(
                "subscriptionId",
                "resourceGroup",
                "loadBalancerResourceGroup",
                "networkResourceSubscriptionID",
                "vnetName",
                "vnetResourceGroup");
        for (int i = 0; i < keys.size(); i++) {
            assertThatThrownBy(parts.get(i))
                    .hasMessage("%s is \"%s\", must be a name without slashes, not blank".formatted(keys.get(i), name));
        }
    }

    @Test
    void each_setting_is_replaced_alone() {
        // given
        AzureScope scope = new AzureScope("sub", "rg", "lb-rg", "net-sub", "vnet", "vnet-rg");
        PollSettings polls = new PollSettings(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(4));
        RateLimit reads = new RateLimit(1, 2);
        RateLimit writes = new RateLimit(3, 4);
        LoadBalancerSelection tagged = LoadBalancerSelection.tagged("a", "b");
        AzureSettings all = new AzureSettings(AzureCloud.PUBLIC, scope, polls, reads, writes, tagged, "2021-01-01");
        // then
        assertThat(scope.withVnet("other"))
                .isEqualTo(new AzureScope("sub", "rg", "lb-rg", "net-sub", "other", "vnet-rg"));
        assertThat(all.withPolls(PollSettings.DEFAULT))
                .isEqualTo(new AzureSettings(
                        AzureCloud.PUBLIC, scope, PollSettings.DEFAULT, reads, writes, tagged, "2021-01-01"));
        assertThat(all.withLimits(null, reads))
                .isEqualTo(new AzureSettings(AzureCloud.PUBLIC, scope, polls, null, reads, tagged, "2021-01-01"));
        assertThat(all.withLoadBalancers(LoadBalancerSelection.all()))
                .isEqualTo(new AzureSettings(
                        AzureCloud.PUBLIC, scope, polls, reads, writes, LoadBalancerSelection.all(), "2021-01-01"));
        assertThat(all.withNetworkApiVersion("2022-01-01"))
                .isEqualTo(new AzureSettings(AzureCloud.PUBLIC, scope, polls, reads, writes, tagged, "2022-01-01"));
        assertThat(AzureCloud.PUBLIC.withAudience("a"))
                .isEqualTo(new AzureCloud(
                        URI.create("https://management.azure.com/"),
                        URI.create("https://login.microsoftonline.com/"),
                        "a"));
    }

    @ParameterizedTest
    @CsvSource({
        "PT1S, PT1S, PT1S, true",
        "PT0.001S, PT10S, PT24H, true",
        "PT0S, PT1S, PT1S, false",
        "PT-1S, PT1S, PT1S, false",
        "PT1.001S, PT1S, PT1S, false",
        "PT1S, PT1S, PT0S, false",
        "PT1S, PT1S, PT-1S, false",
        "PT1S, PT1S, PT24H0.001S, false"
    })
    void each_time_of_polling_has_its_bounds(Duration interval, Duration most, Duration deadline, boolean allowed) {
        assertThat(catchThrowable(() -> new PollSettings(interval, most, deadline)) == null)
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "0.001, 1, true",
        "1000000, 2147483647, true",
        "0, 1, false",
        "-1, 1, false",
        "1000000.1, 1, false",
        "Infinity, 1, false",
        "1, 0, false",
        "1, -1, false"
    })
    void each_part_of_a_rate_limit_has_its_bounds(double perSecond, int bucket, boolean allowed) {
        assertThat(catchThrowable(() -> new RateLimit(perSecond, bucket)) == null)
                .isEqualTo(allowed);
    }
}

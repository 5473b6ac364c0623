package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.pool.PollSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    @ParameterizedTest
    @CsvSource({
        "'', https://management.azure.com/, https://login.microsoftonline.com/",
        "azurepubliccloud, https://management.azure.com/, https://login.microsoftonline.com/",
        "AzureChinaCloud, https://management.chinacloudapi.cn/, https://login.chinacloudapi.cn/",
        "AZUREUSGOVERNMENTCLOUD, https://management.usgovcloudapi.net/, https://login.microsoftonline.us/"
    })
    void a_cloud_is_selected_by_the_cloud_providers_name(String name, URI resourceManager, URI authority) {
        AzureCloud cloud = AzureCloud.named(name);
        assertThat(cloud.resourceManager()).isEqualTo(resourceManager);
        assertThat(cloud.authority()).isEqualTo(authority);
        assertThat(cloud.scope()).startsWith("https://").endsWith("/.default").doesNotContain("//.default");
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
}

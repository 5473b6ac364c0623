package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.management.SubResource;
import com.azure.core.management.http.policy.ArmChallengeAuthenticationPolicy;
import com.azure.resourcemanager.network.fluent.LoadBalancerBackendAddressPoolsClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddress;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.contract.BackendPoolsContract;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.SystemTime;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract against real load balancers: {@code ./mvnw -Preal-azure -pl adapter-azure -am verify}. Never part of a
 * normal build.
 *
 * <p>{@code POOLKEEPER_AZURE_SUBSCRIPTION}, {@code POOLKEEPER_AZURE_RESOURCE_GROUP} and {@code POOLKEEPER_AZURE_VNET}
 * name a dedicated resource group with a virtual network 10.0.0.0/8 and fd12::/16 and two Standard load balancers,
 * {@code lb-1} and {@code lb-2}, whose pools are created and deleted. {@code AZURE_TENANT_ID}, {@code AZURE_CLIENT_ID}
 * and {@code AZURE_CLIENT_SECRET} are the credential; without them the default chain is used.
 * {@code POOLKEEPER_AZURE_ENDPOINT} and {@code POOLKEEPER_AZURE_CA_FILE} name an emulator to use instead of Azure.
 */
@Tag("real-azure")
class RealAzureContractTest implements BackendPoolsContract {

    private final String group = required("POOLKEEPER_AZURE_RESOURCE_GROUP");
    private AzurePools pools = connect();
    private LoadBalancerBackendAddressPoolsClient behind = client();

    @BeforeEach
    void emptyGroup() {
        givenNo(POOL);
    }

    @Override
    public BackendPools pools() {
        return pools;
    }

    @Override
    public PoolDirectory directory() {
        return pools;
    }

    @Override
    public void given(PoolKey pool, AddressSet addresses) {
        behind.createOrUpdate(
                group,
                pool.loadBalancer().toString(),
                pool.pool().toString(),
                new BackendAddressPoolInner()
                        .withLoadBalancerBackendAddresses(addresses.stream()
                                .map(address -> new LoadBalancerBackendAddress()
                                        .withName("n-" + address.canonical().replace(':', '-'))
                                        .withIpAddress(address.toString()))
                                .toList())
                        .withVirtualNetwork(scope().vnetId()
                                .map(id -> new SubResource().withId(id))
                                .orElse(null)));
    }

    @Override
    public void givenNo(PoolKey pool) {
        behind.delete(group, pool.loadBalancer().toString(), pool.pool().toString());
    }

    @Test
    void our_identitys_permissions_can_be_read_and_suffice() {
        assertThat(pools.probe().describe()).isEmpty();
    }

    private static AzurePools connect() {
        AzureSettings settings = AzureSettings.of(cloud(), scope());
        return AzurePools.builder(settings, credential(), http(), new SystemTime())
                .build();
    }

    private static LoadBalancerBackendAddressPoolsClient client() {
        return new NetworkManagementClientBuilder()
                .endpoint(cloud().resourceManager().toString())
                .subscriptionId(scope().subscriptionId())
                .defaultPollInterval(Duration.ofSeconds(1))
                .pipeline(new HttpPipelineBuilder()
                        .policies(
                                new RetryPolicy(), new ArmChallengeAuthenticationPolicy(credential(), cloud().scope()))
                        .httpClient(http())
                        .build())
                .buildClient()
                .getLoadBalancerBackendAddressPools();
    }

    private static AzureScope scope() {
        AzureScope scope =
                AzureScope.of(required("POOLKEEPER_AZURE_SUBSCRIPTION"), required("POOLKEEPER_AZURE_RESOURCE_GROUP"));
        return variable("POOLKEEPER_AZURE_VNET").map(scope::withVnet).orElse(scope);
    }

    private static AzureCloud cloud() {
        return variable("POOLKEEPER_AZURE_ENDPOINT")
                .map(endpoint -> AzureCloud.at(URI.create(endpoint), URI.create(endpoint)))
                .orElse(AzureCloud.PUBLIC);
    }

    private static HttpClient http() {
        return variable("POOLKEEPER_AZURE_CA_FILE")
                .map(file -> ArmHttp.clientTrusting(Path.of(file)))
                .orElseGet(ArmHttp::client);
    }

    private static TokenCredential credential() {
        AzureIdentitySettings identity = variable("AZURE_CLIENT_SECRET")
                .map(secret -> AzureIdentitySettings.ofSecret(
                        required("AZURE_TENANT_ID"), required("AZURE_CLIENT_ID"), secret))
                .orElse(AzureIdentitySettings.NONE);
        return AzureCredentials.of(identity, cloud(), http());
    }

    private static String required(String name) {
        return variable(name).orElseThrow(() -> new IllegalStateException("the variable " + name + " is not set"));
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}

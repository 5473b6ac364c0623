package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.management.http.policy.ArmChallengeAuthenticationPolicy;
import com.azure.json.JsonProviders;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import dev.poolkeeper.azure.ScriptedArm.Asked;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.BackendPool;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our requests equal those of the SDK's typed client, as the server sees them over TLS. */
class SdkClientWireTest {

    private ArmHarness harness;
    private AzurePools pools;
    private NetworkManagementClient sdk;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        pools = harness.pools();
        sdk = new NetworkManagementClientBuilder()
                .endpoint(harness.arm.address().toString())
                .subscriptionId(Bodies.SUBSCRIPTION)
                .pipeline(new HttpPipelineBuilder()
                        .policies(new ArmChallengeAuthenticationPolicy(
                                ArmHarness.TOKEN, harness.settings.cloud().scope()))
                        .httpClient(ArmHarness.httpClient())
                        .build())
                .buildClient();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private void assertSentAlike(List<String> headers) {
        Asked theirs = harness.arm.asked().get(harness.arm.asked().size() - 2);
        Asked ours = harness.arm.asked().getLast();
        assertThat(ours.method()).isEqualTo(theirs.method());
        assertThat(ours.path()).isEqualTo(theirs.path());
        assertThat(ours.query()).isEqualTo(theirs.query());
        assertThat(headers).allSatisfy(name -> assertThat(ours.header(name)).isEqualTo(theirs.header(name)));
    }

    @Test
    void a_read_equals_that_of_the_sdk() {
        // given
        harness.arm.then(200, Bodies.everything()).then(200, Bodies.everything());
        // when
        sdk.getLoadBalancerBackendAddressPools().get(Bodies.GROUP, "lb-2", "shop-web");
        ok(pools.read(SHOP_WEB));
        // then
        assertSentAlike(List.of("Accept", "Authorization"));
    }

    @Test
    void a_listing_equals_that_of_the_sdk() {
        // given
        harness.arm.then(200, "{\"value\": []}").then(200, "{\"value\": []}");
        // when
        assertThat(sdk.getLoadBalancers().listByResourceGroup(Bodies.GROUP)).isEmpty();
        ok(pools.list());
        // then
        assertSentAlike(List.of("Accept", "Authorization"));
    }

    @Test
    @Rule(
            id = "A23",
            says = "Requests for pools are, on the wire, those of the Azure SDK's typed client for the same resource:"
                    + " address, API version, headers and body.",
            source = "ours")
    void writing_back_a_read_pool_equals_the_write_of_the_sdk() throws Exception {
        // given
        BackendPool pool = harness.read(pools, Bodies.everything());
        BackendAddressPoolInner model =
                BackendAddressPoolInner.fromJson(JsonProviders.createReader(Bodies.everything()));
        harness.arm.then(200, Bodies.everything()).then(200, Bodies.everything());
        // when
        sdk.getLoadBalancerBackendAddressPools().createOrUpdate(Bodies.GROUP, "lb-2", "shop-web", model);
        ok(pools.write(pool, pool.addresses()));
        // then
        assertSentAlike(List.of("Accept", "Authorization", "Content-Type"));
        List<Asked> asked = harness.arm.asked();
        assertThat(JsonMutator.JSON.readTree(asked.getLast().body()))
                .isEqualTo(JsonMutator.JSON.readTree(asked.get(asked.size() - 2).body()));
    }
}

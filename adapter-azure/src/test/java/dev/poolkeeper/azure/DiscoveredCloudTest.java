package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static dev.poolkeeper.azure.IdentityFixture.TENANT;
import static dev.poolkeeper.azure.IdentityFixture.TOKEN;
import static dev.poolkeeper.azure.IdentityFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.contract.Rule;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The authority and audience of tokens, found at the resource manager. */
@Timeout(120)
class DiscoveredCloudTest {

    @RegisterExtension
    final IdentityFixture identities = new IdentityFixture();

    private static String metadata(URI login) {
        return """
            [{"name": "AzureStack", "resourceManager": "https://ignored.example",
              "authentication": {"loginEndpoint": "%s", "audiences": ["https://stack.example/audience"]}}]\
            """.formatted(login);
    }

    @Test
    @Rule(
            id = "A32",
            says = "If only the resource manager's endpoint is set, the authority and audience of tokens are"
                    + " discovered from its /metadata/endpoints.",
            source = "kubernetes-sigs/cloud-provider-azure, pkg/azclient/cloud.go",
            differs = "Of several clouds the one with our endpoint is used, otherwise the first; the cloud's"
                    + " name is not compared, and one without loginEndpoint yields no token.")
    void a_cloud_with_only_an_endpoint_is_discovered() {
        // given
        URI arm = identities.harness().arm.address();
        AzureIdentitySettings secret = secret();
        identities.harness().settings = AzureSettings.of(
                AzureCloud.discoveredAt(arm), identities.harness().settings.scope());
        AzurePools pools =
                identities.harness().builder(identities.credential(secret)).build();
        identities
                .harness()
                .arm
                .then(503, "")
                .then(200, metadata(arm))
                .then(200, TOKEN)
                .then(200, Bodies.pool())
                .then(200, Bodies.pool());
        // when: the first request gets no response
        assertThat(failure(pools.read(SHOP_WEB)).describe())
                .startsWith("no token for Azure: IOException: /metadata/endpoints returned status 503");
        ok(pools.read(SHOP_WEB));
        ok(pools.read(SHOP_WEB));
        // then
        assertThat(identities.harness().arm.asked())
                .extracting(ScriptedArm.Asked::path)
                .startsWith("/metadata/endpoints", "/metadata/endpoints", "/" + TENANT + "/oauth2/v2.0/token")
                .hasSize(5);
        assertThat(identities.harness().arm.asked().get(2).body())
                .contains("https%3A%2F%2Fstack.example%2Faudience%2F.default");
    }

    @Test
    void of_several_discovered_clouds_the_one_with_our_endpoint_is_used() {
        // given
        URI arm = identities.harness().arm.address();
        AzureCloud cloud = AzureCloud.discoveredAt(arm);
        identities.harness().arm.then(200, """
            [{"name": "A", "resourceManager": "https://a.example",
              "authentication": {"loginEndpoint": "https://login.a.example", "audiences": ["https://a.example"]}},
             {"name": "B", "resourceManager": "%1$s/",
              "authentication": {"loginEndpoint": "%1$s/", "audiences": ["https://b.example"]}}]\
            """.formatted(arm)).then(200, TOKEN);
        // when
        AzureCredentials.of(secret(), cloud, ArmHarness.httpClient())
                .getTokenSync(new TokenRequestContext().addScopes(cloud.scope()));
        // then
        assertThat(identities.harness().arm.asked().getLast().body()).contains("https%3A%2F%2Fb.example%2F.default");
    }

    @Test
    void a_configured_audience_takes_precedence_over_the_clouds() {
        // given
        URI arm = identities.harness().arm.address();
        AzureCloud cloud = AzureCloud.discoveredAt(arm).withAudience("https://ours.example");
        identities.harness().arm.then(200, metadata(arm)).then(200, TOKEN);
        // when
        AzureCredentials.of(secret(), cloud, ArmHarness.httpClient())
                .getTokenSync(new TokenRequestContext().addScopes(cloud.scope()));
        // then
        assertThat(identities.harness().arm.asked().getLast().body()).contains("https%3A%2F%2Fours.example%2F.default");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "[{\"authentication\": {}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"http://plain.example\", \"audiences\": [\"a\"]}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://login.example\", \"audiences\": []}}]"
            })
    void without_discovered_endpoints_there_is_no_token(String metadata) {
        // given
        identities.harness().settings = AzureSettings.of(
                AzureCloud.discoveredAt(identities.harness().arm.address()),
                identities.harness().settings.scope());
        identities.harness().arm.then(200, metadata);
        AzurePools pools =
                identities.harness().builder(identities.credential(secret())).build();
        // when, then
        assertThat(failure(pools.read(SHOP_WEB)).describe())
                .startsWith("no token for Azure")
                .contains("/metadata/endpoints does not name a token authority");
        assertThat(identities.harness().arm.asked()).hasSize(1);
    }

    @Test
    void the_discovered_authority_is_asked_again_without_another_discovery() {
        // given
        AzureCloud cloud = AzureCloud.discoveredAt(identities.harness().arm.address());
        TokenCredential credential = AzureCredentials.of(secret(), cloud, ArmHarness.httpClient());
        identities
                .harness()
                .arm
                .then(200, metadata(identities.harness().arm.address()))
                .then(200, TOKEN)
                .then(200, TOKEN);
        // when: the second request has to reach the authority because of its claims
        TokenRequestContext plain = new TokenRequestContext().addScopes(cloud.scope());
        TokenRequestContext challenged = new TokenRequestContext()
                .addScopes(cloud.scope())
                .setClaims("{\"access_token\":{\"nbf\":{\"essential\":true,\"value\":\"1\"}}}")
                .setCaeEnabled(true);
        credential.getTokenSync(plain);
        credential.getTokenSync(challenged);
        // then
        String authority = "/" + TENANT + "/oauth2/v2.0/token";
        assertThat(identities.harness().arm.asked())
                .extracting(ScriptedArm.Asked::path)
                .containsExactly("/metadata/endpoints", authority, authority);
        assertThat(identities.harness().arm.asked().getFirst().header("Accept")).isEqualTo("application/json");
        assertThat(identities.harness().arm.asked().get(1).body()).doesNotContain("CP1");
        assertThat(identities.harness().arm.asked().get(2).body()).contains("nbf", "CP1");
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 204, 301, 401, 404, 500})
    void only_status_200_has_the_metadata(int status) {
        // given
        AzureCloud cloud = AzureCloud.discoveredAt(identities.harness().arm.address());
        identities.harness().settings =
                AzureSettings.of(cloud, identities.harness().settings.scope());
        identities.harness().arm.then(status, status == 204 ? "" : metadata(URI.create("https://login.example")));
        AzurePools pools =
                identities.harness().builder(identities.credential(secret())).build();
        // when, then
        assertThat(failure(pools.read(SHOP_WEB)).describe())
                .startsWith("no token for Azure: IOException: /metadata/endpoints returned status " + status);
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Identities whose tokens come from the server that also plays ARM. */
final class IdentityFixture implements BeforeEachCallback, AfterEachCallback {

    static final String CLIENT = "22222222-2222-2222-2222-222222222222";
    static final String TENANT = "33333333-3333-3333-3333-333333333333";
    static final String NETWORK_TENANT = "44444444-4444-4444-4444-444444444444";
    static final String TOKEN =
            "{\"token_type\": \"Bearer\", \"expires_in\": 3599, \"access_token\": \"fetched-token\"}";

    static AzureIdentitySettings secret() {
        return secret(null);
    }

    static AzureIdentitySettings secret(@Nullable String networkTenant) {
        return new AzureIdentitySettings(TENANT, networkTenant, CLIENT, "s3cret", null, null, false, null, false, null);
    }

    static AzureIdentitySettings certificate(String file, @Nullable String password) {
        return new AzureIdentitySettings(TENANT, null, CLIENT, null, file, password, false, null, false, null);
    }

    private @Nullable ArmHarness harness;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        harness = new ArmHarness();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        harness().close();
    }

    ArmHarness harness() {
        return Objects.requireNonNull(harness);
    }

    TokenCredential credential(AzureIdentitySettings settings) {
        return AzureCredentials.of(settings, harness().settings.cloud(), ArmHarness.httpClient());
    }

    /** Reads a pool with a new token; returns the body of the request for the token. */
    String readWith(AzureIdentitySettings settings, String tenant) {
        harness().arm.then(200, TOKEN).then(200, Bodies.pool("10.0.0.4"));
        ok(harness().builder(credential(settings)).build().read(SHOP_WEB));
        assertThat(harness().arm.asked().getFirst().path()).isEqualTo("/" + tenant + "/oauth2/v2.0/token");
        assertThat(harness().arm.asked().getLast().header("Authorization")).isEqualTo("Bearer fetched-token");
        return harness().arm.asked().getFirst().body();
    }
}

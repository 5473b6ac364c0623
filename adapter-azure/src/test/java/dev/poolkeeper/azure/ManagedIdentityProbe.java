package dev.poolkeeper.azure;

import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;

/** Requests a token as a managed identity and prints it; runs as a separate process. */
final class ManagedIdentityProbe {

    private ManagedIdentityProbe() {}

    public static void main(String[] args) {
        String endpoint = System.getenv("IDENTITY_ENDPOINT");
        if (endpoint == null || !endpoint.startsWith("http://localhost:")) {
            throw new IllegalStateException("only the loopback may be asked");
        }
        AzureIdentitySettings settings =
                new AzureIdentitySettings(null, null, null, null, null, null, true, args[0], false, null);
        String token = AzureCredentials.of(settings, AzureCloud.PUBLIC, ArmHttp.client())
                .getTokenSync(new TokenRequestContext().addScopes(AzureCloud.PUBLIC.scope()))
                .getToken();
        System.out.println("token " + token);
        System.exit(0);
    }
}

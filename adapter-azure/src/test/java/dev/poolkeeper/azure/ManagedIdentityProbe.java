package dev.poolkeeper.azure;

import static java.util.Objects.requireNonNull;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.azure.identity.CachedTokens;
import dev.poolkeeper.ports.SystemTime;
import reactor.core.scheduler.Schedulers;

/** Requests a token as a managed identity, and another one after that was refused; runs as a separate process. */
final class ManagedIdentityProbe {

    private ManagedIdentityProbe() {}

    public static void main(String[] args) {
        String endpoint = System.getenv("IDENTITY_ENDPOINT");
        if (endpoint == null || !endpoint.startsWith("http://localhost:")) {
            throw new IllegalStateException("only the loopback may be asked");
        }
        AzureIdentitySettings settings =
                new AzureIdentitySettings(null, null, null, null, null, null, true, args[0], false, null);
        TokenRequestContext request = new TokenRequestContext().addScopes(AzureCloud.PUBLIC.scope());
        try (SystemTime time = new SystemTime()) {
            CachedTokens tokens = new CachedTokens(
                    AzureCredentials.of(settings, AzureCloud.PUBLIC, ArmHttp.client()),
                    time,
                    Schedulers.boundedElastic());
            AccessToken first = requireNonNull(tokens.getToken(request).block());
            AccessToken same = requireNonNull(tokens.getToken(request).block());
            tokens.refused(same);
            AccessToken next = requireNonNull(tokens.getToken(request).block());
            System.out.println(first.getToken() + " " + same.getToken() + " " + next.getToken());
        }
        System.exit(0);
    }
}

package dev.poolkeeper.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A credential for a cloud with only Azure Resource Manager's endpoint: before the first token it discovers the
 * authority and the audience there. The result is kept; a failed discovery is repeated for the next token. Thread-safe.
 */
final class DiscoveringCredential implements TokenCredential {

    private final AzureCloud cloud;
    private final HttpClient http;
    private final Function<AzureCloud, TokenCredential> credentials;
    private volatile @Nullable Discovered discovered;

    private record Discovered(AzureCloud cloud, TokenCredential credential) {}

    /** @param credentials creates the credential once the authority is known */
    DiscoveringCredential(AzureCloud cloud, HttpClient http, Function<AzureCloud, TokenCredential> credentials) {
        this.cloud = cloud;
        this.http = http;
        this.credentials = credentials;
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        return discovered()
                .flatMap(known -> known.credential()
                        .getToken(new TokenRequestContext()
                                .addScopes(known.cloud().scope())
                                .setClaims(request.getClaims())
                                .setTenantId(request.getTenantId())
                                .setCaeEnabled(request.isCaeEnabled())));
    }

    private Mono<Discovered> discovered() {
        Discovered known = discovered;
        return known == null ? Mono.defer(this::discover) : Mono.just(known);
    }

    private Mono<Discovered> discover() {
        HttpRequest request = new HttpRequest(HttpMethod.GET, CloudMetadata.addressAt(cloud.resourceManager()))
                .setHeader(HttpHeaderName.ACCEPT, "application/json");
        return http.send(request).flatMap(DiscoveringCredential::body).map(body -> {
            AzureCloud found = CloudMetadata.complete(cloud, body);
            Discovered made = new Discovered(found, credentials.apply(found));
            discovered = made;
            return made;
        });
    }

    private static Mono<byte[]> body(HttpResponse response) {
        return response.getStatusCode() == 200
                ? response.getBodyAsByteArray()
                : Mono.error(new IOException("/metadata/endpoints returned status " + response.getStatusCode()));
    }
}

package dev.poolkeeper.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * A credential of the SDK that can be made again, since the SDK's own cache would provide a refused token until it
 * expires. Thread-safe.
 */
final class RenewableCredential implements TokenCredential {

    private final Supplier<TokenCredential> maker;
    private volatile TokenCredential credential;

    /** @throws IllegalArgumentException as the maker does */
    RenewableCredential(Supplier<TokenCredential> maker) {
        this.maker = maker;
        this.credential = maker.get();
    }

    /** Forgets all tokens. If a file of the credential cannot be read now, the old one stays. */
    void renew() {
        SharedTokens.expire();
        try {
            credential = maker.get();
        } catch (IllegalArgumentException e) {
            // the next token reports what is wrong
        }
    }

    /** The kind of credential. */
    @Override
    public String toString() {
        return credential.getClass().getSimpleName();
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        return credential.getToken(request);
    }
}

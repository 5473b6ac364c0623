package dev.poolkeeper.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Requests a token once per lifetime: five minutes before it expires, or when the endpoint asks for a refresh. If the
 * endpoint does not, msal4j reports the year 1970, and both it and the SDK's cache would fetch a token every 30 s.
 * While no new token is available, the old one is used until it expires. A claims challenge always gets a new token.
 * Thread-safe.
 */
public final class CachedTokens implements TokenCredential {

    private static final Duration BEFORE_END = Duration.ofMinutes(5);

    private final TokenCredential credential;
    private final Time time;
    private final Map<Use, Held> tokens = new ConcurrentHashMap<>();

    public CachedTokens(TokenCredential credential, Time time) {
        this.credential = credential;
        this.time = time;
    }

    /** The scopes and tenant of a token. */
    private record Use(List<String> scopes, @Nullable String tenant) {}

    /** A token and the time at which it is refreshed. */
    private record Held(AccessToken token, Instant refreshAt) {
        static Held of(AccessToken fetched, Instant now) {
            OffsetDateTime said = fetched.getRefreshAt();
            if (said != null && said.toInstant().isAfter(now)) {
                return new Held(fetched, said.toInstant());
            }
            Duration half =
                    Duration.between(now, fetched.getExpiresAt().toInstant()).dividedBy(2);
            OffsetDateTime refreshAt = fetched.getExpiresAt().minus(half.compareTo(BEFORE_END) < 0 ? half : BEFORE_END);
            AccessToken token =
                    new AccessToken(fetched.getToken(), fetched.getExpiresAt(), refreshAt, fetched.getTokenType());
            return new Held(token, refreshAt.toInstant());
        }

        boolean isFresh(Instant now) {
            return now.isBefore(refreshAt);
        }

        boolean isUsable(Instant now) {
            return now.isBefore(token.getExpiresAt().toInstant());
        }
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        return Mono.defer(() -> {
            Use use = new Use(List.copyOf(request.getScopes()), request.getTenantId());
            Held held = tokens.get(use);
            if (held == null || request.getClaims() != null) {
                return fetch(request, use);
            }
            Instant now = time.instant();
            if (held.isFresh(now)) {
                return Mono.just(held.token());
            }
            return held.isUsable(now) ? fetch(request, use).onErrorReturn(held.token()) : fetch(request, use);
        });
    }

    private Mono<AccessToken> fetch(TokenRequestContext request, Use use) {
        return credential.getToken(request).map(fetched -> {
            Held held = Held.of(fetched, time.instant());
            tokens.put(use, held);
            return held.token();
        });
    }
}

package dev.poolkeeper.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.azure.http.ArmTokens;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Requests a token once per lifetime: five minutes before it expires, or when the endpoint asks for a refresh. If the
 * endpoint does not, msal4j reports the year 1970, and both it and the SDK's cache would fetch a token every 30 s.
 *
 * <p>A refresh runs beside the calls, which use the old token as long as it is valid: a slow or silent endpoint delays
 * no one before that. All who need a new token wait for the same request; one that takes longer than a minute is given
 * up. A claims challenge always gets a new token. Thread-safe.
 */
public final class CachedTokens implements ArmTokens {

    private static final Duration BEFORE_END = Duration.ofMinutes(5);

    /** The wait after a refresh that failed, as in the SDK's cache. */
    private static final Duration BEFORE_NEXT = Duration.ofSeconds(30);

    private static final Duration LONGEST_REQUEST = Duration.ofMinutes(1);

    private final TokenCredential credential;
    private final Time time;
    private final Scheduler scheduler;
    private final Map<Use, Held> tokens = new ConcurrentHashMap<>();
    /** Those that have ended are removed: each claims challenge has a key of its own. */
    private final Map<Use, Request> requests = new ConcurrentHashMap<>();

    /** @param scheduler runs the credential, which may block */
    public CachedTokens(TokenCredential credential, Time time, Scheduler scheduler) {
        this.credential = credential;
        this.time = time;
        this.scheduler = scheduler;
    }

    /** The scopes and tenant of a token, and the claims that it has to meet. */
    private record Use(
            List<String> scopes,
            @Nullable String tenant,
            @Nullable String claims) {

        static Use of(TokenRequestContext request) {
            return new Use(List.copyOf(request.getScopes()), request.getTenantId(), request.getClaims());
        }

        /** A token that meets claims serves those who need none. */
        Use withoutClaims() {
            return new Use(scopes, tenant, null);
        }
    }

    /** A request for a token, at the endpoint since this time of the monotonic clock. */
    private record Request(CompletableFuture<AccessToken> token, long since) {

        boolean isPending(long now) {
            return !token.isDone() && now - since < LONGEST_REQUEST.toNanos();
        }
    }

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

        Held refreshedAt(Instant later) {
            return new Held(token, later);
        }

        boolean isFresh(Instant now) {
            return now.isBefore(refreshAt);
        }

        boolean isUsable(Instant now) {
            return now.isBefore(token.getExpiresAt().toInstant());
        }
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext context) {
        return Mono.defer(() -> {
            Use use = Use.of(context);
            Held held = use.claims() == null ? tokens.get(use) : null;
            if (held != null && held.isFresh(time.instant())) {
                return Mono.just(held.token());
            }
            CompletableFuture<AccessToken> request = request(context, use);
            Held usable = use.claims() == null ? tokens.get(use) : null; // perhaps it has been refreshed already
            return usable != null && usable.isUsable(time.instant())
                    ? Mono.just(usable.token())
                    : Mono.fromFuture(request, true);
        });
    }

    /** {@inheritDoc} A credential from {@link AzureCredentials} forgets it, too. */
    @Override
    public void refused(AccessToken token) {
        boolean wasHeld =
                tokens.values().removeIf(held -> held.token().getToken().equals(token.getToken()));
        if (wasHeld && credential instanceof RenewableCredential renewable) {
            renewable.renew();
        }
    }

    /** The request in progress, or a new one. */
    private CompletableFuture<AccessToken> request(TokenRequestContext context, Use use) {
        Request mine = new Request(new CompletableFuture<>(), time.nanoTime());
        requests.values().removeIf(before -> !before.isPending(mine.since())); // given up
        Request current = requests.merge(use, mine, (before, next) -> before.isPending(next.since()) ? before : next);
        if (current.equals(mine)) {
            Mono.defer(() -> credential.getToken(context))
                    .switchIfEmpty(Mono.error(() -> new IllegalStateException("the credential provided no token")))
                    .subscribeOn(scheduler)
                    .subscribe(token -> received(use, mine, token), error -> failed(use, mine, error));
        }
        return current.token();
    }

    private void received(Use use, Request request, AccessToken fetched) {
        Held held = Held.of(fetched, time.instant());
        tokens.put(use.withoutClaims(), held);
        requests.remove(use, request);
        request.token().complete(held.token());
    }

    private void failed(Use use, Request request, Throwable error) {
        Instant next = time.instant().plus(BEFORE_NEXT);
        tokens.computeIfPresent(use.withoutClaims(), (key, held) -> held.isFresh(next) ? held : held.refreshedAt(next));
        requests.remove(use, request);
        request.token().completeExceptionally(error);
    }

    /** How many requests are remembered. */
    int requests() {
        return requests.size();
    }
}

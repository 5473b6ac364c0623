package dev.poolkeeper.azure.http;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends each request with a token. If ARM refuses the token, with status 401 or with a code in another 4xx, the token
 * is dropped and the request is sent once more with a new one, which meets ARM's claims challenge if there is one. The
 * SDK's policy does so only after a challenge, and goes on with a refused token until it expires. Thread-safe.
 */
final class TokenPolicy implements HttpPipelinePolicy {

    private static final Pattern CLAIMS = Pattern.compile("(?i)\\bclaims\\s*=\\s*\"([A-Za-z0-9+/_=-]{1,8192})\"");

    private final ArmTokens tokens;
    private final String scope;

    TokenPolicy(ArmTokens tokens, String scope) {
        this.tokens = tokens;
        this.scope = scope;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        HttpPipelineNextPolicy again = next.clone();
        return token(null)
                .flatMap(token -> send(context, next, token).flatMap(response -> {
                    if (response.getStatusCode() < 400 || response.getStatusCode() > 499) {
                        return Mono.just(response);
                    }
                    HttpResponse kept = response.buffer(); // its body is read here, and again by the caller
                    return AnswerReader.whole(kept)
                            .flatMap(answer -> FailureMapping.isTokenRefusal(answer.status(), answer.error())
                                    ? sendAgain(context, again, token, kept)
                                    : Mono.just(kept));
                }));
    }

    private Mono<HttpResponse> sendAgain(
            HttpPipelineCallContext context, HttpPipelineNextPolicy again, AccessToken token, HttpResponse refusal) {
        tokens.refused(token);
        return token(claims(refusal.getHeaders()))
                .doOnError(none -> refusal.close())
                .flatMap(fresh -> {
                    if (fresh.getToken().equals(token.getToken())) { // the endpoint has no other
                        return Mono.just(refusal);
                    }
                    refusal.close();
                    return send(context, again, fresh);
                });
    }

    private static Mono<HttpResponse> send(
            HttpPipelineCallContext context, HttpPipelineNextPolicy next, AccessToken token) {
        context.getHttpRequest().setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token.getToken());
        return next.process();
    }

    private Mono<AccessToken> token(@Nullable String claims) {
        return tokens.getToken(new TokenRequestContext()
                        .addScopes(scope)
                        .setClaims(claims)
                        .setCaeEnabled(true))
                .onErrorMap(NoTokenException::new);
    }

    /** The claims that a challenge demands; null if there is none that can be read. */
    private static @Nullable String claims(HttpHeaders headers) {
        String challenge = headers.getValue(HttpHeaderName.WWW_AUTHENTICATE);
        Matcher claims = CLAIMS.matcher(challenge == null ? "" : challenge);
        if (!claims.find()) {
            return null;
        }
        try {
            byte[] json = Base64.getUrlDecoder()
                    .decode(claims.group(1).replace('+', '-').replace('/', '_'));
            return new String(json, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // not base64
            return null;
        }
    }
}

package dev.poolkeeper.azure.identity;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class CachedTokensTest {

    /** How msal4j represents a response without {@code refresh_in}. */
    private static final @Nullable OffsetDateTime NO_REFRESH_IN =
            OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC);

    private static final TokenRequestContext SCOPE = new TokenRequestContext().addScopes("https://arm/.default");

    private final FakeTime time = new FakeTime();
    private final Endpoint endpoint = new Endpoint();
    private final TokenCredential tokens = new CachedTokens(endpoint, time);

    /** Issues numbered tokens that are valid for an hour. */
    private final class Endpoint implements TokenCredential {
        private int asked;
        private boolean isDown;
        private @Nullable OffsetDateTime refreshAt = NO_REFRESH_IN;

        @Override
        public Mono<AccessToken> getToken(TokenRequestContext request) {
            return Mono.defer(() -> {
                asked++;
                return isDown
                        ? Mono.error(new IllegalStateException("down"))
                        : Mono.just(new AccessToken("token-" + asked, in(ofMinutes(60)), refreshAt));
            });
        }
    }

    private OffsetDateTime in(Duration duration) {
        return time.instant().plus(duration).atOffset(ZoneOffset.UTC);
    }

    private String token() {
        return tokens.getTokenSync(SCOPE).getToken();
    }

    /** Requests a token every 30 s, as the SDK does when its refresh is due. */
    private void askFor(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end)) {
            token();
            time.advance(ofSeconds(30));
        }
    }

    @Test
    @Rule(
            id = "A29",
            says = "A token is requested once per lifetime, even if the endpoint does not say when to refresh it.",
            source = "ours")
    void without_a_refresh_time_an_hour_takes_two_tokens() {
        // when
        askFor(ofMinutes(54));
        // then
        assertThat(endpoint.asked).isEqualTo(1);
        askFor(ofMinutes(60));
        assertThat(endpoint.asked).isEqualTo(3);
        assertThat(token()).isEqualTo("token-3");
    }

    @Test
    void the_endpoints_refresh_time_is_respected() {
        // given
        endpoint.refreshAt = in(ofMinutes(30));
        // when
        askFor(ofMinutes(30));
        // then
        assertThat(endpoint.asked).isEqualTo(1);
        askFor(ofMinutes(1));
        assertThat(endpoint.asked).isEqualTo(2);
    }

    @Test
    void a_token_has_its_refresh_time() {
        assertThat(tokens.getTokenSync(SCOPE).getRefreshAt()).isEqualTo(in(ofMinutes(55)));
    }

    @Test
    void a_token_without_expiry_is_fetched_once() {
        // given
        TokenCredential endless =
                new CachedTokens(request -> Mono.just(new AccessToken("endless", OffsetDateTime.MAX)), time);
        // when, then
        assertThat(endless.getTokenSync(SCOPE).getRefreshAt()).isAfter(in(Duration.ofDays(365_000)));
    }

    @Test
    void a_token_is_used_until_its_expiry_while_renewal_fails() {
        // given
        token();
        endpoint.isDown = true;
        // when
        time.advance(ofMinutes(59));
        // then
        assertThat(token()).isEqualTo("token-1");
        time.advance(ofMinutes(2));
        assertThatThrownBy(this::token).hasMessage("down");
    }

    @Test
    void a_claims_challenge_gets_a_new_token_that_is_kept() {
        // given
        token();
        TokenRequestContext challenged =
                new TokenRequestContext().addScopes("https://arm/.default").setClaims("{}");
        // when, then
        assertThat(tokens.getTokenSync(challenged).getToken()).isEqualTo("token-2");
        assertThat(token()).isEqualTo("token-2");
    }

    @Test
    void each_scope_has_its_own_token() {
        assertThat(token()).isEqualTo("token-1");
        assertThat(tokens.getTokenSync(new TokenRequestContext().addScopes("https://vault/.default"))
                        .getToken())
                .isEqualTo("token-2");
        assertThat(token()).isEqualTo("token-1");
    }
}

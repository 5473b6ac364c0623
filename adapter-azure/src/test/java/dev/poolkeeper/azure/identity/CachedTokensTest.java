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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

class CachedTokensTest {

    /** How msal4j represents a response without {@code refresh_in}. */
    private static final @Nullable OffsetDateTime NO_REFRESH_IN =
            OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC);

    private static final TokenRequestContext SCOPE = new TokenRequestContext().addScopes("https://arm/.default");

    private final FakeTime time = new FakeTime();
    private final Endpoint endpoint = new Endpoint();
    private final CachedTokens tokens = new CachedTokens(endpoint, time, Schedulers.immediate());

    /** Issues numbered tokens that are valid for an hour. */
    private final class Endpoint implements TokenCredential {
        private int asked;
        private boolean isDown;
        private boolean isSilent;
        private @Nullable OffsetDateTime refreshAt = NO_REFRESH_IN;

        @Override
        public Mono<AccessToken> getToken(TokenRequestContext request) {
            return Mono.defer(() -> {
                asked++;
                return isSilent
                        ? Mono.never()
                        : isDown
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
        TokenCredential endless = new CachedTokens(
                request -> Mono.just(new AccessToken("endless", OffsetDateTime.MAX)), time, Schedulers.immediate());
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
    void a_credential_without_a_token_fails_the_call_at_once() {
        // given
        CachedTokens none = new CachedTokens(request -> Mono.empty(), time, Schedulers.immediate());
        // when, then
        assertThat(none.getToken(SCOPE).toFuture())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingRootCause()
                .withMessage("the credential provided no token");
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

    @Test
    @Rule(
            id = "A37",
            says = "While a token is valid, a token endpoint that is slow, silent or down delays no call: the refresh"
                    + " runs beside them. After a refresh that failed, the next one is half a minute later.",
            source = "ours; Azure/azure-sdk-for-go#19389")
    void a_silent_endpoint_delays_no_one_who_has_a_valid_token() {
        // given
        token();
        endpoint.isSilent = true;
        // when, then
        for (int minute = 0; minute < 60; minute++) {
            assertThat(tokens.getToken(SCOPE).toFuture().getNow(null)).isNotNull();
            time.advance(ofMinutes(1));
        }
        assertThat(tokens.getToken(SCOPE).toFuture()).isNotDone();
        endpoint.isSilent = false;
        time.advance(ofMinutes(2));
        assertThat(token()).startsWith("token-");
    }

    @Test
    void a_challenge_that_waits_for_its_token_delays_no_other_call() {
        // given
        token();
        endpoint.isSilent = true;
        // when
        CompletableFuture<AccessToken> challenged = tokens.getToken(new TokenRequestContext()
                        .addScopes("https://arm/.default")
                        .setClaims("{}"))
                .toFuture();
        // then
        assertThat(challenged).isNotDone();
        assertThat(token()).isEqualTo("token-1");
    }

    @Test
    void all_who_wait_for_the_first_token_wait_for_one_request() {
        // given
        endpoint.isSilent = true;
        // when
        List<CompletableFuture<AccessToken>> waiting = IntStream.range(0, 5)
                .mapToObj(caller -> tokens.getToken(SCOPE).toFuture())
                .toList();
        // then
        assertThat(endpoint.asked).isEqualTo(1);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        time.advance(ofSeconds(61)); // no request is waited for longer than a minute
        endpoint.isSilent = false;
        assertThat(token()).isEqualTo("token-2");
    }

    @Test
    void a_refresh_that_failed_is_not_repeated_for_each_call() {
        // given
        token();
        endpoint.isDown = true;
        time.advance(ofMinutes(56));
        // when
        for (int i = 0; i < 100; i++) {
            token();
        }
        // then
        assertThat(endpoint.asked).isEqualTo(2);
        time.advance(ofSeconds(30));
        token();
        assertThat(endpoint.asked).isEqualTo(3);
    }

    @Test
    void a_refused_token_is_not_provided_again() {
        // given
        AccessToken first = tokens.getTokenSync(SCOPE);
        // when
        tokens.refused(first);
        // then
        assertThat(token()).isEqualTo("token-2");
        tokens.refused(first); // by another call, later
        assertThat(token()).isEqualTo("token-2");
    }

    static Stream<Supplier<Mono<AccessToken>>> failures() {
        return Stream.of(
                () -> Mono.error(new IllegalStateException("down")),
                Mono::empty,
                () -> {
                    throw new IllegalStateException("thrown at once");
                },
                () -> null);
    }

    /** Credentials are others' code, which need not keep to the rules of a publisher. */
    @ParameterizedTest
    @MethodSource("failures")
    void whichever_way_a_credential_fails_the_next_call_asks_it_again(Supplier<Mono<AccessToken>> failure) {
        // given
        AtomicBoolean isBroken = new AtomicBoolean(true);
        CachedTokens some = new CachedTokens(
                request -> isBroken.get() ? failure.get() : endpoint.getToken(request), time, Schedulers.immediate());
        // when, then
        for (int call = 0; call < 3; call++) {
            assertThat(some.getToken(SCOPE).toFuture()).isCompletedExceptionally();
        }
        isBroken.set(false);
        assertThat(some.getToken(SCOPE).toFuture().getNow(null)).isNotNull();
    }

    @Test
    void a_request_is_forgotten_once_it_has_ended_or_was_given_up() {
        for (int i = 0; i < 10; i++) {
            endpoint.isDown = i % 2 == 0;
            TokenRequestContext challenged =
                    new TokenRequestContext().addScopes("https://arm/.default").setClaims("{\"nbf\":" + i + "}");
            tokens.getToken(challenged).onErrorComplete().block();
        }
        assertThat(tokens.requests()).isZero();
        // and if the endpoint is silent
        endpoint.isSilent = true;
        for (int i = 0; i < 10; i++) {
            TokenRequestContext challenged =
                    new TokenRequestContext().addScopes("https://arm/.default").setClaims("{\"exp\":" + i + "}");
            tokens.getToken(challenged).subscribe();
            time.advance(ofMinutes(2));
        }
        assertThat(tokens.requests()).isEqualTo(1);
    }

    @Test
    void a_refresh_that_failed_is_repeated_after_half_a_minute_and_not_before() {
        // given
        token();
        endpoint.isDown = true;
        time.advance(ofMinutes(55));
        token();
        assertThat(endpoint.asked).isEqualTo(2);
        // when, then
        time.advance(ofSeconds(30).minusMillis(1));
        token();
        assertThat(endpoint.asked).isEqualTo(2);
        time.advance(Duration.ofMillis(1));
        token();
        assertThat(endpoint.asked).isEqualTo(3);
    }

    @Test
    void a_challenge_that_failed_leaves_a_fresh_token_its_refresh_time() {
        // given
        token();
        endpoint.isDown = true;
        TokenRequestContext challenged =
                new TokenRequestContext().addScopes("https://arm/.default").setClaims("{}");
        assertThat(tokens.getToken(challenged).toFuture()).isCompletedExceptionally();
        endpoint.isDown = false;
        // when
        time.advance(ofMinutes(54));
        // then
        assertThat(token()).isEqualTo("token-1");
        assertThat(endpoint.asked).isEqualTo(2);
    }

    @Test
    void a_request_that_failed_is_forgotten_at_once() {
        endpoint.isDown = true;

        assertThat(tokens.getToken(SCOPE).toFuture()).isCompletedExceptionally();

        assertThat(tokens.requests()).isZero();
    }

    @Test
    void each_tenant_has_its_own_token() {
        for (String tenant : List.of("a", "b", "a")) {
            tokens.getTokenSync(
                    new TokenRequestContext().addScopes("https://arm/.default").setTenantId(tenant));
        }
        assertThat(endpoint.asked).isEqualTo(2);
    }

    @Test
    void a_caller_that_gives_up_ends_the_request_for_no_one_else() {
        // given
        Sinks.One<AccessToken> answer = Sinks.one();
        CachedTokens slow = new CachedTokens(request -> answer.asMono(), time, Schedulers.immediate());
        Disposable first = slow.getToken(SCOPE).subscribe();
        CompletableFuture<AccessToken> second = slow.getToken(SCOPE).toFuture();
        // when
        first.dispose();
        answer.tryEmitValue(new AccessToken("late", in(ofMinutes(60))));
        // then
        assertThat(second.getNow(null)).extracting(AccessToken::getToken).isEqualTo("late");
    }

    @Test
    void only_a_token_that_is_held_makes_the_credential_forget_all_of_its_own() {
        // given
        AtomicInteger made = new AtomicInteger();
        CachedTokens renewing = new CachedTokens(
                new RenewableCredential(() -> {
                    made.incrementAndGet();
                    return endpoint;
                }),
                time,
                Schedulers.immediate());
        AccessToken first = renewing.getTokenSync(SCOPE);
        // when
        renewing.refused(new AccessToken("another", in(ofMinutes(60))));
        // then
        assertThat(made).hasValue(1);
        renewing.refused(first);
        assertThat(made).hasValue(2);
        renewing.refused(first); // by another call, later
        assertThat(made).hasValue(2);
    }

    @Test
    void a_credential_that_cannot_be_made_again_stays_as_it_is() {
        // given
        AtomicBoolean isGone = new AtomicBoolean();
        CachedTokens renewing = new CachedTokens(
                new RenewableCredential(() -> {
                    if (isGone.get()) {
                        throw new IllegalArgumentException("the file is gone");
                    }
                    return endpoint;
                }),
                time,
                Schedulers.immediate());
        AccessToken first = renewing.getTokenSync(SCOPE);
        isGone.set(true);
        // when
        renewing.refused(first);
        // then
        assertThat(renewing.getTokenSync(SCOPE).getToken()).isEqualTo("token-2");
    }
}

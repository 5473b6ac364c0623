package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Answers of ARM that refuse a token. */
class RefusedTokensTest {

    private static final String EXPIRED = Bodies.error("ExpiredAuthenticationToken", "The token has expired.");

    private final List<@Nullable String> claims = new ArrayList<>();
    private boolean isStubborn;
    private ArmHarness harness;
    private AzurePools pools;

    /** Issues T1, T2 and so on, or always T1. */
    private Mono<AccessToken> next(TokenRequestContext request) {
        claims.add(request.getClaims());
        return Mono.just(new AccessToken("T" + (isStubborn ? 1 : claims.size()), OffsetDateTime.MAX));
    }

    @BeforeEach
    void start() throws IOException {
        harness = new ArmHarness();
        TokenCredential credential = this::next;
        pools = harness.builder(credential).build();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private List<String> sent() {
        return harness.arm.asked().stream()
                .map(asked -> asked.method() + " " + asked.header("Authorization"))
                .toList();
    }

    /** Refuses these tokens, with this challenge. */
    private void refuse(String challenge, String... tokens) {
        harness.arm.otherwise(
                asked -> List.of(tokens).contains(asked.header("Authorization").substring("Bearer ".length()))
                        ? ScriptedArm.answer(401, EXPIRED, "WWW-Authenticate", challenge)
                        : ScriptedArm.answer(200, Bodies.pool("10.0.0.4")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer authorization_uri=\"https://login.example\", error=\"invalid_token\"",
                "Bearer claims=\"***\"",
                "Bearer claims=\"\"",
                "Bearer claims=\"A\"",
                "Bearer claims=\"AA=A\"",
                "Basic"
            })
    @Rule(
            id = "A38",
            says = "A 401, or another 4xx whose code says that the token was refused, drops the token, and the"
                    + " request is sent once more with a new one. If that is refused, too, the failure is"
                    + " permanent and says to check the identity and the clock.",
            source = "ours; Azure/azure-sdk-for-net#16718",
            differs = "Go drops the token as well, and sends the request again at the next reconcile.")
    void a_refused_token_is_replaced_and_the_request_sent_again(String challenge) {
        // given
        refuse(challenge, "T1");
        // when
        BackendPool read = ok(pools.read(SHOP_WEB));
        // then
        assertThat(read.addresses()).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(sent()).containsExactly("GET Bearer T1", "GET Bearer T2");
        assertThat(claims).containsExactly(null, null);
        ok(pools.read(SHOP_WEB));
        assertThat(sent()).endsWith("GET Bearer T2").hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"claims=", "Claims = ", "error=\"insufficient_claims\", CLAIMS="})
    void a_challenge_names_the_claims_of_the_new_token(String field) {
        // given
        refuse("Bearer " + field + "\"eyJhIjoi_z8ifQ==\"", "T1");
        // when
        ok(pools.read(SHOP_WEB));
        // then
        assertThat(sent()).containsExactly("GET Bearer T1", "GET Bearer T2");
        assertThat(claims).hasSize(2).last().asString().startsWith("{\"a\":\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"eyJhIjoi_z8ifQ==", "eyJhIjoi_z8ifQ", "eyJhIjoi/z8ifQ==", "eyJhIjoi-z8ifQ==", "eyJhIjoi+z8ifQ"})
    void claims_are_read_in_both_alphabets_of_base64(String encoded) {
        // given
        refuse("Bearer claims=\"" + encoded + "\"", "T1");
        // when
        ok(pools.read(SHOP_WEB));
        // then
        assertThat(claims).hasSize(2).last().asString().startsWith("{\"a\":\"").endsWith("\"}");
    }

    @Test
    void each_token_is_one_that_azure_may_revoke_for_the_scope_of_the_cloud() {
        // given
        List<TokenRequestContext> requests = new ArrayList<>();
        TokenCredential credential = request -> {
            requests.add(request);
            return next(request);
        };
        refuse("Bearer", "T1");
        // when
        ok(harness.builder(credential).build().read(SHOP_WEB));
        // then
        assertThat(requests).hasSize(2).allSatisfy(request -> {
            assertThat(request.isCaeEnabled()).isTrue();
            assertThat(request.getScopes()).containsExactly(harness.arm.address() + "/.default");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "<html>", "{\"error\": {\"message\": null}}"})
    void a_second_refusal_without_a_word_names_what_to_check(String body) {
        // given
        harness.arm.otherwise(asked -> ScriptedArm.answer(401, body));
        // when, then
        assertThat(failure(pools.read(SHOP_WEB)).describe())
                .isEqualTo("HTTP 401: A new token did not help: check the configured identity (tenantId and its client"
                        + " id) and the clock of this machine");
    }

    @Test
    void a_write_and_its_body_are_sent_again() {
        // given
        BackendPool read = harness.read(pools, Bodies.pool("10.0.0.4"));
        refuse("Bearer", "T1");
        // when
        ok(pools.write(read, AddressSet.of("10.0.0.5")));
        // then
        assertThat(sent()).containsExactly("GET Bearer T1", "PUT Bearer T1", "PUT Bearer T2");
        assertThat(harness.arm.asked().getLast().body()).contains("10.0.0.5");
    }

    @Test
    void a_second_refusal_is_permanent_and_names_what_to_check() {
        // given
        refuse("Bearer", "T1", "T2");
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure).isInstanceOf(Failure.HttpError.class);
        assertThat(failure.describe())
                .startsWith("HTTP 401 ExpiredAuthenticationToken: The token has expired. A new token did not help:"
                        + " check the configured identity")
                .contains("clock");
        assertThat(sent()).containsExactly("GET Bearer T1", "GET Bearer T2");
    }

    @Test
    void a_refused_token_that_the_endpoint_hands_out_again_is_not_sent_again() {
        // given
        isStubborn = true;
        refuse("Bearer", "T1");
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure.describe()).contains("HTTP 401 ExpiredAuthenticationToken");
        assertThat(sent()).containsExactly("GET Bearer T1");
    }

    @ParameterizedTest
    @CsvSource({
        "400, InvalidAuthenticationToken",
        "403, InvalidAuthenticationToken",
        "403, invalidauthenticationtoken",
        "403, InvalidAuthenticationTokenTenant",
        "403, InvalidAuthenticationTokenAudience",
        "403, InvalidAuthenticationInfo",
        "403, ExpiredAuthenticationToken",
        "403, AuthenticationFailed",
        "403, AuthenticationFailedMissingToken",
        "403, AuthenticationFailedInvalidHeader",
        "404, InvalidAuthenticationTokenTenant",
        "401, SomethingNew"
    })
    void a_code_that_refuses_the_token_counts_with_any_status(int status, String code) {
        // given
        String refusal = Bodies.error(code, "No.");
        harness.arm
                .then(status, refusal)
                .then(200, Bodies.pool("10.0.0.4"))
                .then(status, "{\"error\": {\"code\": \"Wrapped\", \"details\": [{\"code\": \"%s\"}]}}".formatted(code))
                .then(status, refusal);
        // when
        ok(pools.read(SHOP_WEB));
        // then
        assertThat(sent()).containsExactly("GET Bearer T1", "GET Bearer T2");
        // when: the new one is refused, too
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.HttpError.class,
                        error -> assertThat(error.status()).isEqualTo(401));
        assertThat(failure.describe())
                .startsWith("HTTP %s %s: No. A new token did not help: check the configured identity"
                        .formatted(status, code))
                .contains("clock");
        assertThat(sent()).endsWith("GET Bearer T2", "GET Bearer T3").hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({
        "400, InvalidRequestFormat",
        "403, AuthorizationFailed",
        "403, LinkedAuthorizationFailed",
        "403, RequestDisallowedByPolicy",
        "403, ReadOnlyDisabledSubscription",
        "404, ResourceNotFound",
        "409, AnotherOperationInProgress",
        "412, PreconditionFailed",
        "422, AuthenticationRequiredByBackend",
        "429, TooManyRequests",
        "429, InvalidAuthenticationToken",
        "500, InvalidAuthenticationToken"
    })
    void any_other_code_keeps_the_token(int status, String code) {
        // given
        harness.arm.otherwise(asked -> ScriptedArm.answer(status, Bodies.error(code, "No.")));
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure.describe()).contains(code + ": No").doesNotContain("new token");
        assertThat(sent()).containsExactly("GET Bearer T1");
    }

    @Test
    void a_403_with_a_page_or_an_endless_body_keeps_the_token() {
        // given
        harness.arm.then(403, "<html>").then(403, "").then(403, "x".repeat(17 << 20));
        // when
        for (int i = 0; i < 3; i++) {
            assertThat(failure(pools.read(SHOP_WEB)).describe()).startsWith("HTTP 403");
        }
        // then
        assertThat(sent()).containsOnly("GET Bearer T1").hasSize(3);
    }

    @Test
    void a_403_is_about_permissions_and_keeps_the_token() {
        // given
        harness.arm.otherwise(asked -> ScriptedArm.answer(403, Bodies.error("AuthorizationFailed", "No.")));
        // when
        failure(pools.read(SHOP_WEB));
        failure(pools.read(SHOP_WEB));
        // then
        assertThat(sent()).containsExactly("GET Bearer T1", "GET Bearer T1");
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static dev.poolkeeper.azure.IdentityFixture.NETWORK_TENANT;
import static dev.poolkeeper.azure.IdentityFixture.TENANT;
import static dev.poolkeeper.azure.IdentityFixture.TOKEN;
import static dev.poolkeeper.azure.IdentityFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import dev.poolkeeper.azure.identity.CachedTokens;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

@Timeout(120)
class ClientSecretTest {

    @RegisterExtension
    final IdentityFixture identities = new IdentityFixture();

    @ParameterizedTest
    @ValueSource(strings = {TENANT, NETWORK_TENANT})
    void a_client_secret_fetches_a_token_of_the_load_balancers_tenant(String tenant) {
        String asked = identities.readWith(secret(tenant.equals(TENANT) ? null : tenant), tenant);
        assertThat(asked).contains("client_secret=s3cret", "grant_type=client_credentials");
    }

    @Test
    void a_refused_secret_is_terminal_and_never_shown() {
        // given
        identities
                .harness()
                .arm
                .otherwise(asked -> ScriptedArm.answer(
                        401,
                        "{\"error\": \"invalid_client\", \"error_description\": \"AADSTS7000215: Invalid"
                                + " client secret provided. client_secret=s3cret\", \"error_codes\": [7000215],"
                                + " \"correlation_id\": \"c\"}"));
        // when
        Failure failure = failure(identities
                .harness()
                .builder(identities.credential(secret()))
                .build()
                .read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isFalse());
        assertThat(failure.describe()).contains("AADSTS7000215").doesNotContain("s3cret");
    }

    @Test
    void without_a_refresh_time_a_token_is_fetched_once_per_hour() {
        // given: the SDK dates tokens by the machine's clock
        FakeTime time = new FakeTime(Instant.now());
        TokenCredential tokens = new CachedTokens(identities.credential(secret()), time, Schedulers.immediate());
        identities.harness().arm.otherwise(asked -> ScriptedArm.answer(200, TOKEN));
        TokenRequestContext request = new TokenRequestContext()
                .addScopes(identities.harness().settings.cloud().scope());
        // when
        for (int i = 0; i < 108; i++) {
            tokens.getTokenSync(request);
            time.advance(Duration.ofSeconds(30));
        }
        // then
        assertThat(identities.harness().arm.asked()).hasSize(1);
    }

    @Test
    void a_refused_token_is_not_taken_from_the_cache_of_the_sdk() {
        // given
        AtomicInteger tokens = new AtomicInteger();
        identities
                .harness()
                .arm
                .otherwise(asked -> asked.path().contains("/token")
                        ? ScriptedArm.answer(
                                200,
                                "{\"token_type\": \"Bearer\", \"expires_in\": 86399, \"access_token\": \"T%d\"}"
                                        .formatted(tokens.incrementAndGet()))
                        : "Bearer T1".equals(asked.header("Authorization"))
                                ? ScriptedArm.answer(401, Bodies.error("ExpiredAuthenticationToken", "It has expired."))
                                : ScriptedArm.answer(200, Bodies.pool("10.0.0.4")));
        // when
        Reply<BackendPool> read = identities
                .harness()
                .builder(identities.credential(secret()))
                .build()
                .read(SHOP_WEB);
        // then
        assertThat(ok(read).addresses()).hasSize(1);
        assertThat(tokens).hasValue(2);
    }
}

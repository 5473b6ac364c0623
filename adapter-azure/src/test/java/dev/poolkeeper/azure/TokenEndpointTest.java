package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.IdentityFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.Failure;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class TokenEndpointTest {

    @RegisterExtension
    final IdentityFixture identities = new IdentityFixture();

    @Test
    void an_unreachable_token_endpoint_is_retriable() {
        // given
        URI unreachable = URI.create("https://localhost:1/");
        TokenCredential credential =
                AzureCredentials.of(secret(), AzureCloud.at(unreachable, unreachable), ArmHarness.httpClient());
        // when
        Failure failure =
                failure(identities.harness().builder(credential).build().read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isTrue());
        assertThat(identities.harness().arm.asked()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"400, false", "401, false", "429, true", "503, true", "200, true"})
    @Rule(
            id = "A36",
            says = "A token endpoint that refuses the identity is a permanent failure; one that is busy, fails or"
                    + " answers with something else is a transient one. Both read: no token.",
            source = "ours; kedacore/keda#8152")
    void a_token_endpoint_that_may_answer_later_is_transient(int status, boolean retriable) {
        // given
        String body = status < 500 && status != 429 && status != 200
                ? "{\"error\": \"invalid_client\", \"error_description\": \"AADSTS700213: No matching federated"
                        + " identity record found.\", \"error_codes\": [700213]}"
                : "<html><body>The service is unavailable.</body></html>";
        identities.harness().arm.otherwise(asked -> ScriptedArm.answer(status, body));
        // when
        Failure failure = failure(identities
                .harness()
                .builder(identities.credential(secret()))
                .build()
                .read(SHOP_WEB));
        // then
        assertThat(failure.describe()).startsWith("no token for Azure: ").doesNotContain("could not be created");
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isEqualTo(retriable));
    }

    /** A directory that throttles or fails says so in JSON, like one that refuses. */
    @ParameterizedTest
    @CsvSource({
        "400, invalid_client, false",
        "401, invalid_client, false",
        "403, access_denied, false",
        "429, temporarily_unavailable, true",
        "500, server_error, true",
        "503, temporarily_unavailable, true"
    })
    void an_error_of_the_directory_is_judged_by_its_status(int status, String error, boolean retriable) {
        // given
        String body = "{\"error\": \"%s\", \"error_description\": \"AADSTS90055\", \"error_codes\": [90055]}"
                .formatted(error);
        identities.harness().arm.otherwise(asked -> ScriptedArm.answer(status, body));
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
                        other -> assertThat(other.retriable()).isEqualTo(retriable));
    }
}

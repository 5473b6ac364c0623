package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.http.GivenAnswer;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.Faults;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The requests that a client makes, without a token, before it requests one. */
class AuthorityTest {

    private static final String BASE = "https://management.example";

    private final FakeTime time = new FakeTime();
    private final ArmApi arm = new ArmApi(
            new FakeCloud(time, Inventories.two(), Faults.NONE, call -> {}),
            ArmSettings.DEFAULT,
            time,
            URI.create(BASE));

    private JsonNode get(String target) throws IOException {
        GivenAnswer answer = GivenAnswer.to(arm, "GET", target, Map.of(), "");
        assertThat(answer.status()).isEqualTo(200);
        return new JsonMapper().readTree(answer.body());
    }

    @Test
    void a_tenants_metadata_has_the_location_of_its_keys() throws IOException {
        String keys = get("/some-tenant/v2.0/.well-known/openid-configuration")
                .path("jwks_uri")
                .asText();

        assertThat(keys).startsWith(BASE + "/some-tenant/");
        assertThat(get(keys.substring(BASE.length())).path("keys").isArray()).isTrue();
    }

    @Test
    @Rule(
            id = "E2",
            says = "The emulator's /metadata/endpoints names its authority and the audience of tokens.",
            source = "Azure cloud metadata, as cloud-provider-azure reads it")
    void the_clouds_metadata_lists_its_endpoints() throws IOException {
        JsonNode cloud = get("/metadata/endpoints?api-version=2019-05-01").path(0);

        assertThat(cloud.path("resourceManager").asText()).isEqualTo(BASE);
        assertThat(cloud.at("/authentication/loginEndpoint").asText()).isEqualTo(BASE);
        assertThat(cloud.at("/authentication/audiences/0").asText()).isEqualTo(BASE);
    }

    @Test
    void older_versions_show_one_cloud_as_an_object() throws IOException {
        assertThat(get("/metadata/endpoints?api-version=2015-01-01")
                        .at("/authentication/loginEndpoint")
                        .asText())
                .isEqualTo(BASE);
    }
}

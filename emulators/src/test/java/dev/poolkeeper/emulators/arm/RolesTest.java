package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.fake.cloud.FaultRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RolesTest {

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(Inventories.two());

    private ArmEmulator arm;
    private ArmClient client;

    @BeforeEach
    void client() {
        arm = extension.emulator();
        client = new ArmClient(arm);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Authorization/permissions",
                "/subscriptions/SUB/resourcegroups/mc_rg/providers/microsoft.authorization/permissions",
                "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/virtualNetworks/v"
                        + "/providers/Microsoft.Authorization/permissions",
                "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/virtualNetworks/v/subnets/s"
                        + "/providers/Microsoft.Authorization/permissions"
            })
    void the_callers_permissions_are_those_of_its_role(String path) throws Exception {
        // given
        arm.change(settings -> settings.withRole(ArmRole.of("*/read").without("Microsoft.Compute/*")));
        arm.faults().add(FaultRule.always(500));
        // when
        Answer answer = client.get(path.replace("SUB", arm.subscription()));
        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/value"))
                .hasToString("[{\"actions\":[\"*/read\"],\"notActions\":[\"Microsoft.Compute/*\"],"
                        + "\"dataActions\":[],\"notDataActions\":[]}]");
    }

    @ParameterizedTest
    @CsvSource({
        "/subscriptions/SUB/resourceGroups/none/providers/Microsoft.Authorization/permissions, 404",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/providers/Microsoft.Authorization"
                + "/permissions, 404",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/virtualNetworks/v/subnets/providers"
                + "/Microsoft.Authorization/permissions, 404"
    })
    void an_unknown_scope_has_no_permissions(String path, int status) throws Exception {
        assertThat(client.get(path.replace("SUB", arm.subscription())).status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, Microsoft.Network/loadBalancers/backendAddressPools/read",
        "PUT, Microsoft.Network/loadBalancers/backendAddressPools/write",
        "DELETE, Microsoft.Network/loadBalancers/backendAddressPools/delete"
    })
    void what_the_role_does_not_grant_is_refused(String method, String action) throws Exception {
        // given
        arm.change(settings -> settings.withRole(ArmRole.OWNER.without(action)));
        // when
        Answer answer = client.send(
                client.request(method, client.pool("kubernetes", "shop-web") + "?api-version=2025-03-01", "{}")
                        .header("Authorization", "Bearer any"));
        // then
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("AuthorizationFailed");
        assertThat(answer.json().at("/error/message").asText()).contains(action);
    }

    @Test
    void by_default_everything_is_granted() throws Exception {
        assertThat(client.get(client.pool("kubernetes", "shop-web")).status()).isEqualTo(200);
    }
}

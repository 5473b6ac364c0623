package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmEmulatorExtension;
import dev.poolkeeper.emulators.arm.ArmRequest;
import dev.poolkeeper.emulators.arm.ArmRole;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the daemon may do is asked before it is tried, over TLS. */
class PermissionsTest {

    private static final String WRITE = "Microsoft.Network/loadBalancers/backendAddressPools/write";
    private static final String JOIN = "Microsoft.Network/virtualNetworks/joinLoadBalancer/action";

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(EmulatedCluster.inventory("lb-2"));

    @TempDir
    Path folder;

    private ArmEmulator arm;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        arm = extension.emulator();
        EmulatedCluster group = new EmulatedCluster(arm, folder);
        AzureSettings plain = group.settings();
        pools = group.builder(
                        new AzureSettings(plain.cloud(), plain.scope().withVnet("aks-vnet"), plain.polls(), null, null))
                .build();
    }

    private void role(ArmRole role) {
        arm.change(settings -> settings.withRole(role));
    }

    @Test
    void a_role_that_has_everything_lacks_nothing() {
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.isComplete()).isTrue();
        assertThat(permissions.describe()).isEmpty();
        String group = "/subscriptions/" + Bodies.SUBSCRIPTION + "/resourceGroups/" + Bodies.GROUP;
        assertThat(arm.requests())
                .extracting(ArmRequest::path)
                .containsExactly(
                        group + "/providers/Microsoft.Authorization/permissions",
                        group + "/providers/Microsoft.Network/virtualNetworks/aks-vnet"
                                + "/providers/Microsoft.Authorization/permissions");
    }

    @Test
    @Rule(
            id = "A18",
            says = "What our identity may not do is told before it is tried: action, scope, use and remedy.",
            source = "Azure REST, Permissions - List For Resource Group")
    void what_is_missing_is_told_with_its_scope() {
        // given
        role(ArmRole.of("*/read", "microsoft.network/LOADBALANCERS/*").without("*/WRITE"));
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.untold()).isEmpty();
        assertThat(permissions.missing())
                .extracting(AzurePermissions.Missing::action)
                .containsExactly(WRITE, JOIN);
        assertThat(permissions.describe().getFirst())
                .isEqualTo(WRITE + " is missing at /subscriptions/" + Bodies.SUBSCRIPTION + "/resourceGroups/"
                        + Bodies.GROUP + ", needed to write a pool: assign a role that has it to this daemon's"
                        + " identity");
    }

    @Test
    void what_could_not_be_told_is_said_with_the_reason() {
        // given
        role(ArmRole.of("Microsoft.Network/*"));
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.missing()).isEmpty();
        assertThat(permissions.untold())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("could not be told (it takes Microsoft.Authorization/permissions/read)")
                        .contains("AuthorizationFailed"));
        assertThat(permissions.isComplete()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "*, '', true",
        "'', '', false",
        "Microsoft.Network/*, '', true",
        "microsoft.network/loadbalancers/backendaddresspools/WRITE, '', true",
        "*/write, '', true",
        "*/read, '', false",
        "Microsoft.Network/*/write, '', true",
        "Microsoft.*/backendAddressPools/*, '', true",
        "*backendAddressPools*Pools*, '', false",
        "Microsoft.Network/loadBalancers/write, '', false",
        "Microsoft.Network/loadBalancers/backendAddressPools/write*, '', true",
        "Microsoft.Network/loadBalancers/backendAddressPools/write/*, '', false",
        "*, */write, false",
        "*, Microsoft.Authorization/*/write, true"
    })
    void a_star_stands_for_any_text_and_case_does_not_count(String action, String notAction, boolean granted)
            throws Exception {
        String body = "{\"value\": [{\"actions\": [\"%s\"], \"notActions\": [\"%s\"]}]}".formatted(action, notAction);
        assertThat(GrantedActions.list(body.getBytes(StandardCharsets.UTF_8))
                        .getFirst()
                        .grants(WRITE))
                .isEqualTo(granted);
        // the emulator judges in a way of its own
        assertThat(ArmRole.of(action).without(notAction).grants(WRITE)).isEqualTo(granted);
    }

    @Test
    void what_one_role_takes_back_another_may_grant() throws Exception {
        String body = "{\"value\": [{\"actions\": [\"*\"], \"notActions\": [\"*/write\"]}, {\"actions\": [\"%s\"]}]}"
                .formatted(WRITE);
        assertThat(GrantedActions.list(body.getBytes(StandardCharsets.UTF_8)))
                .anyMatch(role -> role.grants(WRITE))
                .anyMatch(role -> !role.grants(WRITE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"value\": [7]}",
                "{\"value\": [{\"actions\": \"*\"}]}",
                "{\"value\": [{\"notActions\": [7]}]}"
            })
    void an_answer_that_is_no_list_of_permissions_is_none(String body) {
        assertThatThrownBy(() -> GrantedActions.list(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UnfitAnswerException.class);
    }
}

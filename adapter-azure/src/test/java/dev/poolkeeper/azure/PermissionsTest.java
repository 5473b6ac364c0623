package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.identity.AzurePermissions;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmEmulatorExtension;
import dev.poolkeeper.emulators.arm.ArmRole;
import dev.poolkeeper.fake.FakeTime;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Permissions are checked before they are needed, over TLS. */
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
        EmulatedCluster group = new EmulatedCluster(arm, folder, new FakeTime());
        AzureSettings plain = group.settings();
        pools = group.builder(
                        new AzureSettings(plain.cloud(), plain.scope().withVnet("aks-vnet"), plain.polls(), null, null))
                .build();
    }

    private void role(ArmRole role) {
        arm.change(settings -> settings.withRole(role));
    }

    @Test
    void a_role_with_all_actions_lacks_none() {
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.isComplete()).isTrue();
        assertThat(permissions.describe()).isEmpty();
        String group = "/subscriptions/" + Bodies.SUBSCRIPTION + "/resourceGroups/" + Bodies.GROUP;
        assertThat(arm.requests())
                .extracting(AnsweredRequest::path)
                .containsExactly(
                        group + "/providers/Microsoft.Authorization/permissions",
                        group + "/providers/Microsoft.Network/virtualNetworks/aks-vnet"
                                + "/providers/Microsoft.Authorization/permissions");
    }

    @Test
    @Rule(
            id = "A18",
            says = "Missing permissions are reported before they are needed, with action, scope, purpose and remedy.",
            source = "Azure REST, Permissions - List For Resource Group")
    void missing_actions_are_reported_with_their_scope() {
        // given
        role(ArmRole.of("*/read", "microsoft.network/LOADBALANCERS/*").without("*/WRITE"));
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.unknown()).isEmpty();
        assertThat(permissions.missing())
                .extracting(AzurePermissions.Missing::action)
                .containsExactly(WRITE, JOIN);
        assertThat(permissions.describe().getFirst())
                .isEqualTo(WRITE + " is missing at /subscriptions/" + Bodies.SUBSCRIPTION + "/resourceGroups/"
                        + Bodies.GROUP + ", needed to write a pool: assign a role that grants it to this daemon's"
                        + " identity");
    }

    @Test
    void an_undetermined_permission_is_reported_with_the_reason() {
        // given
        role(ArmRole.of("Microsoft.Network/*"));
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.missing()).isEmpty();
        assertThat(permissions.unknown())
                .extracting(AzurePermissions.Unknown::reason)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("Microsoft.Authorization/permissions/read")
                        .contains("AuthorizationFailed"));
        assertThat(permissions.isComplete()).isFalse();
    }

    @Test
    void all_missing_actions_are_reported_in_order_and_after_them_what_is_unknown() {
        // given
        role(ArmRole.of("Microsoft.Authorization/permissions/read"));
        // when
        AzurePermissions permissions = pools.probe();
        // then
        assertThat(permissions.missing())
                .extracting(AzurePermissions.Missing::action)
                .containsExactly(
                        "Microsoft.Network/loadBalancers/read",
                        "Microsoft.Network/loadBalancers/backendAddressPools/read",
                        "Microsoft.Network/loadBalancers/backendAddressPools/write",
                        "Microsoft.Network/virtualNetworks/joinLoadBalancer/action");
        assertThat(new AzurePermissions(
                                permissions.missing().subList(2, 3),
                                List.of(
                                        new AzurePermissions.Unknown("/a", "a is unknown"),
                                        new AzurePermissions.Unknown("/b", "b is unknown")))
                        .describe())
                .containsExactly(permissions.missing().get(2).describe(), "a is unknown", "b is unknown");
    }
}

package dev.poolkeeper.azure.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.azure.http.InvalidAnswerException;
import dev.poolkeeper.emulators.arm.ArmRole;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GrantedActionsTest {

    private static final String WRITE = "Microsoft.Network/loadBalancers/backendAddressPools/write";

    private static GrantedActions role(Map<?, ?> permission) throws InvalidAnswerException {
        return GrantedActions.of(permission).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "*, '', true",
        "'', '', false",
        "Microsoft.Network/*, '', true",
        "microsoft.network/loadbalancers/backendaddresspools/WRITE, '', true",
        "*/write, '', true",
        "*/WRITE, '', true",
        "MICROSOFT.NETWORK/*, '', true",
        "*/BACKENDADDRESSPOOLS/*, '', true",
        "*, */WRITE, false",
        "*/read, '', false",
        "Microsoft.Network/*/write, '', true",
        "Microsoft.*/backendAddressPools/*, '', true",
        "*backendAddressPools*Pools*, '', false",
        "Microsoft.Network/loadBalancers/backendAddressPools/write*/write, '', false",
        "Microsoft.Network/loadBalancers/backendAddressPools/*s/write, '', false",
        "Microsoft.Network/*/backendAddressPools/*/write, '', false",
        "Microsoft.Network/loadBalancers/write, '', false",
        "Microsoft.Network/loadBalancers/backendAddressPools/write*, '', true",
        "Microsoft.Network/loadBalancers/backendAddressPools/write/*, '', false",
        "*, */write, false",
        "*, Microsoft.Authorization/*/write, true"
    })
    void a_star_matches_any_text_regardless_of_case(String action, String notAction, boolean granted) throws Exception {
        assertThat(role(Map.of("actions", List.of(action), "notActions", List.of(notAction)))
                        .grants(WRITE))
                .isEqualTo(granted);
        // the emulator has its own implementation
        assertThat(ArmRole.of(action).without(notAction).grants(WRITE)).isEqualTo(granted);
    }

    @Test
    void an_action_excluded_by_one_role_may_be_granted_by_another() throws Exception {
        assertThat(role(Map.of("actions", List.of("*"), "notActions", List.of("*/write")))
                        .grants(WRITE))
                .isFalse();
        assertThat(role(Map.of("actions", List.of(WRITE))).grants(WRITE)).isTrue();
    }

    static Stream<Map<?, ?>> elements_that_are_no_permission() {
        return Stream.of(Map.of("actions", "*"), Map.of("notActions", List.of(7)));
    }

    @ParameterizedTest
    @MethodSource("elements_that_are_no_permission")
    void malformed_permissions_are_ignored(Map<?, ?> element) {
        assertThatThrownBy(() -> GrantedActions.of(element)).isInstanceOf(InvalidAnswerException.class);
    }
}

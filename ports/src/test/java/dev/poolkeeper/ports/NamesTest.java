package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @Test
    void services_sort_as_the_string_namespace_slash_name() {
        assertThat(Stream.of("a/b-c", "a-b/c", "a/a").map(ServiceName::parse).sorted())
                .map(ServiceName::toString)
                .containsExactly("a-b/c", "a/a", "a/b-c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "web", "/web", "shop/", "a/b/c", " /x"})
    void a_text_other_than_namespace_slash_name_is_rejected(String text) {
        assertThatThrownBy(() -> ServiceName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Rule(
            id = "N1",
            says = "Names of load balancers and pools are case-insensitive and keep their spelling.",
            source = "ours",
            differs = "In Go the group's key is case-sensitive while matching is not, so that one pool can be two"
                    + " groups.")
    void azure_names_are_case_insensitive_and_keep_their_spelling() {
        PoolKey key = PoolKey.of("Kubernetes", "Shop-Web");

        assertThat(key)
                .isEqualTo(PoolKey.of("kubernetes", "SHOP-WEB"))
                .hasSameHashCodeAs(PoolKey.of("KUBERNETES", "shop-web"));
        assertThat(key).hasToString("Kubernetes/Shop-Web");
        assertThatThrownBy(() -> ArmName.of(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pool_names_are_namespace_and_name_with_a_suffix_for_ipv6() {
        ServiceName web = new ServiceName("shop", "web");

        assertThat(IpFamily.IPV4.poolName(web)).hasToString("shop-web");
        assertThat(IpFamily.IPV6.poolName(web)).hasToString("shop-web-ipv6");
    }

    @ParameterizedTest
    @CsvSource({
        "shop-web, IPv4",
        "SHOP-WEB, IPv4",
        "shop-web-ipv6, IPv6",
        "Shop-Web-IPv6, IPv6",
        "shop-web-ipv4, IPv4",
        "other-ipv6, IPv4"
    })
    void a_pool_of_a_service_has_the_family_of_its_name(String pool, String family) {
        ServiceName web = new ServiceName("shop", "web");
        assertThat(IpFamily.of(web, PoolKey.of("lb", pool)).text()).isEqualTo(family);
    }

    @ParameterizedTest
    @CsvSource({"IPv4, IPv4", "IPv6, IPv6", "FQDN, ''", "ipv4, ''", "'', ''"})
    void an_endpoint_slice_has_the_family_of_its_address_type(String type, String family) {
        EndpointSliceState slice = new EndpointSliceState("shop", "web-1", null, type, List.of());
        assertThat(slice.family().map(IpFamily::text).orElse("")).isEqualTo(family);
    }

    @ParameterizedTest
    @CsvSource({
        "UPDATED, Normal, LoadBalancerBackendPoolUpdated",
        "RETRYING, Warning, LoadBalancerBackendPoolUpdateRetrying",
        "FAILED, Warning, LoadBalancerBackendPoolUpdateFailed",
        "HELD, Warning, LoadBalancerBackendPoolUpdateHeld"
    })
    void an_event_has_the_type_and_the_reason_of_the_contract(ServiceEvent.Reason reason, String type, String text) {
        assertThat(reason.type()).isEqualTo(type);
        assertThat(reason).hasToString(text);
    }

    @Test
    void the_labels_of_nodes_that_are_not_backends_are_those_of_kubernetes_and_azure() {
        assertThat(NodeState.LABELS_THAT_EXCLUDE)
                .containsExactly(
                        "node.kubernetes.io/exclude-from-external-load-balancers",
                        "node-role.kubernetes.io/control-plane",
                        "node-role.kubernetes.io/master",
                        "kubernetes.io/role",
                        "kubernetes.azure.com/managed");
    }
}

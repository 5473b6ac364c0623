package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}

package dev.poolkeeper.azure.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ArmName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The virtual network that an entry of a pool names, by itself or through its subnet. */
class NetworksOfPoolsTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/n/vnet/subnets/s, /n/vnet",
                "/n/vnet/SUBNETS/s, /n/vnet",
                "/N/VNet/Subnets/s, /N/VNet",
                "/n/vnet/subnets/subnets/s, /n/vnet/subnets",
                "/n/vnet, -",
                "'', -",
                "' ', -"
            })
    void of_a_subnet_in_any_case(String subnet, String network) {
        Map<String, ?> entry = Map.of("properties", Map.of("subnet", Map.of("id", subnet)));
        assertThat(VirtualNetworks.in(Map.of("loadBalancerBackendAddresses", List.of(entry)))
                        .values())
                .containsExactlyElementsOf(network == null ? List.of() : List.of(network));
    }

    /** Each pool with its network, or {@code -} without one. */
    @ParameterizedTest
    @CsvSource({"a, false", "-, true", "a -, true", "- a, true", "a - b, true", "- -, true", "a a, false"})
    void a_load_balancer_has_a_pool_without_network_wherever_it_is(String pools, boolean has) {
        ListedLoadBalancer loadBalancer = new ListedLoadBalancer(ArmName.of("lb-1"));
        for (String network : pools.split(" ")) {
            loadBalancer.addNetworks(network.equals("-") ? Map.of() : Map.of(network, network));
        }

        assertThat(loadBalancer.hasPoolWithoutNetwork()).isEqualTo(has);
    }
}

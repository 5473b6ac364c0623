package dev.poolkeeper.azure.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The id of a pool must match its name and load balancer. */
class PoolReaderTest {

    private static final String GROUP = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network";

    private static ListedLoadBalancer listed(String id) {
        Map<String, ?> pool =
                Map.of("name", "p", "id", id, "properties", Map.of("loadBalancerBackendAddresses", List.of()));
        return (ListedLoadBalancer) PoolReader.listed(
                        Map.of("name", "lb", "properties", Map.of("backendAddressPools", List.of(pool))),
                        new ClusterLoadBalancers(LoadBalancerSelection.all()))
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GROUP + "/loadBalancers/lb/backendAddressPools/p",
                GROUP + "/LOADBALANCERS/LB/BACKENDADDRESSPOOLS/P",
                GROUP + "/loadBalancers/lb/backendAddressPools/p/",
                "/loadBalancers/lb/backendAddressPools/p",
            })
    void its_own_id_is_accepted(String id) {
        assertThat(listed(id).pools()).extracting(BackendPool::key).containsExactly(PoolKey.of("lb", "p"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "loadBalancers/lb/backendAddressPools/p",
                GROUP + "/loadBalancers/lb/backendAddressPools/other",
                GROUP + "/loadBalancers/other/backendAddressPools/p",
                GROUP + "/loadBalancers/ /backendAddressPools/p",
                GROUP + "/loadBalancers//backendAddressPools/p",
                GROUP + "/loadBalancers/lb/backendAddressPools/",
                GROUP + "/loadBalancers/lb/backendAddressPools/p/backendAddresses",
                GROUP + "/loadBalancers/lb/inboundNatRules/p",
                GROUP + "/applicationGateways/lb/backendAddressPools/p",
            })
    void another_id_is_refused(String id) {
        assertThat(listed(id).pools()).isEmpty();
        assertThat(listed(id).unreadable()).singleElement().satisfies(unreadable -> {
            assertThat(unreadable.loadBalancer()).isEqualTo(ArmName.of("lb"));
            assertThat(unreadable.pool()).as("which pool it is").isNull();
        });
    }
}

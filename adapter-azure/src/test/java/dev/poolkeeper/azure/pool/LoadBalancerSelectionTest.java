package dev.poolkeeper.azure.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.ports.ArmName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadBalancerSelectionTest {

    @Test
    void an_invalid_selection_is_refused() {
        assertThatThrownBy(() -> LoadBalancerSelection.named(List.of()))
                .hasMessage("no load balancer is named, at least one is required");
        assertThatThrownBy(() -> LoadBalancerSelection.named(List.of("lb", " ")))
                .hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> LoadBalancerSelection.tagged(" ", "x"))
                .hasMessage("the name of the load balancers' tag must not be blank");
    }

    @Test
    void a_selection_describes_itself() {
        assertThat(LoadBalancerSelection.all().describe()).isEqualTo("all load balancers of the resource group");
        assertThat(LoadBalancerSelection.named(List.of("b", "A")).describe())
                .isEqualTo("load balancers A, A-internal, b, b-internal");
        assertThat(LoadBalancerSelection.tagged("cluster", "blue").describe())
                .isEqualTo("load balancers with tag cluster=blue");
    }

    @Test
    void a_tag_with_a_non_string_value_selects_nothing() throws Exception {
        ClusterLoadBalancers ours = new ClusterLoadBalancers(LoadBalancerSelection.tagged("cluster", "7"));
        assertThat(ours.isSelected(ArmName.of("lb"), Map.of("cluster", 7))).isFalse();
        assertThat(ours.isSelected(ArmName.of("lb"), Map.of("Cluster", "7"))).isTrue();
    }

    @Test
    void a_malformed_pool_of_another_cluster_does_not_fail_the_listing() {
        ClusterLoadBalancers ours = new ClusterLoadBalancers(LoadBalancerSelection.named(List.of("lb")));
        assertThat(PoolReader.listed(
                        Map.of("name", "other", "properties", Map.of("backendAddressPools", List.of(7))), ours))
                .isEmpty();
    }
}

package dev.poolkeeper.azure.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.azure.http.InvalidAnswerException;
import dev.poolkeeper.ports.ArmName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void a_tag_with_a_non_string_value_selects_nothing() {
        ClusterLoadBalancers ours = new ClusterLoadBalancers(LoadBalancerSelection.tagged("cluster", "7"));
        assertThat(ours.isSelected(ArmName.of("lb"), Map.of("cluster", 7))).isFalse();
        assertThat(ours.isSelected(ArmName.of("lb"), Map.of("Cluster", "7"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"lb\", \"tags\": [], \"properties\": {\"backendAddressPools\": []}}",
                "{\"name\": \"lb\", \"properties\": {\"backendAddressPools\": [{\"name\": \"p\","
                        + " \"id\": \"/loadBalancers/other/backendAddressPools/p\", \"properties\": {}}]}}"
            })
    void a_page_with_inconsistent_load_balancers_is_refused(String loadBalancer) {
        ClusterLoadBalancers ours = new ClusterLoadBalancers(LoadBalancerSelection.all());
        assertThatThrownBy(() -> PoolReader.listed(new ObjectMapper().readValue(loadBalancer, Map.class), ours))
                .isInstanceOf(InvalidAnswerException.class);
    }

    @Test
    void a_malformed_pool_of_another_cluster_does_not_fail_the_listing() throws Exception {
        ClusterLoadBalancers ours = new ClusterLoadBalancers(LoadBalancerSelection.named(List.of("lb")));
        assertThat(PoolReader.listed(
                        Map.of("name", "other", "properties", Map.of("backendAddressPools", List.of(7))), ours))
                .isEmpty();
    }
}

package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceStateTest {

    private static final ServiceState WEB =
            new ServiceState(new ServiceName("shop", "web"), "LoadBalancer", "Local", List.of("IPv4"));

    @Test
    void a_service_without_annotations_is_not_paused_and_equals_one_that_was_given_none() {
        assertThat(WEB.paused()).isFalse();
        assertThat(WEB.withAnnotations(Map.of())).isEqualTo(WEB);
        assertThat(WEB.withAnnotations(Map.of("a", "b")).withAnnotations(Map.of()))
                .isEqualTo(WEB);
    }

    @ParameterizedTest
    @CsvSource({"true,true", "True,true", "TRUE,true", "false,false", "'',false", "yes,false", "' true',false"})
    void the_annotation_pauses_with_the_value_true_only(String value, boolean paused) {
        assertThat(WEB.withAnnotations(Map.of("poolkeeper.dev/paused", value)).paused())
                .isEqualTo(paused);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "LoadBalancer, Local, -, true",
                "LoadBalancer, Local, '', true",
                "LoadBalancer, Local, tailscale, false",
                "LoadBalancer, Local, ' ', false",
                "LoadBalancer, Cluster, -, false",
                "LoadBalancer, local, -, false",
                "LoadBalancer, '', -, false",
                "LoadBalancer, -, -, false",
                "loadbalancer, Local, -, false",
                "NodePort, Local, -, false",
                "ClusterIP, Local, -, false",
                "'', Local, -, false",
                "-, Local, -, false",
                "-, -, -, false"
            })
    void a_service_is_local_by_its_type_its_policy_and_no_other_class(
            String type, String policy, String loadBalancerClass, boolean isLocal) {
        ServiceState state =
                new ServiceState(WEB.name(), type, policy, List.of(), loadBalancerClass, null, Map.of("app", "web"));
        assertThat(state.isLocal()).isEqualTo(isLocal);
        assertThat(state.withAnnotations(Map.of("a", "b")).isLocal()).isEqualTo(isLocal);
    }

    @Test
    void annotations_change_nothing_else() {
        ServiceState state = new ServiceState(
                WEB.name(), "LoadBalancer", "Local", List.of("IPv6", "IPv4"), "other", Instant.EPOCH, Map.of("a", "b"));
        assertThat(state.withAnnotations(Map.of("a", "b")).withAnnotations(Map.of()))
                .isEqualTo(state);
    }

    @Test
    void an_added_changed_or_removed_annotation_changes_the_state() {
        ServiceState one = WEB.withAnnotations(Map.of("a", "1"));

        assertThat(one).isNotEqualTo(WEB);
        assertThat(WEB.withAnnotations(Map.of("a", "2"))).isNotEqualTo(one);
        assertThat(WEB.withAnnotations(Map.of("b", "1"))).isNotEqualTo(one);
        assertThat(WEB.withAnnotations(Map.of("a", "1", "b", "1"))).isNotEqualTo(one);
    }

    @Test
    void an_annotation_without_a_text_counts_too() {
        assertThat(WEB.withAnnotations(Map.of("a", ""))).isNotEqualTo(WEB);
    }

    @Test
    void the_boundary_between_name_and_value_matters() {
        assertThat(WEB.withAnnotations(Map.of("ab", "c"))).isNotEqualTo(WEB.withAnnotations(Map.of("a", "bc")));
        assertThat(WEB.withAnnotations(Map.of("a", "1", "b", "2")))
                .isNotEqualTo(WEB.withAnnotations(Map.of("a", "2", "b", "1")));
    }

    @Test
    void a_value_that_looks_like_a_further_annotation_is_none() {
        assertThat(WEB.withAnnotations(Map.of("a", "1\0b\0002")))
                .isNotEqualTo(WEB.withAnnotations(Map.of("a", "1", "b", "2")));
        assertThat(WEB.withAnnotations(Map.of("a", "1,1,b1,2")))
                .isNotEqualTo(WEB.withAnnotations(Map.of("a", "1", "b", "2")));
    }

    @Test
    void the_order_of_annotations_does_not_matter() {
        Map<String, String> there = new LinkedHashMap<>();
        there.put("a", "1");
        there.put("b", "2");
        Map<String, String> back = new LinkedHashMap<>();
        back.put("b", "2");
        back.put("a", "1");

        assertThat(WEB.withAnnotations(there)).isEqualTo(WEB.withAnnotations(back));
    }
}

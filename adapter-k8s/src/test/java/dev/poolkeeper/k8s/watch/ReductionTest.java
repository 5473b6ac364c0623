package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.GatedPodObjects;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReductionTest {

    private final Reduction reduction = new Reduction();

    private static Service service(String annotation) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(new String("shop"))
                .withName("web")
                .withUid("u")
                .addToLabels("app", "web")
                .addToAnnotations("note", annotation)
                .addNewManagedField()
                .withManager("kubectl")
                .endManagedField()
                .endMetadata()
                .withNewSpec()
                .withType("LoadBalancer")
                .withExternalTrafficPolicy("Local")
                .withIpFamilies("IPv4", "IPv6")
                .withClusterIP("10.0.0.7")
                .addToSelector("app", "web")
                .endSpec()
                .withNewStatus()
                .endStatus()
                .build();
    }

    @Test
    void the_needed_fields_of_a_service_are_kept() {
        assertThat(reduction.service(service("x")))
                .isEqualTo(new ServiceState(
                                new ServiceName("shop", "web"), "LoadBalancer", "Local", List.of("IPv4", "IPv6"))
                        .withAnnotations(Map.of("note", "x")));
    }

    private static Map<String, String> labels(int number) {
        return IntStream.range(0, number)
                .boxed()
                .collect(Collectors.toMap(i -> "k".repeat(100) + (1_000 + i), i -> "v".repeat(60)));
    }

    private static Pod waiting(Map<String, String> labels) {
        return new PodBuilder(GatedPodObjects.of("tenant", "web-1"))
                .editMetadata()
                .withUid("u")
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    @Test
    @Rule(
            id = "Y24",
            says = "Labels are kept of waiting Pods only and selectors of local Services only, up to 16 KiB each. A Pod"
                    + " with larger labels is left alone, and a larger selector matches no Pods.",
            source = "ours")
    void labels_and_selectors_that_tenants_choose_take_bounded_memory() {
        Reduction gate = new Reduction(namespace -> true);
        assertThat(gate.pod(waiting(labels(9_000)))).satisfies(pod -> {
            assertThat(pod.labels()).isEmpty();
            assertThat(pod.isWaiting()).isFalse();
        });
        assertThat(gate.service(selecting("Local", labels(9_000))).selector()).isEmpty();
        assertThat(gate.pod(waiting(labels(90))).labels()).hasSize(90);
        assertThat(gate.pod(waiting(labels(90))).isWaiting()).isTrue();
        assertThat(gate.service(selecting("Local", labels(90))).selector()).hasSize(90);
        assertThat(gate.service(selecting("Cluster", labels(90))).selector()).isEmpty();
    }

    @Test
    void an_object_above_the_limit_is_reported_once_until_it_fits_again() {
        SizeLimit limit = new SizeLimit();
        assertThat(limit.isNews("Pod tenant/web-1", false)).isTrue();
        assertThat(limit.isNews("Pod tenant/web-1", false)).isFalse();
        assertThat(limit.isNews("Pod tenant/web-2", false)).isTrue();
        assertThat(limit.isNews("Pod tenant/web-1", true)).isFalse();
        assertThat(limit.isNews("Pod tenant/web-1", false)).isTrue();
    }

    @Test
    void the_labels_of_a_pod_that_waits_no_more_are_dropped() {
        Reduction gate = new Reduction(namespace -> true);
        Pod ready = new PodBuilder(waiting(labels(1)))
                .withNewStatus()
                .addNewCondition()
                .withType(PodState.GATE)
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();

        assertThat(gate.pod(ready).labels()).isEmpty();
        assertThat(gate.pod(ready).gated()).isTrue();
    }

    @Test
    void a_slice_names_pods_by_uids_of_a_pods_length_only() {
        EndpointSlice slice = new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace("tenant")
                .withName("web-1")
                .endMetadata()
                .withAddressType("IPv4")
                .addNewEndpoint()
                .withNewTargetRef()
                .withKind("Pod")
                .withUid("u".repeat(1_000_000))
                .endTargetRef()
                .endEndpoint()
                .addNewEndpoint()
                .withNewTargetRef()
                .withKind("Pod")
                .withUid("6b8a3d0c-6a51-4a0e-9c3f-1f1a0c2f7e11")
                .endTargetRef()
                .endEndpoint()
                .build();

        assertThat(new Reduction(namespace -> true).slice(slice).podUids())
                .containsExactly("6b8a3d0c-6a51-4a0e-9c3f-1f1a0c2f7e11");
    }

    private static Service selecting(String policy, Map<String, String> selector) {
        return service("x")
                .edit()
                .editSpec()
                .withExternalTrafficPolicy(policy)
                .withSelector(selector)
                .endSpec()
                .build();
    }

    @Test
    void the_class_and_the_creation_time_of_a_service_are_kept() {
        Service nlb = service("x")
                .edit()
                .editMetadata()
                .withCreationTimestamp("2026-01-02T03:04:05Z")
                .endMetadata()
                .editSpec()
                .withLoadBalancerClass("service.k8s.aws/nlb")
                .endSpec()
                .build();

        assertThat(reduction.service(nlb).loadBalancerClass()).isEqualTo("service.k8s.aws/nlb");
        assertThat(reduction.service(nlb).createdAt()).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(reduction.service(nlb).isLocal()).isFalse();
        assertThat(reduction.service(service("x")).createdAt()).isNull();
    }

    @Test
    void annotations_of_any_length_are_kept_as_one_number() {
        ServiceState state = reduction.service(service("x".repeat(200_000)));

        assertThat(Arrays.stream(ServiceState.class.getRecordComponents())
                        .filter(one -> one.getName().startsWith("annotations"))
                        .map(RecordComponent::getType))
                .containsExactly(long.class);
        assertThat(state.toString()).hasSizeLessThan(300);
    }

    @Test
    void a_service_without_a_spec_has_no_type() {
        Service bare = new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("web")
                .endMetadata()
                .build();

        assertThat(reduction.service(bare))
                .isEqualTo(new ServiceState(new ServiceName("shop", "web"), null, null, List.of()));
    }

    @Test
    void the_service_and_the_endpoint_nodes_of_a_slice_are_kept() {
        EndpointSlice slice = new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("web-1")
                .addToLabels(EndpointSliceState.SERVICE_NAME_LABEL, "web")
                .addToAnnotations("a", "b")
                .endMetadata()
                .withAddressType("IPv4")
                .addNewEndpoint()
                .withAddresses("10.1.0.1")
                .withNodeName("n1")
                .endEndpoint()
                .addNewEndpoint()
                .withAddresses("10.1.0.2")
                .endEndpoint()
                .build();

        assertThat(reduction.slice(slice))
                .isEqualTo(
                        new EndpointSliceState("shop", "web-1", new ServiceName("shop", "web"), "IPv4", List.of("n1")));
    }

    private static Node node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .addToLabels("kubernetes.io/hostname", "n1")
                .addToLabels(NodeState.MANAGED, "false")
                .endMetadata()
                .withNewStatus()
                .addNewAddress("10.224.0.4", "InternalIP")
                .addNewAddress("n1", "Hostname")
                .addNewImage()
                .withNames("a-large-image")
                .endImage()
                .endStatus()
                .build();
    }

    @Test
    void the_internal_addresses_and_the_excluding_labels_of_a_node_are_kept() {
        assertThat(reduction.node(node()))
                .isEqualTo(new NodeState("n1", Map.of(NodeState.MANAGED, "false"), List.of("10.224.0.4")));
    }

    @Test
    @SuppressWarnings("StringCopy")
    void a_string_shared_by_many_objects_is_kept_once() {
        ServiceState one = reduction.service(service("x"));
        ServiceState another = reduction.service(service("x"));

        assertThat(another.name().namespace()).isSameAs(one.name().namespace());
    }

    @Test
    @SuppressWarnings("StringCopy")
    void strings_that_are_no_longer_used_keep_none_from_being_shared() {
        for (int i = 0; i < 150_000; i++) {
            reduction.slice(slice("gone-" + i));
        }
        List<String> one = reduction.slice(slice(new String("n1"))).nodeNames();
        List<String> another = reduction.slice(slice(new String("n1"))).nodeNames();

        assertThat(another.get(0)).isSameAs(one.get(0));
    }

    private static EndpointSlice slice(String node) {
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("web-1")
                .endMetadata()
                .withAddressType("IPv4")
                .addNewEndpoint()
                .withNodeName(node)
                .endEndpoint()
                .build();
    }

    @ParameterizedTest
    @CsvSource({"Pod, 128, true", "Pod, 129, false", "Node, 36, false"})
    void a_slice_refers_to_pods_with_uids_of_at_most_128_characters(String kind, int length, boolean kept) {
        EndpointSlice slice = new EndpointSliceBuilder(slice("n1"))
                .editFirstEndpoint()
                .withNewTargetRef()
                .withKind(kind)
                .withUid("u".repeat(length))
                .endTargetRef()
                .endEndpoint()
                .build();
        assertThat(new Reduction(namespace -> true).slice(slice).podUids()).hasSize(kept ? 1 : 0);
        assertThat(new Reduction().slice(slice).podUids()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"8192, 8192, true", "8193, 8192, false", "8192, 8193, false", "16384, 0, true", "1, 16384, false"})
    void names_and_values_count_for_the_limit_together(int name, int value, boolean fits) {
        Map<String, String> texts = Map.of("k".repeat(name), "v".repeat(value));
        assertThat(new SizeLimit().fits("Pod", waiting(texts).getMetadata(), texts, "too large"))
                .isEqualTo(fits);
    }
}

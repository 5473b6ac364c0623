package dev.poolkeeper.core.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GatedPodsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");

    private final GatedPods pods = new GatedPods();

    private static PodState pod(String namespace, Map<String, String> labels) {
        return new PodState(
                new PodId(namespace, "web-1", "uid-1"),
                labels,
                true,
                false,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                "1");
    }

    private void service(ServiceName name, Map<String, String> selector) {
        pods.serviceChanged(new ServiceState(name, "LoadBalancer", "Local", List.of("IPv4"), null, null, selector));
    }

    private static EndpointSliceState slice(String name, ServiceName service, String type, String... uids) {
        return new EndpointSliceState("shop", name, service, type, List.of(), Set.of(uids));
    }

    private Map<ServiceName, Set<IpFamily>> services() {
        return pods.withServices().getFirst().services();
    }

    @Test
    void a_pod_belongs_to_services_of_its_namespace_whose_whole_selector_matches() {
        pods.podChanged(pod("shop", Map.of("app", "web", "tier", "front")));
        service(WEB, Map.of("app", "web", "tier", "front"));
        service(new ServiceName("shop", "none"), Map.of());
        service(new ServiceName("shop", "more"), Map.of("app", "web", "tier", "back"));
        service(new ServiceName("other", "web"), Map.of("app", "web"));

        assertThat(services()).containsOnlyKeys(WEB);

        service(WEB, Map.of("app", "api"));
        assertThat(services()).isEmpty();
    }

    /** A namespace may have thousands of them, and each would be compared with each waiting Pod at each look. */
    @Test
    void the_selector_of_a_service_that_is_not_local_is_not_kept() {
        pods.podChanged(pod("shop", Map.of("app", "web")));
        Map<String, String> selector = Map.of("app", "web");
        for (ServiceState other : List.of(
                new ServiceState(WEB, "ClusterIP", null, List.of("IPv4"), null, null, selector),
                new ServiceState(WEB, "LoadBalancer", "Cluster", List.of("IPv4"), null, null, selector),
                new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4"), "example/class", null, selector))) {
            service(WEB, selector);
            assertThat(services()).containsOnlyKeys(WEB);
            pods.serviceChanged(other);
            assertThat(services()).isEmpty();
        }
    }

    @Test
    void a_pod_belongs_to_services_whose_slices_list_it_for_each_family() {
        pods.podChanged(pod("shop", Map.of()));
        pods.sliceChanged(slice("web-4", WEB, "IPv4", "uid-0", "uid-1"));
        pods.sliceChanged(slice("web-6", WEB, "IPv6", "uid-1"));
        pods.sliceChanged(slice("web-f", WEB, "FQDN", "uid-1"));
        assertThat(services()).isEqualTo(Map.of(WEB, Set.of(IpFamily.IPV4, IpFamily.IPV6)));

        pods.sliceChanged(slice("web-6", WEB, "IPv6", "uid-0"));
        assertThat(services()).isEqualTo(Map.of(WEB, Set.of(IpFamily.IPV4)));

        pods.sliceDeleted(slice("web-4", WEB, "IPv4", "uid-0", "uid-1"));
        assertThat(services()).isEmpty();
    }

    @Test
    @Rule(
            id = "Y16",
            says = "An EndpointSlice concerns only Pods of its own namespace, whatever uids it contains.",
            source = "ours")
    void a_slice_of_another_namespace_does_not_concern_a_pod() {
        pods.podChanged(pod("shop", Map.of()));
        ServiceName foreign = new ServiceName("bank", "web");
        EndpointSliceState claim =
                new EndpointSliceState("bank", "web-1", foreign, "IPv4", List.of("n1"), Set.of("uid-1"));

        pods.sliceChanged(claim);
        assertThat(services()).isEmpty();

        pods.sliceChanged(slice("web-1", WEB, "IPv4", "uid-1"));
        pods.sliceDeleted(claim);
        assertThat(services()).isEqualTo(Map.of(WEB, Set.of(IpFamily.IPV4)));
    }

    @Test
    void two_slices_of_a_service_that_list_the_same_pod_both_count() {
        pods.podChanged(pod("shop", Map.of()));
        pods.sliceChanged(slice("web-a", WEB, "IPv4", "uid-1"));
        pods.sliceChanged(slice("web-b", WEB, "IPv4", "uid-1"));
        pods.sliceDeleted(slice("web-a", WEB, "IPv4", "uid-1"));

        assertThat(services()).isEqualTo(Map.of(WEB, Set.of(IpFamily.IPV4)));
    }

    @Test
    void a_pod_waits_until_its_condition_is_true_or_it_is_deleted() {
        PodState pod = pod("shop", Map.of());
        pods.podChanged(pod);
        assertThat(pods.waiting()).hasSize(1);

        pods.podChanged(pod.withCondition(new ReadinessCondition(true, "InPool", "", Instant.EPOCH)));
        assertThat(pods.waiting()).isEmpty();

        pods.podChanged(pod);
        pods.podDeleted(pod);
        assertThat(pods.waiting()).isEmpty();
    }

    @Test
    void a_look_is_asked_for_only_by_a_pod_that_waits() {
        int[] asked = {0};
        pods.onPodWaiting(() -> asked[0]++);
        PodState pod = pod("shop", Map.of());
        pods.podChanged(pod);
        assertThat(asked[0]).isEqualTo(1);
        pods.podChanged(pod.withCondition(new ReadinessCondition(true, "InPool", "", Instant.EPOCH)));
        pods.podDeleted(pod);
        assertThat(asked[0]).isEqualTo(1);
    }
}

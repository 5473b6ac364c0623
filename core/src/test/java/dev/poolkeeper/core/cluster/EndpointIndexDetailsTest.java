package dev.poolkeeper.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the index stores and reports in addition to the wanted sets: node names, order, edits, surveys. */
class EndpointIndexDetailsTest {

    private static final ServiceName API = new ServiceName("shop", "api");
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey API_POOL = PoolKey.of("lb-1", "shop-api");
    private static final PoolKey WEB_POOL = PoolKey.of("lb-1", "shop-web");

    private final List<String> reported = new ArrayList<>();
    private final FakeTime time = new FakeTime();
    private final EndpointIndex index = new EndpointIndex(time);

    private int eventsEnded;

    private final class Recorder extends ChangesByKind {
        @Override
        public void eventEnded() {
            eventsEnded++;
        }

        @Override
        void grew(ServiceName service, PoolKey pool, AddressSet added, AddressSet wanted) {
            reported.add("grew " + service + " " + pool + " by " + added + " to " + wanted);
        }

        @Override
        void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {
            reported.add("adopted " + service + " " + wanted);
        }

        @Override
        void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            reported.add("changed " + service + " " + wanted);
        }

        @Override
        public void touched(ServiceName service, PoolKey pool) {
            reported.add("touched " + service);
        }

        @Override
        public void left(ServiceName service, PoolKey pool) {
            reported.add("left " + service);
        }

        @Override
        public void edited(ServiceName service) {
            reported.add("edited " + service);
        }
    }

    @BeforeEach
    void twoServices() {
        index.locate(List.of(API_POOL, WEB_POOL));
        node("n1", "10.0.0.1");
        node("n2", "10.0.0.2");
        service(API);
        service(WEB);
        index.listen(new Recorder());
    }

    private void node(String name, String... addresses) {
        index.nodeChanged(new NodeState(name, Map.of(), List.of(addresses)));
    }

    private void service(ServiceName name) {
        index.serviceChanged(new ServiceState(name, "LoadBalancer", "Local", List.of("IPv4")));
    }

    private void slice(ServiceName service, String name, String... nodes) {
        index.sliceChanged(new EndpointSliceState("shop", name, service, "IPv4", List.of(nodes)));
    }

    @Test
    void a_service_counts_from_its_first_slice_and_removes_nothing_before_its_adoption() {
        assertThat(PoolWants.of(index, WEB_POOL).isSeen(WEB)).isFalse();
        slice(WEB, "a", "n1", "n9");
        assertThat(PoolWants.of(index, WEB_POOL).isSeen(WEB)).isTrue();
        assertThat(PoolWants.of(index, WEB_POOL).isAdopted(WEB))
                .as("n9 was never seen")
                .isFalse();
        assertThat(PoolWants.of(index, WEB_POOL).wanted(WEB)).isEqualTo(AddressSet.of("10.0.0.1"));
        slice(WEB, "a", "n1", "n2");
        assertThat(PoolWants.of(index, WEB_POOL).isAdopted(WEB)).isTrue();
        assertThat(PoolWants.of(index, WEB_POOL).wanted(WEB)).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2"));
        assertThat(PoolWants.of(index, API_POOL).isSeen(WEB)).isFalse();
        assertThat(PoolWants.of(index, API_POOL).wanted(WEB)).isEqualTo(AddressSet.empty());
        slice(WEB, "a");
        assertThat(PoolWants.of(index, WEB_POOL).wanted(WEB)).isEqualTo(AddressSet.empty());
    }

    @Test
    void the_nodes_named_by_slices_are_known_even_while_nothing_leaves_the_wanted_set() {
        slice(WEB, "a", "n1");
        slice(WEB, "a", "n2", "never-seen");
        assertThat(PoolWants.of(index, WEB_POOL).wanted(WEB)).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2"));
        assertThat(index.selected(WEB, WEB_POOL)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(index.selected(WEB, API_POOL)).isEqualTo(AddressSet.empty());
    }

    private String nameOf(String address) {
        return index.nodeName(IpAddress.of(address)).orElse("none");
    }

    @Test
    void an_address_belongs_to_its_node_until_the_node_changes_it_or_is_deleted() {
        assertThat(nameOf("10.0.0.1")).isEqualTo("n1");
        node("N1", "10.0.0.7");
        assertThat(nameOf("10.0.0.1")).isEqualTo("none");
        assertThat(nameOf("10.0.0.7")).isEqualTo("N1");
        index.nodeDeleted("n1");
        assertThat(nameOf("10.0.0.7")).isEqualTo("none");
        assertThat(nameOf("10.0.0.2")).isEqualTo("n2");
    }

    @Test
    void an_address_taken_over_by_another_node_stays_with_that_node() {
        node("n3", "10.0.0.1");
        assertThat(nameOf("10.0.0.1")).isEqualTo("n3");
        index.nodeDeleted("n1");
        assertThat(nameOf("10.0.0.1")).isEqualTo("n3");
    }

    @Test
    void an_address_taken_over_stays_with_its_new_node_when_the_first_is_updated() {
        node("n3", "10.0.0.1");
        node("n1", "10.0.0.1");
        assertThat(nameOf("10.0.0.1")).isEqualTo("n3");
    }

    @Test
    void a_slice_that_moves_to_another_service_changes_both_in_order_of_their_names() {
        slice(WEB, "s", "n1");
        slice(API, "other", "n2");
        reported.clear();

        slice(API, "s", "n1");
        assertThat(reported)
                .containsExactly(
                        "changed shop/api [10.0.0.1, 10.0.0.2]",
                        "touched shop/api",
                        "changed shop/web []",
                        "touched shop/web");
        reported.clear();

        slice(WEB, "s", "n1");
        assertThat(reported)
                .containsExactly(
                        "changed shop/api [10.0.0.2]",
                        "touched shop/api",
                        "changed shop/web [10.0.0.1]",
                        "touched shop/web");
    }

    @Test
    void a_slice_event_is_a_change_only_with_another_type_or_other_nodes() {
        slice(WEB, "s", "n1");
        reported.clear();
        slice(WEB, "s", "n1");
        assertThat(reported).containsExactly("touched shop/web");
        reported.clear();
        slice(WEB, "s", "n2");
        assertThat(reported).containsExactly("changed shop/web [10.0.0.2]", "touched shop/web");
        reported.clear();
        index.sliceChanged(new EndpointSliceState("shop", "s", WEB, "IPv6", List.of("n2")));
        assertThat(reported).containsExactly("changed shop/web []", "touched shop/web");
    }

    @Test
    void an_edit_is_reported_for_a_service_with_pools() {
        service(WEB);
        index.serviceChanged(new ServiceState(API, "ClusterIP", "Local", List.of()));
        assertThat(reported).containsExactly("edited shop/web", "left shop/api");
    }

    @Test
    void a_service_is_adopted_before_its_edit_is_reported() {
        index.serviceDeleted(WEB);
        slice(WEB, "s", "n1");
        reported.clear();
        service(WEB);
        assertThat(reported).containsExactly("adopted shop/web [10.0.0.1]", "edited shop/web");
    }

    @Test
    void a_paused_service_is_recognised() {
        slice(WEB, "s", "n1");
        index.serviceChanged(new ServiceState(WEB, "LoadBalancer", "Local", List.of())
                .withAnnotations(Map.of(ServiceState.PAUSED_ANNOTATION, "true")));
        assertThat(index.wants())
                .filteredOn(Want::paused)
                .extracting(Want::service)
                .containsExactly(WEB);
    }

    @Test
    void a_survey_shows_whether_a_set_is_complete_and_ever_was() {
        slice(WEB, "s", "n1");
        slice(API, "s-api", "never-seen");
        slice(WEB, "s", "never-seen");
        assertThat(index.wants())
                .containsExactlyInAnyOrder(
                        new Want(WEB, WEB_POOL, AddressSet.of("10.0.0.1"), true, true, false, false),
                        new Want(API, API_POOL, AddressSet.empty(), true, false, false, false));
    }

    @Test
    void a_service_whose_pool_is_not_listed_is_shown_as_lacking_it() {
        index.locate(List.of(API_POOL));
        assertThat(index.unplaced().withoutPool()).containsExactly(WEB);
    }

    @Test
    void a_service_that_reuses_a_freed_slot_is_not_mistaken_for_the_old_one() {
        slice(WEB, "s", "n1");
        index.sliceDeleted(new EndpointSliceState("shop", "s", WEB, "IPv4", List.of("n1")));
        index.serviceDeleted(WEB);
        ServiceName later = new ServiceName("shop", "later");
        PoolKey pool = PoolKey.of("lb-1", "shop-later");
        index.locate(List.of(API_POOL, WEB_POOL, pool));
        service(later);
        slice(later, "l", "n2");
        reported.clear();

        node("n1", "10.0.0.8");
        assertThat(reported).isEmpty();
        node("n2", "10.0.0.9");
        assertThat(reported).containsExactly("changed shop/later [10.0.0.9]");
    }

    @Test
    void a_service_with_more_nodes_than_the_initial_capacity_gets_them_all() {
        String[] nodes = IntStream.range(0, 3_000).mapToObj(i -> "m" + i).toArray(String[]::new);
        for (int i = 0; i < nodes.length; i++) {
            node(nodes[i], "10.1." + i / 250 + "." + i % 250);
        }
        slice(WEB, "s", nodes);
        assertThat(PoolWants.of(index, WEB_POOL).wanted(WEB).size()).isEqualTo(3_000);
        slice(WEB, "s", "m0", "m0");
        assertThat(PoolWants.of(index, WEB_POOL).wanted(WEB)).isEqualTo(AddressSet.of("10.1.0.0"));
    }

    @Test
    void operations_of_an_earlier_time_as_a_local_service_do_not_count() {
        slice(WEB, "s", "n1");
        assertThat(PoolWants.of(index, WEB_POOL).isSeen(WEB)).isTrue();
        index.serviceDeleted(WEB);
        slice(WEB, "s", "never-seen");
        service(WEB);
        assertThat(PoolWants.of(index, WEB_POOL).isAdopted(WEB)).isFalse();
        slice(WEB, "s", "n1");
        assertThat(PoolWants.of(index, WEB_POOL).isAdopted(WEB)).isTrue();
    }

    @Test
    void only_a_name_on_several_load_balancers_is_ambiguous() {
        assertThat(index.unplaced().ambiguous()).isEmpty();
        index.locate(List.of(PoolKey.of("lb-2", "shop-web"), API_POOL, WEB_POOL));
        assertThat(index.unplaced().ambiguous())
                .containsExactly(new Unplaced.AmbiguousPool(
                        WEB,
                        WEB_POOL.pool(),
                        List.of(WEB_POOL, PoolKey.of("lb-2", "shop-web")),
                        Optional.of(WEB_POOL)));
        index.locate(List.of());
        assertThat(index.unplaced().ambiguous()).isEmpty();
        assertThat(PoolWants.of(index, API_POOL).isSeen(API)).isFalse();
    }

    @Test
    void each_event_is_completed_once_whatever_it_changes() {
        EndpointSliceState slice = new EndpointSliceState("shop", "web-a", WEB, "IPv4", List.of("n1"));
        List<Runnable> events = List.of(
                () -> index.sliceChanged(slice),
                () -> node("n1", "10.0.0.7"),
                () -> service(WEB),
                () -> index.sliceDeleted(slice),
                () -> index.serviceDeleted(WEB),
                () -> index.nodeDeleted("n1"),
                () -> index.locate(List.of()));
        for (int i = 0; i < events.size(); i++) {
            events.get(i).run();
            assertThat(eventsEnded).isEqualTo(i + 1);
        }
    }

    @Test
    void a_node_is_reported_for_a_service_in_its_pool() {
        // given
        index.nodeChanged(new NodeState("n2", Map.of(NodeState.MASTER, ""), List.of("10.0.0.2", "fd12::2")));
        slice(WEB, "web-b", "n2");
        slice(WEB, "web-a", "n1", "n2");
        slice(API, "api-a", "n2");
        index.sliceChanged(new EndpointSliceState("shop", "web-6", WEB, "IPv6", List.of("n2")));
        // when, then
        assertThat(index.reportNode(WEB, WEB_POOL, "n2"))
                .contains(new NodeReport(
                        NodeReport.Presence.PRESENT,
                        Optional.of(NodeState.MASTER),
                        AddressSet.of("10.0.0.2"),
                        List.of("web-a", "web-b")));
        assertThat(index.reportNode(WEB, WEB_POOL, "n1"))
                .contains(new NodeReport(
                        NodeReport.Presence.PRESENT, Optional.empty(), AddressSet.of("10.0.0.1"), List.of("web-a")));
    }

    @Test
    void a_node_without_addresses_differs_from_one_that_was_never_seen() {
        slice(WEB, "web-a", "n1", "n2", "named");
        node("N3", "10.0.0.3", "fd12::3", "10.0.0.4", "fd12::4");
        index.nodeChanged(new NodeState("n2", Map.of(NodeState.MASTER, ""), List.of("10.0.0.2")));
        index.nodeDeleted("n1");
        assertThat(index.addressesOf("n3", IpFamily.IPV4)).contains(AddressSet.of("10.0.0.3"));
        assertThat(index.addressesOf("n3", IpFamily.IPV6)).contains(AddressSet.of("fd12::3"));
        assertThat(index.addressesOf("n2", IpFamily.IPV4)).as("excluded").contains(AddressSet.empty());
        assertThat(index.addressesOf("n1", IpFamily.IPV4)).as("deleted").contains(AddressSet.empty());
        assertThat(index.addressesOf("named", IpFamily.IPV4)).isEmpty();
        assertThat(index.addressesOf("unknown", IpFamily.IPV4)).isEmpty();
    }

    @Test
    void a_deleted_node_differs_from_an_unknown_one() {
        slice(WEB, "web-a", "n1", "n9");
        index.nodeDeleted("n1");
        assertThat(index.reportNode(WEB, WEB_POOL, "n1").orElseThrow().presence())
                .isEqualTo(NodeReport.Presence.DELETED);
        assertThat(index.reportNode(WEB, WEB_POOL, "n9").orElseThrow().presence())
                .isEqualTo(NodeReport.Presence.UNKNOWN);
        assertThat(index.reportNode(API, WEB_POOL, "n1")).isEmpty();
    }
}

package dev.poolkeeper.core.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the index keeps and tells beside the wanted sets: names of nodes, order, revisions, the queue behind it. */
class EndpointIndexDetailsTest {

    private static final ServiceName API = new ServiceName("shop", "api");
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey API_POOL = PoolKey.of("lb-1", "shop-api");
    private static final PoolKey WEB_POOL = PoolKey.of("lb-1", "shop-web");

    private final OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
    private final List<String> told = new ArrayList<>();
    private final EndpointIndex index = new EndpointIndex(new Teller(new ChangeQueuer(queue)));

    private final class Teller implements WantedChanges {
        private final WantedChanges next;

        Teller(WantedChanges next) {
            this.next = next;
        }

        @Override
        public void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {
            told.add("adopted " + service + " " + wanted);
            next.adopted(service, pool, wanted);
        }

        @Override
        public void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            told.add("changed " + service + " " + wanted);
            next.changed(service, pool, before, wanted);
        }

        @Override
        public void retriggered(ServiceName service, PoolKey pool, AddressSet wanted) {
            told.add("retriggered " + service + " " + wanted);
            next.retriggered(service, pool, wanted);
        }

        @Override
        public void left(ServiceName service, PoolKey pool) {
            told.add("left " + service);
            next.left(service, pool);
        }
    }

    @BeforeEach
    void twoServices() {
        index.locationsChanged(PoolLocations.of(List.of(API_POOL, WEB_POOL)));
        node("n1", "10.0.0.1");
        node("n2", "10.0.0.2");
        service(API);
        service(WEB);
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
    void what_a_service_wants_now_is_known_from_its_adoption_on() {
        assertThat(index.wantedNow(WEB, WEB_POOL)).isEmpty();
        slice(WEB, "a", "n1", "n9");
        assertThat(index.wantedNow(WEB, WEB_POOL)).as("nobody spoke of n9").isEmpty();
        slice(WEB, "a", "n1", "n2");
        assertThat(index.wantedNow(WEB, WEB_POOL)).contains(AddressSet.of("10.0.0.1", "10.0.0.2"));
        assertThat(index.wantedNow(WEB, API_POOL)).isEmpty();
        slice(WEB, "a");
        assertThat(index.wantedNow(WEB, WEB_POOL)).contains(AddressSet.empty());
    }

    private String nameOf(String address) {
        return index.nodeName(IpAddress.of(address)).orElse("nobody");
    }

    @Test
    void an_address_is_its_nodes_until_the_node_has_another_or_is_gone() {
        assertThat(nameOf("10.0.0.1")).isEqualTo("n1");
        node("N1", "10.0.0.7");
        assertThat(nameOf("10.0.0.1")).isEqualTo("nobody");
        assertThat(nameOf("10.0.0.7")).isEqualTo("N1");
        index.nodeDeleted("n1");
        assertThat(nameOf("10.0.0.7")).isEqualTo("nobody");
        assertThat(nameOf("10.0.0.2")).isEqualTo("n2");
    }

    @Test
    void an_address_that_another_node_has_taken_stays_the_others() {
        node("n3", "10.0.0.1");
        assertThat(nameOf("10.0.0.1")).isEqualTo("n3");
        index.nodeDeleted("n1");
        assertThat(nameOf("10.0.0.1")).isEqualTo("n3");
    }

    @Test
    void a_node_told_of_again_keeps_an_address_that_another_node_took() {
        node("n3", "10.0.0.1");
        node("n1", "10.0.0.1");
        assertThat(nameOf("10.0.0.1")).isEqualTo("n3");
    }

    @Test
    void a_slice_that_moves_to_another_service_tells_both_in_order_of_their_names() {
        slice(WEB, "s", "n1");
        slice(API, "other", "n2");
        told.clear();

        slice(API, "s", "n1");
        assertThat(told).containsExactly("changed shop/api [10.0.0.1, 10.0.0.2]", "changed shop/web []");
        told.clear();

        slice(WEB, "s", "n1");
        assertThat(told).containsExactly("changed shop/api [10.0.0.2]", "changed shop/web [10.0.0.1]");
    }

    @Test
    void a_slice_told_of_again_is_no_change_and_one_of_another_type_or_with_other_nodes_is() {
        slice(WEB, "s", "n1");
        told.clear();
        slice(WEB, "s", "n1");
        assertThat(told).isEmpty();
        slice(WEB, "s", "n2");
        assertThat(told).containsExactly("changed shop/web [10.0.0.2]");
        told.clear();
        index.sliceChanged(new EndpointSliceState("shop", "s", WEB, "IPv6", List.of("n2")));
        assertThat(told).containsExactly("changed shop/web []");
    }

    @Test
    void a_revision_tells_of_every_coming_adoption_and_going_and_of_nothing_else() {
        long before = index.revision();
        slice(WEB, "s", "n1");
        long first = index.revision();
        assertThat(first).isGreaterThan(before);
        slice(WEB, "s", "n2");
        assertThat(index.revision()).isEqualTo(first);
        index.serviceDeleted(WEB);
        long second = index.revision();
        assertThat(second).isGreaterThan(first);
        service(WEB);
        assertThat(index.revision()).isGreaterThan(second);
    }

    @Test
    void a_service_that_failed_is_told_of_once_more_by_its_next_slice_event_and_once_only() {
        slice(WEB, "s", "n1");
        index.failed(WEB, WEB_POOL);
        told.clear();
        slice(API, "other", "n1");
        slice(WEB, "s", "n1");
        slice(WEB, "s", "n1");
        assertThat(told).containsExactly("adopted shop/api [10.0.0.1]", "retriggered shop/web [10.0.0.1]");

        index.failed(WEB, WEB_POOL);
        index.succeeded(WEB, WEB_POOL);
        told.clear();
        slice(WEB, "s", "n1");
        assertThat(told).isEmpty();

        index.failed(WEB, WEB_POOL);
        slice(WEB, "s", "n2");
        assertThat(told).containsExactly("changed shop/web [10.0.0.2]"); // the change is enough
    }

    @Test
    void a_service_that_failed_before_its_set_was_complete_is_not_told_of_again() {
        index.failed(WEB, WEB_POOL);
        slice(WEB, "s", "unknown");
        assertThat(told).isEmpty();
    }

    @Test
    void what_is_told_is_queued_and_what_left_is_not() {
        slice(WEB, "s", "n1");
        assertThat(queue.size()).isEqualTo(1);
        queue.drain();
        index.failed(WEB, WEB_POOL);
        slice(WEB, "s", "n1");
        assertThat(queue.size()).isEqualTo(1);
        index.serviceDeleted(WEB);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void in_diff_a_failure_does_not_queue_again() {
        OperationQueue diff = new OperationQueue(UpdateModel.DIFF);
        new ChangeQueuer(diff).retriggered(WEB, WEB_POOL, AddressSet.of("10.0.0.1"));
        assertThat(diff.isEmpty()).isTrue();
    }

    @Test
    void a_service_that_takes_the_place_of_a_forgotten_one_is_not_mistaken_for_it() {
        slice(WEB, "s", "n1");
        index.sliceDeleted(new EndpointSliceState("shop", "s", WEB, "IPv4", List.of("n1")));
        index.serviceDeleted(WEB);
        ServiceName later = new ServiceName("shop", "later");
        PoolKey pool = PoolKey.of("lb-1", "shop-later");
        index.locationsChanged(PoolLocations.of(List.of(API_POOL, WEB_POOL, pool)));
        service(later);
        slice(later, "l", "n2");
        told.clear();

        node("n1", "10.0.0.8");
        assertThat(told).isEmpty();
        node("n2", "10.0.0.9");
        assertThat(told).containsExactly("changed shop/later [10.0.0.9]");
    }

    @Test
    void a_service_of_more_nodes_than_fit_at_first_gets_them_all() {
        String[] nodes = IntStream.range(0, 3_000).mapToObj(i -> "m" + i).toArray(String[]::new);
        for (int i = 0; i < nodes.length; i++) {
            node(nodes[i], "10.1." + i / 250 + "." + i % 250);
        }
        slice(WEB, "s", nodes);
        assertThat(index.wantedPools())
                .filteredOn(pool -> pool.pool().equals(WEB_POOL))
                .singleElement()
                .satisfies(pool -> assertThat(pool.wanted().size()).isEqualTo(3_000));
        slice(WEB, "s", "m0", "m0");
        assertThat(told).last().isEqualTo("changed shop/web [10.1.0.0]");
    }

    @Test
    void operations_of_an_earlier_time_as_a_local_service_do_not_count() {
        slice(WEB, "s", "n1");
        assertThat(index.isLocal(WEB, WEB_POOL)).isTrue();
        index.serviceDeleted(WEB);
        slice(WEB, "s", "nobody-spoke-of-this-node");
        service(WEB);
        assertThat(index.isLocal(WEB, WEB_POOL)).isFalse();
        slice(WEB, "s", "n1");
        assertThat(index.isLocal(WEB, WEB_POOL)).isTrue();
    }

    @Test
    void only_a_name_on_several_load_balancers_is_ambiguous() {
        assertThat(index.survey().ambiguous()).isEmpty();
        index.locationsChanged(PoolLocations.of(List.of(API_POOL, WEB_POOL, PoolKey.of("lb-2", "shop-web"))));
        assertThat(index.survey().ambiguous())
                .extracting(pool -> pool.service())
                .containsExactly(WEB);
        index.locationsChanged(PoolLocations.none());
        assertThat(index.survey().ambiguous()).isEmpty();
        assertThat(index.isLocal(API, API_POOL)).isFalse();
    }
}

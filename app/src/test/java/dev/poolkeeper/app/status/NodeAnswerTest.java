package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Service's slices name n1, n4, n5, n6 and gone; the pool holds n1 and n3. */
class NodeAnswerTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Difference HELD = new Difference(Why.Plain.QUEUED, Optional.empty(), Optional.empty());

    private final EndpointIndex index = new EndpointIndex(new FakeTime());
    private final FakeCluster cluster = new FakeCluster();

    @BeforeEach
    void fill() {
        cluster.listen(index);
        index.locate(List.of(POOL));
        node("n1", Map.of(), "10.0.0.1");
        node("n2", Map.of(), "10.0.0.2");
        node("n3", Map.of(), "10.0.0.3");
        node("n4", Map.of(), "10.0.0.4");
        node("n5", Map.of("node.kubernetes.io/exclude-from-external-load-balancers", ""), "10.0.0.5");
        node("n6", Map.of(), "fd00::6");
        node("gone", Map.of(), "10.0.0.7");
        cluster.put(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4")));
        slice("web-a", "n1", "n5");
        slice("web-b", "n4", "n6", "gone");
        cluster.deleteNode("gone");
    }

    private void node(String name, Map<String, String> labels, String address) {
        cluster.put(new NodeState(name, labels, List.of(address)));
    }

    private void slice(String name, String... nodes) {
        cluster.put(new EndpointSliceState("shop", name, WEB, "IPv4", List.of(nodes)));
    }

    private NodeAnswer answer(String node) {
        AddressSet holds = AddressSet.of("10.0.0.1", "10.0.0.3");
        PoolStatus pool = new PoolStatus(
                POOL,
                List.of(WEB),
                index.wants().get(0).wanted(),
                true,
                Optional.of(new KnownPool(POOL, holds, Statuses.NOW, null, false, null, null)),
                0,
                Optional.of(HELD),
                AddressSet.empty());
        return NodeAnswer.of(node, WEB, pool, index.reportNode(WEB, POOL, node).orElseThrow());
    }

    @Test
    void a_node_in_the_pool_is_shown_with_its_slice() {
        assertThat(answer("N1").text())
                .isEqualTo(
                        "Wanted: EndpointSlice web-a names the node, whose address is [10.0.0.1]. It is in the pool.");
    }

    @Test
    void a_wanted_node_not_in_the_pool_waits_for_the_same_reason_as_the_pool() {
        assertThat(answer("n4").text())
                .isEqualTo("Wanted: EndpointSlice web-b names the node, whose address is [10.0.0.4]. It is not in the"
                        + " pool yet. The pool waits for the next update of its load balancer. No action is needed.");
        assertThat(answer("n4").wanted()).isTrue();
        assertThat(answer("n4").held()).isFalse();
    }

    @Test
    void a_node_in_no_slice_is_not_wanted() {
        assertThat(answer("n2").text())
                .isEqualTo("Not wanted: no EndpointSlice of the Service names the node. It is not in the pool.");
        assertThat(answer("n3").text())
                .endsWith("It is still in the pool. The pool waits for the next update of its load balancer. No action"
                        + " is needed.");
    }

    @Test
    void an_excluded_node_is_reported_with_its_label() {
        assertThat(answer("n5").text())
                .startsWith("Not wanted: the node is excluded by its label"
                        + " node.kubernetes.io/exclude-from-external-load-balancers.");
    }

    @Test
    void a_node_without_an_address_of_the_family_is_reported() {
        assertThat(answer("n6").text()).startsWith("Not wanted: the node has no InternalIP of the pool's IP family.");
    }

    @Test
    void a_deleted_node_and_an_unknown_node_are_told_apart() {
        assertThat(answer("gone").text()).startsWith("Not wanted: the node was deleted.");
        assertThat(answer("never").text()).startsWith("Unknown: there is no node of this name in the cluster.");
        slice("web-c", "never");
        assertThat(answer("never").text()).contains("though EndpointSlice web-c refers to it.");
    }

    /** The pool wants 10.0.0.1 and 10.0.0.2 and holds 10.0.0.1 and 10.0.0.3; the node has these addresses. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.0.0.1          | true  | true  | It is in the pool.
        10.0.0.1 10.0.0.9 | true  | true  | It is in the pool.
        10.0.0.2          | true  | false | It is not in the pool yet. The next comparison will find this difference.
        10.0.0.2 10.0.0.9 | true  | false | It is not in the pool yet. The next comparison will find this difference.
        10.0.0.2 10.0.0.3 | true  | true  | It is in the pool.
        10.0.0.3          | false | true  | It is still in the pool. The next comparison will find this difference.
        10.0.0.3 10.0.0.9 | false | true  | It is still in the pool. The next comparison will find this difference.
        10.0.0.9          | false | false | It is not in the pool.
        """)
    void one_of_a_nodes_addresses_is_enough(String addresses, boolean wanted, boolean held, String text) {
        PoolStatus pool = new PoolStatus(
                POOL,
                List.of(WEB),
                AddressSet.of("10.0.0.1", "10.0.0.2"),
                true,
                Optional.of(new KnownPool(
                        POOL, AddressSet.of("10.0.0.1", "10.0.0.3"), Statuses.NOW, null, false, null, null)),
                0,
                Optional.empty(),
                AddressSet.empty());

        NodeAnswer answer = NodeAnswer.of(
                "n",
                WEB,
                pool,
                new NodeReport(
                        NodeReport.Presence.PRESENT,
                        Optional.empty(),
                        AddressSet.of(addresses.split(" ")),
                        List.of("web-a", "web-b")));

        assertThat(answer.wanted()).isEqualTo(wanted);
        assertThat(answer.held()).isEqualTo(held);
        assertThat(answer.text())
                .isEqualTo("Wanted: EndpointSlice web-a, web-b names the node, whose address is ["
                        + addresses.replace(" ", ", ") + "]. " + text);
    }

    /** What keeps the node out is told before what follows from it. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
        UNKNOWN | -     | -        | -         | Unknown: there is no node of this name in the cluster.
        UNKNOWN | -     | -        | web-a     | Unknown: there is no node of this name in the cluster, though \
        EndpointSlice web-a refers to it.
        UNKNOWN | -     | -        | web-a,b   | Unknown: there is no node of this name in the cluster, though \
        EndpointSlice web-a, b refers to it.
        DELETED | label | -        | web-a     | Not wanted: the node was deleted.
        PRESENT | label | -        | -         | Not wanted: the node is excluded by its label label.
        PRESENT | -     | -        | -         | Not wanted: the node has no InternalIP of the pool's IP family.
        PRESENT | -     | 10.0.0.9 | -         | Not wanted: no EndpointSlice of the Service names the node.
        """)
    void an_obstacle(NodeReport.Presence presence, String label, String address, String slices, String text) {
        PoolStatus pool = new PoolStatus(
                POOL,
                List.of(WEB),
                AddressSet.of("10.0.0.9"),
                true,
                Optional.empty(),
                0,
                Optional.of(HELD),
                AddressSet.empty());

        NodeAnswer answer = NodeAnswer.of(
                "n",
                WEB,
                pool,
                new NodeReport(
                        presence,
                        Optional.ofNullable(label),
                        address == null ? AddressSet.empty() : AddressSet.of(address),
                        slices == null ? List.of() : List.of(slices.split(","))));

        assertThat(answer.text())
                .isEqualTo(text
                        + (address == null
                                ? " It is not in the pool."
                                : " It stays for another Service of the pool, or until the wanted set is"
                                        + " complete. It is not in the pool yet. The pool waits for the next update of"
                                        + " its load balancer. No action is needed."));
    }

    @Test
    void a_service_that_is_not_local_has_no_answer() {
        assertThat(index.reportNode(new ServiceName("shop", "other"), POOL, "n1"))
                .isEmpty();
    }
}

package dev.poolkeeper.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules 2 to 5, 7 and 12 of replay, checked against the reports of the index. */
class EndpointIndexTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    private final List<String> reported = new ArrayList<>();
    private final List<String> touched = new ArrayList<>();
    private final FakeTime time = new FakeTime();
    private final EndpointIndex index = new EndpointIndex(time);

    private final class Recorder extends ChangesByKind {
        @Override
        void grew(ServiceName service, PoolKey pool, AddressSet added, AddressSet wanted) {
            reported.add("grew " + service + " " + pool + " by " + added + " to " + wanted);
        }

        @Override
        void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {
            reported.add("adopted " + service + " " + pool + " " + wanted);
        }

        @Override
        void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            reported.add("changed " + service + " " + pool + " " + before + " to " + wanted);
        }

        @Override
        public void touched(ServiceName service, PoolKey pool) {
            touched.add(service + " " + pool);
        }

        @Override
        public void left(ServiceName service, PoolKey pool) {
            reported.add("left " + service + " " + pool);
        }
    }

    @BeforeEach
    void pools() {
        index.listen(new Recorder());
        pools("lb-1/shop-web", "lb-1/shop-web-ipv6", "lb-2/a-b-c");
    }

    private void pools(String... names) {
        index.locate(Stream.of(names)
                .map(name -> PoolKey.of(name.split("/", 2)[0], name.split("/", 2)[1]))
                .toList());
    }

    private void service(String name, String... families) {
        index.serviceChanged(new ServiceState(ServiceName.parse(name), "LoadBalancer", "Local", List.of(families)));
    }

    private void slice(String service, String slice, String type, String... nodes) {
        index.sliceChanged(state(service, slice, type, nodes));
    }

    private static EndpointSliceState state(String service, String slice, String type, String... nodes) {
        ServiceName name = ServiceName.parse(service);
        return new EndpointSliceState(name.namespace(), slice, name, type, List.of(nodes));
    }

    private void node(String name, String... addresses) {
        index.nodeChanged(new NodeState(name, Map.of(), List.of(addresses)));
    }

    private List<String> news() {
        List<String> news = List.copyOf(reported);
        reported.clear();
        return news;
    }

    /** A Service shop/web with one slice on the nodes n1 (10.0.0.1) and n2 (10.0.0.2), adopted. */
    private void adopted() {
        node("n1", "10.0.0.1", "fd12::1");
        node("n2", "10.0.0.2", "fd12::2");
        service("shop/web");
        slice("shop/web", "web-a", "IPv4", "n1", "n2");
        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2]");
    }

    @ParameterizedTest
    @CsvSource({
        "node.kubernetes.io/exclude-from-external-load-balancers, '', true",
        "node.kubernetes.io/exclude-from-external-load-balancers, false, true",
        "node-role.kubernetes.io/control-plane, '', true",
        "node-role.kubernetes.io/master, x, true",
        "kubernetes.io/role, master, true",
        "kubernetes.io/role, Master, false",
        "kubernetes.io/role, agent, false",
        "kubernetes.azure.com/managed, false, true",
        "kubernetes.azure.com/managed, FALSE, true",
        "kubernetes.azure.com/managed, true, false",
        "kubernetes.azure.com/managed, '', false",
        "agentpool, nodepool1, false",
    })
    @Rule(
            id = "R02.1",
            says = "A node with an excluding label (control plane, master, exclude-from-external-load-balancers, role"
                    + " master, or managed false in any case) has no addresses.",
            source = "contract, Replay rule 2",
            differs = "The Go updater ignores the exclusion; the main path removes the node again.")
    void excluded_nodes_have_no_addresses(String label, String value, boolean excluded) {
        adopted();

        index.nodeChanged(new NodeState("n1", Map.of(label, value), List.of("10.0.0.1")));

        assertThat(news()).hasSize(excluded ? 1 : 0);
    }

    @Test
    @Rule(
            id = "R02.3",
            says = "Of a node's internal IPs only the first of each family counts that is an IP address.",
            source = "contract, Replay rule 2",
            differs = "The Go updater adds all; the main path removes the others again.")
    void only_the_first_internal_ip_of_each_family_counts() {
        adopted();

        node("n1", "10.0.0.300", "fd12::1", "10.0.0.5", "10.0.0.1", "fd12::2");

        assertThat(news())
                .containsExactly("changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.2, 10.0.0.5]");
    }

    @Test
    @Rule(
            id = "R02.2",
            says = "Node names are case-insensitive.",
            source = "contract, Replay rule 2",
            differs = "In Go a node with an upper-case name keeps stale addresses.")
    void node_names_are_case_insensitive() {
        adopted();

        node("N1", "10.0.0.9");
        index.nodeDeleted("N2");

        assertThat(news())
                .containsExactly(
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.2, 10.0.0.9]",
                        "changed shop/web lb-1/shop-web [10.0.0.2, 10.0.0.9] to [10.0.0.9]");
    }

    @ParameterizedTest
    @CsvSource({
        "ClusterIP, Local",
        "NodePort, Local",
        "LoadBalancer, Cluster",
        "loadbalancer, Local",
        ", Local",
        "LoadBalancer,"
    })
    @Rule(
            id = "R03.1",
            says = "A Service is local while it is of type LoadBalancer, its policy is Local, and its pool exists.",
            source = "contract, Replay rule 3",
            differs = "Go checks only the policy.")
    void a_service_of_another_type_or_policy_is_not_local(String type, String policy) {
        adopted();

        index.serviceChanged(new ServiceState(ServiceName.parse("shop/web"), type, policy, List.of()));

        assertThat(news()).containsExactly("left shop/web lb-1/shop-web");
        assertThat(PoolWants.of(index, POOL).isSeen(ServiceName.parse("shop/web")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({",true", "'',true", "service.k8s.aws/nlb,false", "azure,false", "' ',false"})
    @Rule(
            id = "R03.6",
            says = "A Service with a load balancer class is not local, and lacks no pool: it belongs to another"
                    + " implementation of load balancers.",
            source = "contract, Replay rule 3")
    void a_service_with_a_load_balancer_class_is_not_local(@Nullable String loadBalancerClass, boolean local) {
        adopted();

        index.serviceChanged(new ServiceState(
                ServiceName.parse("shop/web"), "LoadBalancer", "Local", List.of(), loadBalancerClass, null, Map.of()));
        assertThat(news()).hasSize(local ? 0 : 1);
        pools("lb-1/another");

        assertThat(index.unplaced().withoutPool()).hasSize(local ? 1 : 0);
    }

    @Test
    void a_service_without_a_pool_is_not_local_until_its_pool_is_listed() {
        node("n1", "10.0.0.1");
        service("shop/api");
        slice("shop/api", "api-a", "IPv4", "n1");
        assertThat(news()).isEmpty();

        pools("LB-3/Shop-API");

        assertThat(news()).containsExactly("adopted shop/api LB-3/Shop-API [10.0.0.1]");
    }

    @Test
    @Rule(
            id = "R03.2",
            says = "A pool name that exists on two load balancers is ambiguous: the Service is not local there.",
            source = "contract, Replay rule 3")
    void a_pool_name_on_two_load_balancers_is_ambiguous() {
        pools("lb-1/shop-web", "lb-2/SHOP-WEB");
        service("shop/web");
        node("n1", "10.0.0.1");
        slice("shop/web", "web-a", "IPv4", "n1");

        assertThat(news()).isEmpty();
        assertThat(index.unplaced().ambiguous())
                .extracting(ambiguous -> ambiguous.service() + " " + ambiguous.pool() + " " + ambiguous.maintained())
                .containsExactly("shop/web shop-web Optional.empty");
    }

    @Test
    @Rule(
            id = "R03.8",
            says = "A pool name that becomes ambiguous while it is maintained stays maintained where it was, for any"
                    + " Service, until it is gone there.",
            source = "contract, Replay rule 3")
    void a_name_that_becomes_ambiguous_stays_where_it_was() {
        adopted();

        pools("lb-1/shop-web", "lb-2/SHOP-WEB");
        slice("shop/web", "web-a", "IPv4", "n1");
        assertThat(news()).containsExactly("changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.1]");
        assertThat(index.unplaced().ambiguous())
                .extracting(Unplaced.AmbiguousPool::maintained)
                .containsExactly(Optional.of(POOL));

        index.serviceDeleted(ServiceName.parse("shop/web"));
        pools("lb-1/shop-web", "lb-2/SHOP-WEB", "lb-3/shop-web");
        service("shop/web");
        assertThat(news()).containsExactly("left shop/web lb-1/shop-web", "adopted shop/web lb-1/shop-web [10.0.0.1]");

        pools("lb-2/SHOP-WEB", "lb-3/shop-web");
        assertThat(news()).containsExactly("left shop/web lb-1/shop-web");
        pools("lb-1/shop-web", "lb-2/SHOP-WEB");
        assertThat(news()).isEmpty();
        pools("lb-2/SHOP-WEB");
        assertThat(news()).containsExactly("adopted shop/web lb-2/SHOP-WEB [10.0.0.1]");
    }

    @Test
    void an_ambiguous_name_that_stays_where_it_was_is_shown_in_arms_spelling() {
        pools("lb-2/SHOP-WEB");
        adoptable();
        pools("lb-1/shop-web", "lb-2/SHOP-WEB");
        assertThat(index.unplaced().ambiguous())
                .extracting(ambiguous -> ambiguous.pool() + " " + ambiguous.maintained())
                .containsExactly("SHOP-WEB Optional[lb-2/SHOP-WEB]");
    }

    @Test
    void a_pool_that_is_listed_twice_is_one() {
        pools("lb-1/shop-web", "LB-1/Shop-Web", "lb-1/shop-web");
        adoptable();
        assertThat(index.wants()).hasSize(1);
        assertThat(index.unplaced().ambiguous()).isEmpty();
    }

    @Test
    void a_name_that_no_one_uses_becomes_ambiguous_for_all() {
        pools("lb-1/shop-web");
        pools("lb-1/shop-web", "lb-2/shop-web");
        adoptable();
        assertThat(news()).isEmpty();
    }

    @Test
    void services_with_several_pools_or_none_are_shown_in_order_of_their_names_ipv4_first() {
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g", "h");
        names.reversed().forEach(name -> service("shop/" + name, "IPv6", "IPv4"));
        pools(names.stream()
                .flatMap(name -> Stream.of("", "-ipv6").map(suffix -> "/shop-" + name + suffix))
                .flatMap(pool -> Stream.of("lb-3", "lb-1", "lb-2").map(loadBalancer -> loadBalancer + pool))
                .toArray(String[]::new));
        assertThat(index.unplaced().ambiguous())
                .extracting(ambiguous -> ambiguous.pool().toString())
                .containsExactly(names.stream()
                        .flatMap(name -> Stream.of("shop-" + name, "shop-" + name + "-ipv6"))
                        .toArray(String[]::new));
        assertThat(index.unplaced().ambiguous())
                .allSatisfy(ambiguous -> assertThat(ambiguous.places())
                        .extracting(place -> place.loadBalancer().toString())
                        .containsExactly("lb-1", "lb-2", "lb-3"));
        assertThat(index.unplaced().withoutPool()).isEmpty();

        pools();
        assertThat(index.unplaced().withoutPool())
                .extracting(ServiceName::toString)
                .containsExactly(names.stream().map(name -> "shop/" + name).toArray(String[]::new));
        assertThat(index.unplaced().ambiguous()).isEmpty();

        names.reversed().forEach(name -> slice("shop/" + name, name, "IPv4"));
        pools(names.reversed().stream().map(name -> "lb-1/shop-" + name).toArray(String[]::new));
        assertThat(news())
                .containsExactly(names.stream()
                        .map(name -> "adopted shop/" + name + " lb-1/shop-" + name + " []")
                        .toArray(String[]::new));
        assertThat(index.wants()).extracting(want -> want.service().name()).containsExactlyElementsOf(names);
    }

    private void adoptable() {
        node("n1", "10.0.0.1");
        service("shop/web");
        slice("shop/web", "web-a", "IPv4", "n1");
    }

    @Test
    @Rule(
            id = "R03.7",
            says = "If Services ask for one pool in different IP families, that of the oldest is served (by"
                    + " creationTimestamp, absent first, then by name); the others are not local there.",
            source = "contract, Replay rule 3",
            differs = "In Go both families are written, which ARM refuses.")
    void of_two_families_that_share_a_pool_the_oldest_services_is_served() {
        node("n1", "10.0.0.1", "fd12::1");
        slice("shop/web", "web-6", "IPv6", "n1");
        slice("shop/web-ipv6", "other", "IPv4", "n1");

        created("shop/web-ipv6", "2026-01-02T00:00:00Z", "IPv4");
        assertThat(news()).containsExactly("adopted shop/web-ipv6 lb-1/shop-web-ipv6 [10.0.0.1]");

        created("shop/web", "2026-01-01T00:00:00Z", "IPv6");
        assertThat(news())
                .as("in order of their names")
                .containsExactly(
                        "adopted shop/web lb-1/shop-web-ipv6 [fd12::1]", "left shop/web-ipv6 lb-1/shop-web-ipv6");
        assertThat(index.unplaced().clashes())
                .containsExactly(new Unplaced.FamilyClash(
                        ServiceName.parse("shop/web-ipv6"),
                        PoolKey.of("lb-1", "shop-web-ipv6"),
                        IpFamily.IPV4,
                        ServiceName.parse("shop/web")));
        assertThat(index.unplaced().withoutPool()).isEmpty();

        pools("lb-1/shop-web", "lb-1/shop-web-ipv6", "lb-2/shop-web-ipv6");
        assertThat(index.unplaced().clashes())
                .as("the name became ambiguous")
                .extracting(Unplaced.FamilyClash::service)
                .containsExactly(ServiceName.parse("shop/web-ipv6"));
        assertThat(index.unplaced().ambiguous())
                .extracting(Unplaced.AmbiguousPool::service)
                .containsExactly(ServiceName.parse("shop/web"));

        created("shop/web", "2026-01-03T00:00:00Z", "IPv6");
        assertThat(news())
                .containsExactly(
                        "left shop/web lb-1/shop-web-ipv6", "adopted shop/web-ipv6 lb-1/shop-web-ipv6 [10.0.0.1]");
        created("shop/web", null, "IPv6");
        assertThat(news()).contains("adopted shop/web lb-1/shop-web-ipv6 [fd12::1]");
        created("shop/web-ipv6", null, "IPv4");
        assertThat(news()).as("equally old: the first name").isEmpty();
        created("shop/web", null, "IPv6");
        assertThat(news()).as("whichever was edited last").isEmpty();
        index.serviceDeleted(ServiceName.parse("shop/web"));
        assertThat(news())
                .containsExactly(
                        "left shop/web lb-1/shop-web-ipv6", "adopted shop/web-ipv6 lb-1/shop-web-ipv6 [10.0.0.1]");
    }

    private void created(String name, @Nullable String at, String... families) {
        index.serviceChanged(new ServiceState(
                ServiceName.parse(name),
                "LoadBalancer",
                "Local",
                List.of(families),
                null,
                at == null ? null : Instant.parse(at),
                Map.of()));
    }

    @Test
    @Rule(
            id = "R03.3",
            says = "The IP families of a Service become local independently; IPv4 is handled first.",
            source = "contract, Replay rules 3 and 5")
    void families_come_and_go_independently() {
        adopted();
        slice("shop/web", "web-6", "IPv6", "n1");

        service("shop/web", "IPv6", "IPv4");
        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web-ipv6 [fd12::1]");

        node("n1", "10.0.0.9", "fd12::9");
        assertThat(news())
                .containsExactly(
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.2, 10.0.0.9]",
                        "changed shop/web lb-1/shop-web-ipv6 [fd12::1] to [fd12::9]");

        node("n1", "10.0.0.9", "fd12::a");
        assertThat(news()).containsExactly("changed shop/web lb-1/shop-web-ipv6 [fd12::9] to [fd12::a]");

        service("shop/web", "IPv6");
        assertThat(news()).containsExactly("left shop/web lb-1/shop-web");
    }

    @Test
    @Rule(
            id = "R03.4",
            says = "A Service whose name ends in -ipv6 is an IPv4 Service like any other.",
            source = "contract, Replay rule 3",
            differs = "In Go its pool counts as IPv6, and an update empties it.")
    void a_service_whose_name_ends_in_ipv6_keeps_its_ipv4_addresses() {
        pools("lb-1/shop-x-ipv6");
        node("n1", "10.0.0.1", "fd12::1");
        service("shop/x-ipv6");
        slice("shop/x-ipv6", "x-a", "IPv4", "n1");

        assertThat(news()).containsExactly("adopted shop/x-ipv6 lb-1/shop-x-ipv6 [10.0.0.1]");
    }

    @Test
    @Rule(
            id = "R04.1",
            says = "The wanted addresses are the union over all of the Service's slices of that address type.",
            source = "contract, Replay rule 4; ours",
            differs = "Go compares a slice only with its previous version: a node that leaves one slice but stays"
                    + " in another is removed.")
    void a_node_in_two_slices_stays_until_it_leaves_both() {
        adopted();
        slice("shop/web", "web-b", "IPv4", "n1");
        slice("shop/web", "web-a", "IPv4", "n2");
        assertThat(news()).isEmpty();

        slice("shop/web", "web-b", "IPv4");

        assertThat(news()).containsExactly("changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.2]");
    }

    @Test
    @Rule(
            id = "R04.2",
            says = "An added or deleted slice takes effect immediately.",
            source = "contract, Replay rule 4",
            differs = "In Go added and deleted slices change no pool.")
    void added_and_deleted_slices_count_at_once() {
        adopted();
        node("n3", "10.0.0.3");

        slice("shop/web", "web-b", "IPv4", "n3");
        index.sliceDeleted(state("shop/web", "web-a", "IPv4"));
        index.sliceDeleted(state("shop/web", "web-b", "IPv4"));

        assertThat(news())
                .containsExactly(
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.1, 10.0.0.2, 10.0.0.3]",
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2, 10.0.0.3] to [10.0.0.3]",
                        "changed shop/web lb-1/shop-web [10.0.0.3] to []");
    }

    @Test
    @Rule(
            id = "R04.3",
            says = "A node that is added, deleted or changes its address takes effect immediately.",
            source = "contract, Replay rule 4",
            differs = "In Go node events queue nothing.")
    void deleted_and_changed_nodes_count_at_once() {
        adopted();

        index.nodeDeleted("n1");
        node("n2", "10.0.0.20");

        assertThat(news())
                .containsExactly(
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.2]",
                        "changed shop/web lb-1/shop-web [10.0.0.2] to [10.0.0.20]");
    }

    @Test
    void only_slices_of_the_familys_address_type_count() {
        adopted();

        slice("shop/web", "web-6", "IPv6", "n3");
        slice("shop/web", "web-f", "FQDN", "n3");

        assertThat(news()).isEmpty();
    }

    @Test
    @Rule(
            id = "R04.4",
            says = "The set is complete once a slice has existed or been seen since the Service became local"
                    + " and every referenced node has been seen, or has been missing for 60 s.",
            source = "contract, Replay rule 4")
    void a_set_is_adopted_once_it_is_complete() {
        service("shop/web");
        node("n1", "10.0.0.1");
        assertThat(news()).isEmpty();

        slice("shop/web", "web-a", "IPv4", "n1", "n2");
        assertThat(news()).containsExactly("grew shop/web lb-1/shop-web by [10.0.0.1] to [10.0.0.1]");

        node("n2", "10.0.0.2");
        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2]");
    }

    @Test
    @Rule(
            id = "R05.8",
            says = "Known nodes do not wait for unknown ones: from its first slice until it is complete for the first"
                    + " time, a set only grows, and the spelling seen last stays.",
            source = "contract, Replay rule 5",
            differs = "Go drops the addresses of unknown nodes, and the desired-state proposal empties the pool.")
    void a_set_that_was_never_complete_only_grows() {
        node("n1", "10.0.0.1");
        node("n6", "FD12::6");
        service("shop/web", "IPv4", "IPv6");
        slice("shop/web", "web-a", "IPv4", "unknown");
        assertThat(news()).containsExactly("grew shop/web lb-1/shop-web by [] to []");

        slice("shop/web", "web-a", "IPv4", "unknown", "n1");
        slice("shop/web", "web-6", "IPv6", "unknown", "n6");
        node("n6", "fd12::6");
        slice("shop/web", "web-a", "IPv4", "unknown");
        assertThat(news())
                .containsExactly(
                        "grew shop/web lb-1/shop-web by [10.0.0.1] to [10.0.0.1]",
                        "grew shop/web lb-1/shop-web-ipv6 by [FD12::6] to [FD12::6]");
        assertThat(PoolWants.of(index, PoolKey.of("lb-1", "shop-web-ipv6")).wanted(ServiceName.parse("shop/web")))
                .hasToString("[fd12::6]");

        node("unknown", "10.0.0.9", "fd12::9");
        assertThat(news())
                .containsExactly(
                        "adopted shop/web lb-1/shop-web [10.0.0.9]",
                        "adopted shop/web lb-1/shop-web-ipv6 [fd12::6, fd12::9]");
    }

    @Test
    void a_slice_from_before_the_service_became_local_counts() {
        node("n1", "10.0.0.1");
        slice("shop/web", "web-a", "IPv4", "n1");
        assertThat(news()).isEmpty();

        service("shop/web");

        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web [10.0.0.1]");
    }

    @Test
    void a_deletion_by_itself_makes_the_set_complete_and_empty() {
        service("shop/web");

        index.sliceDeleted(state("shop/web", "web-a", "IPv4", "n1"));

        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web []");
    }

    @Test
    void a_node_of_which_only_the_deletion_was_seen_is_known() {
        service("shop/web");
        slice("shop/web", "web-a", "IPv4", "n1");
        assertThat(news()).containsExactly("grew shop/web lb-1/shop-web by [] to []");

        index.nodeDeleted("n1");

        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web []");
    }

    @Test
    @Rule(
            id = "R05.1",
            says = "A complete set is adopted once as a whole, even if it is empty.",
            source = "contract, Replay rule 5")
    void an_empty_complete_set_is_adopted() {
        service("shop/web");

        slice("shop/web", "web-a", "IPv4");

        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web []");
    }

    @Test
    @Rule(
            id = "R05.2",
            says = "While the set is incomplete, no address is removed from it: it is the union of the old and"
                    + " the new one.",
            source = "contract, Replay rule 5",
            differs = "The Go desired-state proposal writes an empty pool while the nodes are unknown.")
    void while_a_node_is_unknown_nothing_leaves_the_set() {
        adopted();
        node("n3", "10.0.0.3");

        slice("shop/web", "web-a", "IPv4", "n3", "never-seen");
        assertThat(news())
                .containsExactly(
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to [10.0.0.1, 10.0.0.2, 10.0.0.3]");

        node("never-seen");
        assertThat(news())
                .containsExactly("changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2, 10.0.0.3] to [10.0.0.3]");
    }

    @Test
    @Rule(
            id = "R05.3",
            says = "An event that changes nothing queues nothing.",
            source = "contract, Replay rule 5",
            differs = "In the Go desired-state proposal a readiness flip costs a read.")
    void events_that_change_nothing_report_nothing() {
        adopted();

        slice("shop/web", "web-a", "IPv4", "n2", "n1", "n1");
        node("n1", "10.0.0.1", "FD12::1");
        node("n9", "10.0.0.9");
        service("shop/web", "IPv4");

        assertThat(news()).isEmpty();
    }

    @Test
    @Rule(
            id = "R05.4",
            says = "An event that concerns several Services is handled in order of the string namespace/name.",
            source = "contract, Replay rule 5")
    void several_services_follow_in_order_of_namespace_slash_name() {
        pools("lb-1/a-b-x", "lb-1/a-b-y", "lb-1/b-z");
        for (String service : List.of("b/z", "a/b-x", "a-b/y")) {
            service(service);
            slice(service, "s", "IPv4", "n1");
        }

        news();
        node("n1", "10.0.0.1");

        assertThat(news())
                .containsExactly(
                        "adopted a-b/y lb-1/a-b-y [10.0.0.1]",
                        "adopted a/b-x lb-1/a-b-x [10.0.0.1]",
                        "adopted b/z lb-1/b-z [10.0.0.1]");
    }

    @Test
    void a_slice_whose_label_changes_affects_both_services_in_order() {
        pools("lb-1/shop-web", "lb-1/shop-api");
        adopted();
        service("shop/api");
        slice("shop/api", "api-a", "IPv4");
        news();

        slice("shop/api", "web-a", "IPv4", "n1");

        assertThat(news())
                .containsExactly(
                        "changed shop/api lb-1/shop-api [] to [10.0.0.1]",
                        "changed shop/web lb-1/shop-web [10.0.0.1, 10.0.0.2] to []");
    }

    @Test
    @Rule(
            id = "R07.1",
            says = "A Service that stops being local is removed immediately; if it becomes local again, it is"
                    + " adopted again.",
            source = "contract, Replay rule 7")
    void a_recreated_service_is_adopted_again() {
        adopted();

        index.serviceDeleted(ServiceName.parse("shop/web"));
        index.serviceDeleted(ServiceName.parse("shop/web"));
        assertThat(news()).containsExactly("left shop/web lb-1/shop-web");

        index.sliceDeleted(state("shop/web", "web-a", "IPv4", "n1", "n2"));
        service("shop/web");
        assertThat(news()).isEmpty();

        slice("shop/web", "web-b", "IPv4", "n2");
        assertThat(news()).containsExactly("adopted shop/web lb-1/shop-web [10.0.0.2]");
    }

    @Test
    void services_that_remain_in_a_pool_keep_what_they_want() {
        pools("lb-1/a-b-c-d");
        node("n1", "10.0.0.1");
        for (String service : List.of("a-b/c-d", "a/b-c-d", "a-b-c/d")) {
            service(service);
            slice(service, "s", "IPv4", "n1");
        }
        slice("a/b-c-d", "s", "IPv4", "n1", "unknown");
        service("a-b-c/d", "IPv6");
        news();
        service("a-b-c/d");
        slice("a-b-c/d", "t", "IPv4", "unknown");
        service("a-b-c/d", "IPv6");
        service("a-b-c/d");
        news();

        index.serviceDeleted(ServiceName.parse("a-b/c-d"));

        assertThat(news()).containsExactly("left a-b/c-d lb-1/a-b-c-d");
        assertThat(PoolWants.of(index, PoolKey.of("lb-1", "a-b-c-d")).all())
                .extracting(Want::service, Want::adopted, Want::complete)
                .as("incomplete now, but complete once; the other never was since it came back")
                .containsExactly(
                        tuple(ServiceName.parse("a-b-c/d"), false, false),
                        tuple(ServiceName.parse("a/b-c-d"), true, false));
    }

    @Test
    void a_pool_that_moved_is_released_and_adopted_at_its_new_place() {
        adopted();

        pools("lb-9/shop-web");

        assertThat(news())
                .containsExactly("left shop/web lb-1/shop-web", "adopted shop/web lb-9/shop-web [10.0.0.1, 10.0.0.2]");
    }

    @Test
    void every_slice_event_of_a_local_service_is_reported() {
        node("n1", "10.0.0.1");
        service("shop/web");
        slice("shop/web", "web-a", "IPv4", "n1", "n2");
        assertThat(touched).as("adopted or not").containsExactly("shop/web lb-1/shop-web");
        touched.clear();

        node("n2", "10.0.0.2");
        node("n1", "10.0.0.9");
        assertThat(touched).as("a node event is none").isEmpty();

        slice("shop/web", "web-a", "IPv4", "n1", "n2");
        slice("shop/web", "web-a", "IPv4", "n1");
        index.sliceDeleted(state("shop/web", "web-a", "IPv4", "n1"));
        assertThat(touched)
                .containsExactly("shop/web lb-1/shop-web", "shop/web lb-1/shop-web", "shop/web lb-1/shop-web");
    }

    @Test
    void a_slice_of_another_address_type_still_concerns_the_service() {
        adopted();
        touched.clear();
        slice("shop/web", "web-f", "FQDN", "n3");
        assertThat(touched).containsExactly("shop/web lb-1/shop-web");
    }

    @Test
    @Rule(
            id = "R08.3",
            says = "Services that share a pool take each other's wanted addresses into account.",
            source = "contract, Replay rule 8",
            differs = "The Go desired-state proposal removes the other Service's addresses.")
    void services_that_share_a_pool_see_each_others_addresses() {
        node("n1", "10.0.0.1");
        node("n2", "10.0.0.2");
        service("a/b-c");
        service("a-b/c");
        slice("a/b-c", "x", "IPv4", "n1");
        slice("a-b/c", "y", "IPv4", "n2");
        PoolKey shared = PoolKey.of("LB-2", "A-B-C");

        assertThat(PoolWants.of(index, shared).wantedByOthers(ServiceName.parse("a/b-c")))
                .isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(PoolWants.of(index, shared).wantedByOthers(ServiceName.parse("a-b/c")))
                .isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(PoolWants.of(index, shared).wanted(ServiceName.parse("a/b-c")))
                .isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(index.wants()).extracting(Want::pool).containsOnly(shared);
        assertThat(PoolWants.of(index, shared).services())
                .containsExactly(ServiceName.parse("a-b/c"), ServiceName.parse("a/b-c"));
        assertThat(PoolWants.of(index, shared).union()).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2"));
    }

    @Test
    void invalid_addresses_of_a_node_are_ignored() {
        adopted();

        node("n1", "10.0.0.1", "not-an-address", "");

        assertThat(news()).isEmpty();
    }
}

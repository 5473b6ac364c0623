package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.lab.replay.Scenario.Outcome;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The flaws found in the Go updater by reading and running its code, as scenarios that succeed here. Flaws about
 * threads or HTTP are tested elsewhere; {@code docs/reference/go-updater-flaws.md} has the whole list.
 */
class UpstreamGapsTest {

    private static final String GO = "kubernetes-sigs/cloud-provider-azure, pkg/provider/azure_local_services.go";

    @TempDir
    private Path folder;

    private Scenario scenario;

    /** shop/web on n1, whose pool holds the address of a node that is gone; ticks at 10 s, 20 s, … */
    @BeforeEach
    void oneService() {
        scenario = new Scenario(folder)
                .pool("lb-1/shop-web", "10.0.0.9")
                .node("n1", "10.0.0.1")
                .node("n2", "10.0.0.2")
                .node("n3", "10.0.0.3")
                .localService("shop/web")
                .slice("shop/web", "web-a", "n1");
    }

    private static void assertHolds(Outcome outcome, String addresses) {
        assertThat(outcome.pools())
                .contains("lb-1/shop-web [shop/web] desired [" + addresses + "] actual [" + addresses + "] converged");
    }

    @Test
    @Rule(
            id = "U1",
            says = "A slice that is added changes the pool.",
            source = GO,
            differs = "Go's handler of added slices fills a cache; the pool stays wrong until something else happens.")
    void an_added_slice_changes_the_pool() {
        assertHolds(scenario.at(10_001).slice("shop/web", "web-b", "n2").play(), "10.0.0.1, 10.0.0.2");
    }

    @Test
    @Rule(
            id = "U2",
            says = "A slice that is deleted changes the pool.",
            source = GO,
            differs = "Go's handler of deleted slices empties a cache; the addresses stay in the pool.")
    void a_deleted_slice_changes_the_pool() {
        Outcome outcome = scenario.slice("shop/web", "web-b", "n2")
                .at(10_001)
                .sliceDeleted("shop/web", "web-b", "n2")
                .play();

        assertHolds(outcome, "10.0.0.1");
    }

    @Test
    @Rule(
            id = "U3",
            says = "A node that leaves one slice and is in another stays in the pool.",
            source = GO,
            differs = "Go compares one slice with its older version, and removes the node.")
    void a_node_that_leaves_one_slice_of_two_stays_in_the_pool() {
        Outcome outcome = scenario.slice("shop/web", "web-b", "n1", "n2")
                .at(10_001)
                .slice("shop/web", "web-b", "n2")
                .play();

        assertHolds(outcome, "10.0.0.1, 10.0.0.2");
        assertThat(outcome.calls()).hasSize(2); // the change needs no write
    }

    @Test
    @Rule(
            id = "U4",
            says = "An address of a node that becomes known after the slice reaches the pool.",
            source = GO,
            differs = "In Go node events queue nothing.")
    void an_address_that_becomes_known_after_the_slice_reaches_the_pool() {
        Outcome outcome = scenario.at(10_001)
                .slice("shop/web", "web-a", "n1", "n4")
                .at(20_001)
                .node("n4", "10.0.0.4")
                .play();

        assertHolds(outcome, "10.0.0.1, 10.0.0.4");
    }

    @Test
    @Rule(
            id = "U5",
            says = "A slice on nodes that are not known yet does not empty the pool.",
            source = GO,
            differs = "The Go desired-state proposal writes an empty pool.")
    void a_slice_on_unknown_nodes_does_not_empty_the_pool() {
        Outcome outcome = scenario.at(10_001)
                .slice("shop/web", "web-a", "unknown")
                .at(70_000)
                .node("unknown", "10.0.0.8")
                .play();

        assertHolds(outcome, "10.0.0.8");
        assertThat(outcome.messages()).last().asString().endsWith("added 10.0.0.8; removed 10.0.0.1.");
    }

    @Test
    @Rule(
            id = "U6",
            says = "An IPv4 Service whose name ends in -ipv6 keeps its IPv4 addresses.",
            source = GO,
            differs = "In Go its pool counts as IPv6, and one update empties it.")
    void a_name_that_ends_in_ipv6_does_not_empty_the_pool() {
        Outcome outcome = scenario.pool("lb-1/shop-web-ipv6")
                .localService("shop/web-ipv6")
                .slice("shop/web-ipv6", "web-ipv6-a", "n2")
                .play();

        assertThat(outcome.pools())
                .contains("lb-1/shop-web-ipv6 [shop/web-ipv6] desired [10.0.0.2] actual [10.0.0.2] converged");
        assertHolds(outcome, "10.0.0.1");
    }

    @Test
    @Rule(
            id = "U7",
            says = "Two Services whose names make the same pool name share it and do not evict each other.",
            source = GO,
            differs = "The Go desired-state proposal removes the other Service's addresses.")
    void services_whose_names_make_the_same_pool_name_do_not_evict_each_other() {
        Outcome outcome = scenario.pool("lb-1/a-b-c")
                .localService("a/b-c")
                .slice("a/b-c", "one", "n1")
                .localService("a-b/c")
                .slice("a-b/c", "two", "n2")
                .at(10_001)
                .slice("a/b-c", "one", "n3")
                .play();

        assertThat(outcome.pools())
                .contains(
                        "lb-1/a-b-c [a-b/c, a/b-c] desired [10.0.0.2, 10.0.0.3] actual [10.0.0.2, 10.0.0.3] converged");
    }

    @Test
    @Rule(
            id = "U8",
            says = "An update that failed does not come back after the wanted set returned to what the pool holds.",
            source = GO,
            differs = "In Go the queued operation outlives the change, and adds the deleted address again.")
    void a_failed_update_is_dropped_when_it_is_no_longer_wanted() {
        Outcome outcome = scenario.fault("{'method':'PUT','fromMillis':20000,'times':1,'status':409}")
                .at(10_001)
                .slice("shop/web", "web-a", "n1", "n2")
                .at(20_001)
                .slice("shop/web", "web-a", "n1")
                .play();

        assertHolds(outcome, "10.0.0.1");
        assertThat(outcome.calls()).filteredOn(call -> call.contains("PUT")).hasSize(2); // the first, and the refused
    }

    @Test
    @Rule(
            id = "U9",
            says = "An event that changes nothing costs no call.",
            source = GO,
            differs = "In the Go desired-state proposal each readiness flip and resync costs a read.")
    void an_event_that_changes_nothing_costs_no_call() {
        Outcome outcome = scenario.at(10_001)
                .slice("shop/web", "web-a", "n1")
                .at(20_001)
                .slice("shop/web", "web-a", "n1", "n1")
                .play();

        assertThat(outcome.calls()).containsExactly("10000 GET lb-1/shop-web 200", "10000 PUT lb-1/shop-web 200");
    }

    @Test
    @Rule(
            id = "U10",
            says = "A pool in two spellings is one group.",
            source = GO,
            differs = "In Go it is two groups, whose order is random: the last writer wins.")
    void a_pool_in_two_spellings_is_one_group() {
        OperationQueue queue = new OperationQueue(
                new Pools(new Freshness(() -> Instant.EPOCH, (pool, took) -> {}), false),
                () -> Instant.EPOCH,
                Duration.ZERO);
        ServiceName web = new ServiceName("shop", "web");
        queue.add(new Operation.Add(web, PoolKey.of("LB-1", "Shop-Web"), AddressSet.of("10.0.0.1")));
        queue.add(new Operation.Remove(web, PoolKey.of("lb-1", "shop-web"), AddressSet.of("10.0.0.1")));

        assertThat(queue.due(null, Instant.MAX))
                .singleElement()
                .satisfies(group -> assertThat(group.operations())
                        .extracting(pending -> pending.operation().getClass().getSimpleName())
                        .containsExactly("Add", "Remove"));
    }

    @Test
    @Rule(
            id = "U11",
            says = "A removal that exhausted its retries is repaired by the next change.",
            source = GO,
            differs = "In Go's diff model the address stays forever.")
    void a_removal_that_ran_out_of_retries_is_repaired_by_the_next_change() {
        Outcome outcome = scenario.maxRetries(0)
                .fault("{'method':'PUT','fromMillis':20000,'times':1,'status':409}")
                .slice("shop/web", "web-a", "n1", "n2")
                .at(10_001)
                .slice("shop/web", "web-a", "n1")
                .at(30_001)
                .slice("shop/web", "web-a", "n1", "n3")
                .play();

        assertHolds(outcome, "10.0.0.1, 10.0.0.3");
    }

    @Test
    @Rule(
            id = "U12",
            says = "Updates that failed without a Retry-After until their retries were exhausted are repaired by the"
                    + " next endpoint event.",
            source = GO,
            differs = "Go drops the update permanently after four ticks.")
    void throttling_without_retry_after_loses_no_update_permanently() {
        Outcome outcome = scenario.fault("{'fromMillis':0,'untilMillis':60000,'status':429}")
                .at(60_001)
                .slice("shop/web", "web-a", "n1")
                .play();

        assertThat(outcome.events()).contains("40000 shop/web Failed");
        assertHolds(outcome, "10.0.0.1");
    }

    @Test
    @Rule(
            id = "U13",
            says = "A retry writes what is wanted at that time: not the address of a deleted node.",
            source = GO,
            differs = "Go resolves addresses when the operation is queued, and writes them after the node was deleted.")
    void a_node_deleted_before_the_retry_is_not_written() {
        Outcome outcome = scenario.fault("{'method':'PUT','times':1,'status':409}")
                .slice("shop/web", "web-a", "n1", "n2")
                .at(10_001)
                .nodeDeleted("n2", "10.0.0.2")
                .play();

        assertHolds(outcome, "10.0.0.1");
        assertThat(outcome.calls())
                .filteredOn(call -> call.endsWith("PUT lb-1/shop-web 200"))
                .hasSize(1);
    }

    @Test
    @Rule(
            id = "U14",
            says = "Both pools of a dual-stack Service are updated, even if one of them needs nothing.",
            source = GO,
            differs = "In Go a return inside the loop over pools skips the remaining ones.")
    void both_pools_of_a_dual_stack_service_are_updated() {
        Outcome outcome = scenario.pool("lb-1/shop-dual", "10.0.0.1")
                .pool("lb-1/shop-dual-ipv6", "fd00::9")
                .node("n6", "10.0.0.1", "fd00::1")
                .localService("shop/dual", "IPv4", "IPv6")
                .slice("shop/dual", "dual-4", "n6")
                .sliceOf("IPv6", "shop/dual", "dual-6", "n6")
                .play();

        assertThat(outcome.pools())
                .contains(
                        "lb-1/shop-dual [shop/dual] desired [10.0.0.1] actual [10.0.0.1] converged",
                        "lb-1/shop-dual-ipv6 [shop/dual] desired [fd00::1] actual [fd00::1] converged");
    }

    @Test
    @Rule(
            id = "U15",
            says = "An excluded node is never added to a pool.",
            source = GO,
            differs = "The Go updater ignores the exclusion; the next Service reconcile removes the node again.")
    void an_excluded_node_is_never_put_into_a_pool() {
        Outcome outcome = scenario.labelledNode(
                        "n4", "node.kubernetes.io/exclude-from-external-load-balancers", "", "10.0.0.4")
                .slice("shop/web", "web-a", "n1", "n4")
                .play();

        assertHolds(outcome, "10.0.0.1");
    }

    @Test
    @Rule(
            id = "U16",
            says = "A node with an upper-case name that changes its address leaves no old address in the pool.",
            source = GO,
            differs =
                    "Go deletes the old addresses under the name as written, and stores them under the lower-case one.")
    void an_upper_case_node_that_changes_its_address_leaves_no_old_address() {
        Outcome outcome = scenario.node("Node-A", "10.0.0.5")
                .slice("shop/web", "web-a", "node-a")
                .at(10_001)
                .node("Node-A", "10.0.0.6")
                .play();

        assertHolds(outcome, "10.0.0.6");
    }

    @Test
    @Rule(
            id = "U17",
            says = "Every Service of a group gets an event about the outcome.",
            source = GO,
            differs = "Go emits it only on the first operation's Service.")
    void every_service_of_a_group_gets_an_event_about_the_outcome() {
        Outcome outcome = scenario.pool("lb-1/a-b-c")
                .localService("a/b-c")
                .slice("a/b-c", "one", "n1")
                .localService("a-b/c")
                .slice("a-b/c", "two", "n2")
                .play();

        assertThat(outcome.events()).contains("10000 a/b-c Updated", "10000 a-b/c Updated");
    }

    @Test
    @Rule(
            id = "U18",
            says = "A deleted pool is no failure: nothing is reported or counted.",
            source = GO,
            differs = "Go counts it as a failure.")
    void a_pool_that_is_gone_is_no_failure() {
        Outcome outcome = scenario.fault("{'status':404}").play();

        assertThat(outcome.metrics()).containsExactly(0, 0, 0);
        assertThat(outcome.events()).isEmpty();
    }

    @Test
    @Rule(
            id = "U19",
            says = "Requeued groups keep their order: the same replay makes the same calls each time.",
            source = GO,
            differs = "In Go requeued groups come in random order.")
    void requeued_groups_keep_their_order() {
        for (int i = 0; i < 6; i++) {
            scenario.pool("lb-1/shop-s" + i).localService("shop/s" + i).slice("shop/s" + i, "s" + i, "n2");
        }
        scenario.fault("{'untilMillis':15000,'status':409}");

        Outcome first = scenario.play();
        Outcome second = scenario.play();

        assertThat(second.calls()).isEqualTo(first.calls());
        assertThat(first.calls().stream().filter(call -> call.startsWith("20000 GET")))
                .map(call -> call.replaceAll(".*/(\\S+) .*", "$1"))
                .containsExactly("shop-web", "shop-s0", "shop-s1", "shop-s2", "shop-s3", "shop-s4", "shop-s5");
    }

    @Test
    @Rule(
            id = "U20",
            says = "An endpoint without a node, or a node without an address, adds nothing to a pool.",
            source = GO,
            differs = "In Go a missing node name becomes the key \"\", and an unknown address an entry without a name.")
    void an_endpoint_without_a_node_adds_nothing_to_a_pool() {
        Outcome outcome = scenario.node("n5")
                .event(
                        "MODIFIED",
                        "{'kind':'EndpointSlice','addressType':'IPv4','metadata':{'name':'web-a','namespace':'shop',"
                                + "'labels':{'kubernetes.io/service-name':'web'}},'endpoints':["
                                + "{'addresses':['10.1.0.1']},{'nodeName':''},{'nodeName':'n5'},{'nodeName':'n1'}]}")
                .play();

        assertHolds(outcome, "10.0.0.1");
    }

    @Test
    @Rule(
            id = "U21",
            says = "A broken connection is retried.",
            source = GO,
            differs = "In Go one connection reset drops the update permanently.")
    void a_broken_connection_is_retried() throws Exception {
        EmulatedRun run = EmulatedRun.of(
                scenario.options(
                        ReplayOptions.Via.HTTPS, "{\"rules\":[{\"method\":\"PUT\",\"times\":5,\"drop\":\"before\"}]}"),
                settings -> settings);

        assertThat(run.result().pools()).singleElement().matches(PoolResult::converged);
    }

    @Test
    @Rule(
            id = "U22",
            says = "A 429 with a Retry-After of an hour delays no tick: nothing is sent until then, and then each pool"
                    + " is written once.",
            source = GO,
            differs = "In Go a closed gate is retried inside the SDK, about a minute per pool, under the global lock.")
    @Timeout(60)
    void a_shut_gate_does_not_delay_ticks() throws Exception {
        scenario.pool("lb-2/shop-api", "10.0.0.9").localService("shop/api").slice("shop/api", "api-a", "n2");
        EmulatedRun run = EmulatedRun.of(
                scenario.options(
                        ReplayOptions.Via.HTTPS,
                        "{\"rules\":[{\"method\":\"PUT\",\"times\":1,\"status\":429,\"retryAfterSeconds\":3600}]}"),
                settings -> settings);

        assertThat(run.result().pools()).hasSize(2).allMatch(PoolResult::converged);
        assertThat(run.writes()).filteredOn(write -> write.status() / 100 == 2).hasSize(2);
        run.assertNothingGoesThroughAShutGate();
    }
}

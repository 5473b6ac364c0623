package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.replay.Scenario.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The replay rules of the contract, from recording to report. */
class ReplayRulesTest {

    private static final String UPDATED = "Load balancer backend pool updated successfully";

    @TempDir
    private Path folder;

    private Scenario scenario;

    @BeforeEach
    void webOnTwoNodes() {
        scenario = new Scenario(folder)
                .pool("lb-1/shop-web", "10.0.0.9")
                .node("n1", "10.0.0.1")
                .node("n2", "10.0.0.2")
                .localService("shop/web")
                .slice("shop/web", "web-a", "n1");
    }

    @Test
    @Rule(
            id = "R01.1",
            says = "Ticks are at 1, 2, … times the interval; an event at the same millisecond as a tick comes first.",
            source = "contract, Replay rule 1")
    void an_event_at_the_millisecond_of_a_tick_comes_first() {
        Outcome outcome = scenario.interval("7.25")
                .at(7250)
                .slice("shop/web", "web-a", "n2")
                .at(7251)
                .slice("shop/web", "web-a", "n1", "n2")
                .play();

        assertThat(outcome.calls())
                .containsExactly(
                        "7250 GET lb-1/shop-web 200",
                        "7250 PUT lb-1/shop-web 200",
                        "14500 GET lb-1/shop-web 200",
                        "14500 PUT lb-1/shop-web 200");
        assertThat(outcome.run().exitCode()).isZero();
    }

    @Test
    @Rule(
            id = "R01.2",
            says = "After the last event ticks continue while something is queued or a node has been missing for less"
                    + " than 60 s, for 24 hours at most.",
            source = "contract, Replay rule 1")
    void ticks_continue_for_a_day_after_the_last_event() {
        Outcome outcome = scenario.interval("3600")
                .maxRetries(100)
                .at(1_800_000)
                .node("n3", "10.0.0.3")
                .fault("{'status':409}")
                .play();

        assertThat(outcome.calls()).hasSize(24).first().isEqualTo("3600000 GET lb-1/shop-web 409");
        assertThat(outcome.calls()).last().isEqualTo("86400000 GET lb-1/shop-web 409");
        assertThat(outcome.run().exitCode()).isEqualTo(1);
    }

    @Test
    @Rule(
            id = "R01.3",
            says = "While another writer holds the resource lock ticks do nothing: from the first millisecond of the"
                    + " window until just before its end.",
            source = "contract, Files and Replay rule 1")
    void a_held_lease_stops_the_ticks_of_its_window() {
        Outcome outcome = scenario.leaseHeldElsewhere(10_000, 30_000).play();

        assertThat(outcome.calls()).startsWith("30000 GET lb-1/shop-web 200");
    }

    @Test
    void bookmarks_and_other_kinds_are_skipped() {
        Outcome outcome = scenario.event("BOOKMARK", "{'kind':'Service'}")
                .event("ADDED", "{'kind':'Pod','metadata':{'name':'p'}}")
                .event(
                        "ADDED",
                        "{'kind':'Service','apiVersion':'serving.knative.dev/v1','metadata':{'name':'web',"
                                + "'namespace':'shop'},'spec':{}}")
                .play();

        assertThat(outcome.pools())
                .containsExactly("lb-1/shop-web [shop/web] desired [10.0.0.1] actual [10.0.0.1] converged");
    }

    @Test
    void a_missing_namespace_means_default() {
        Outcome outcome = scenario.pool("lb-1/default-web")
                .event(
                        "ADDED",
                        "{'kind':'Service','metadata':{'name':'web'},'spec':{'type':'LoadBalancer',"
                                + "'externalTrafficPolicy':'Local'}}")
                .slice("default/web", "s", "n2")
                .play();

        assertThat(outcome.pools())
                .contains("lb-1/default-web [default/web] desired [10.0.0.2] actual [10.0.0.2] converged");
    }

    @Test
    void an_excluded_node_leaves_the_pool_and_comes_back() {
        Outcome outcome = scenario.at(10_001)
                .labelledNode("n1", "node.kubernetes.io/exclude-from-external-load-balancers", "", "10.0.0.1")
                .at(20_001)
                .node("n1", "10.0.0.1")
                .play();

        assertThat(outcome.events())
                .containsExactly("10000 shop/web Updated", "20000 shop/web Updated", "30000 shop/web Updated");
        assertThat(outcome.calls()).hasSize(6);
    }

    @Test
    void pool_names_of_the_inventory_are_found_in_any_case_and_shown_as_they_are() {
        Outcome outcome = scenario.pool("LB-2/Shop-API-IPv6", "FD12::9", "FD12::A")
                .node("n6", "fd12:0::a")
                .localService("shop/api", "IPv6")
                .sliceOf("IPv6", "shop/api", "api-6", "N6")
                .play();

        assertThat(outcome.pools())
                .contains("LB-2/Shop-API-IPv6 [shop/api] desired [fd12:0::a] actual [FD12::A] converged");
    }

    @Test
    @Rule(
            id = "R03.5",
            says = "A pool name on two load balancers is ambiguous and not managed, and the summary reports it.",
            source = "contract, Replay rule 3")
    void an_ambiguous_pool_is_not_managed_and_the_summary_reports_it() {
        Outcome outcome = scenario.pool("lb-2/SHOP-WEB").play();

        assertThat(outcome.calls()).isEmpty();
        assertThat(outcome.pools()).isEmpty();
        assertThat(outcome.run().out()).contains("shop/web is not local: several load balancers hold a pool shop-web");
        assertThat(outcome.run().exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "desired-state"})
    @Rule(
            id = "R05.9",
            says = "With an endpoint on a node that does not exist, the other nodes are added at once; removals wait"
                    + " for 60 s, and the ticks of a replay go on meanwhile.",
            source = "contract, Replay rules 1, 4 and 5; cilium/cilium#24494, kubernetes/kubernetes#107927")
    void an_endpoint_on_an_unknown_node_delays_removals_for_a_minute(String model) {
        Outcome outcome = scenario.model(model)
                .at(5_000)
                .localService("shop/api")
                .pool("lb-1/shop-api", "10.0.0.7")
                .slice("shop/api", "api-a", "n1", "never-seen")
                .play();

        assertThat(outcome.calls())
                .filteredOn(call -> call.contains("shop-api"))
                .containsExactly(
                        "10000 GET lb-1/shop-api 200",
                        "10000 PUT lb-1/shop-api 200",
                        "70000 GET lb-1/shop-api 200",
                        "70000 PUT lb-1/shop-api 200");
        assertThat(outcome.messages()).contains(UPDATED + ": added 10.0.0.1.", UPDATED + ": removed 10.0.0.7.");
        assertThat(outcome.pools()).contains("lb-1/shop-api [shop/api] desired [10.0.0.1] actual [10.0.0.1] converged");
        assertThat(outcome.run().exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "desired-state"})
    void a_service_that_leaves_a_shared_pool_takes_its_addresses_with_it(String model) {
        Outcome outcome = scenario.model(model)
                .pool("lb-1/a-b-c")
                .localService("a/b-c")
                .slice("a/b-c", "x", "n1")
                .localService("a-b/c")
                .slice("a-b/c", "y", "n2")
                .at(10_001)
                .serviceDeleted("a-b/c")
                .play();

        assertThat(outcome.pools()).contains("lb-1/a-b-c [a/b-c] desired [10.0.0.1] actual [10.0.0.1] converged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "desired-state"})
    void of_two_families_in_one_pool_the_older_services_is_served_and_the_summary_names_the_other(String model) {
        Outcome outcome = scenario.model(model)
                .pool("lb-1/shop-web-ipv6", "10.0.0.9", "fd12::9")
                .node("n6", "10.0.0.6", "fd12::6")
                .createdService("shop/web-ipv6", "2026-02-01T00:00:00Z", "IPv4")
                .slice("shop/web-ipv6", "v4", "n6")
                .createdService("shop/web", "2026-01-01T00:00:00Z", "IPv4", "IPv6")
                .sliceOf("IPv6", "shop/web", "v6", "n6")
                .play();

        assertThat(outcome.pools())
                .contains("lb-1/shop-web-ipv6 [shop/web] desired [fd12::6] actual [fd12::6] converged");
        assertThat(outcome.run().out().replaceAll("\\s+", " "))
                .contains("shop/web-ipv6 is not local in IPv4: the older shop/web uses the pool lb-1/shop-web-ipv6");
    }

    @Test
    void a_service_of_another_load_balancer_class_is_left_alone() {
        Outcome outcome = scenario.classedService("shop/web", "tailscale").play();

        assertThat(outcome.pools()).isEmpty();
        assertThat(outcome.calls()).isEmpty();
    }

    @Test
    void a_creation_time_that_is_none_is_a_fault_of_the_recording() {
        assertThatThrownBy(
                        () -> scenario.createdService("shop/web", "yesterday").play())
                .hasMessageContaining("creationTimestamp");
    }

    @Test
    void not_ready_and_terminating_endpoints_keep_their_node() {
        Outcome outcome = scenario.event(
                        "MODIFIED",
                        "{'kind':'EndpointSlice','addressType':'IPv4','metadata':{'name':'web-a','namespace':'shop',"
                                + "'labels':{'kubernetes.io/service-name':'web'}},'endpoints':["
                                + "{'nodeName':'n1','conditions':{'ready':false,'serving':false,'terminating':true}},"
                                + "{'nodeName':'n2','conditions':{'ready':false}},{'addresses':['10.1.0.9']}]}")
                .play();

        assertThat(outcome.pools())
                .containsExactly(
                        "lb-1/shop-web [shop/web] desired [10.0.0.1, 10.0.0.2] actual [10.0.0.1, 10.0.0.2] converged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "desired-state"})
    @Rule(
            id = "R05.5",
            says = "In either model a set that is complete for the first time is queued as a whole.",
            source = "contract, Replay rule 5")
    void adoption_replaces_the_pools_addresses(String model) {
        Outcome outcome = scenario.model(model).play();

        assertThat(outcome.pools())
                .containsExactly("lb-1/shop-web [shop/web] desired [10.0.0.1] actual [10.0.0.1] converged");
        assertThat(outcome.events()).singleElement().asString().endsWith(" shop/web Updated");
        assertThat(outcome.metrics()).containsExactly(1, 0, 0);
    }

    @Test
    @Rule(
            id = "R05.6",
            says = "In diff a change is a Remove of what left, then an Add of what came.",
            source = "contract, Replay rule 5")
    void in_diff_an_exhausted_removal_is_lost_while_its_addition_is_retried() {
        // the removal and the addition have counts of their own only if they are two operations
        Outcome outcome = scenario.model("diff")
                .maxRetries(1)
                .at(10_001)
                .fault("{'method':'PUT','fromMillis':20000,'untilMillis':40000,'status':409}")
                .slice("shop/web", "web-a")
                .at(20_001)
                .slice("shop/web", "web-a", "n2")
                .play();

        assertThat(outcome.events())
                .containsExactly(
                        "10000 shop/web Updated",
                        "20000 shop/web Retrying",
                        "30000 shop/web Failed",
                        "30000 shop/web Retrying",
                        "40000 shop/web Updated");
        assertThat(outcome.pools())
                .containsExactly("lb-1/shop-web [shop/web] desired [10.0.0.2] actual [10.0.0.1, 10.0.0.2] apart");
        assertThat(outcome.metrics()).containsExactly(2, 1, 2);
    }

    @Test
    @Rule(
            id = "R06.4",
            says = "A wanted set that returns to what the pool holds supersedes the older operation: nothing is"
                    + " written.",
            source = "contract, Replay rules 5 and 6",
            differs = "In Go the older operation outlives the change and brings the gone address back.")
    void a_wanted_set_that_returns_to_what_the_pool_holds_is_not_written() {
        Outcome outcome = scenario.fault("{'method':'PUT','fromMillis':20000,'times':1,'status':409}")
                .at(10_001)
                .slice("shop/web", "web-a", "n1", "n2")
                .at(20_001)
                .slice("shop/web", "web-a", "n1")
                .play();

        assertThat(outcome.calls()).endsWith("20000 PUT lb-1/shop-web 409", "30000 GET lb-1/shop-web 200");
        assertThat(outcome.events())
                .containsExactly("10000 shop/web Updated", "20000 shop/web Retrying", "30000 shop/web Updated");
    }

    @Test
    @Rule(
            id = "R08.1",
            says = "In diff an update that found nothing to write is reported like any other.",
            source = "contract, Replay rule 8")
    void in_diff_an_unchanged_pool_is_reported() {
        Outcome outcome =
                scenario.pool("lb-1/shop-web", "10.0.0.1").model("diff").play();

        assertThat(outcome.calls()).containsExactly("10000 GET lb-1/shop-web 200");
        assertThat(outcome.events()).containsExactly("10000 shop/web Updated");
        assertThat(outcome.metrics()).containsExactly(1, 0, 0);
    }

    @Test
    @Rule(
            id = "R08.2",
            says = "In desired-state an update that found nothing to write is not reported, unless it had been"
                    + " retried.",
            source = "contract, Replay rule 8",
            differs = "Go reports every update, including those that changed nothing.")
    void in_desired_state_an_unchanged_pool_is_not_reported() {
        Outcome outcome = scenario.pool("lb-1/shop-web", "10.0.0.1").play();

        assertThat(outcome.calls()).containsExactly("10000 GET lb-1/shop-web 200");
        assertThat(outcome.events()).isEmpty();
        assertThat(outcome.metrics()).containsExactly(0, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "desired-state"})
    @Rule(
            id = "R08.5",
            says = "Services that share a pool (a/b-c and a-b/c) never evict each other's addresses.",
            source = "contract, Replay rule 8",
            differs = "The Go desired-state proposal removes the other Service's addresses.")
    void services_that_share_a_pool_never_evict_each_other(String model) {
        Outcome outcome = scenario.model(model)
                .pool("lb-1/a-b-c", "10.0.0.8")
                .localService("a/b-c")
                .slice("a/b-c", "x", "n1")
                .localService("a-b/c")
                .slice("a-b/c", "y", "n2")
                .at(10_001)
                .slice("a/b-c", "x", "n2")
                .at(20_001)
                .slice("a/b-c", "x", "n1")
                .play();

        assertThat(outcome.pools())
                .contains(
                        "lb-1/a-b-c [a-b/c, a/b-c] desired [10.0.0.1, 10.0.0.2] actual [10.0.0.1, 10.0.0.2] converged");
    }

    @Test
    @Rule(id = "R09.2", says = "Retried groups are attempted before fresh ones.", source = "contract, Replay rule 9")
    void a_retried_group_is_tried_before_a_fresh_one() {
        Outcome outcome = scenario.pool("lb-1/aa-first")
                .fault("{'pool':'shop-web','times':1,'status':409}")
                .at(10_001)
                .localService("aa/first")
                .slice("aa/first", "f", "n1")
                .play();

        assertThat(outcome.calls()).containsSubsequence("20000 GET lb-1/shop-web 200", "20000 GET lb-1/aa-first 200");
    }

    @Test
    @Rule(
            id = "R10.2",
            says = "An unreported 404 that leaves a pool out of step ends the replay with exit code 1.",
            source = "contract, replay")
    void an_unreported_404_that_leaves_a_pool_out_of_step_fails_the_replay() {
        Outcome outcome = scenario.fault("{'times':1,'status':404}").play();

        assertThat(outcome.events()).isEmpty();
        assertThat(outcome.run().exitCode()).isEqualTo(1);
        assertThat(outcome.run().out()).contains("its last call, GET at +10 s, was answered 404");
    }

    /** A recording goes on after the 404: without the daemon's settings load balancers are listed once. */
    @Test
    void a_pool_that_was_not_found_is_tried_again_only_with_the_settings_of_the_daemon() throws IOException {
        scenario.fault("{'times':1,'status':404}").at(100_000).node("later", "10.0.0.77");

        assertThat(scenario.play().calls()).containsExactly("10000 GET lb-1/shop-web 404");

        Path config = Files.writeString(folder.resolve("config.yaml"), "subscriptionId: s-1\nresourceGroup: g-1\n");
        Outcome outcome = scenario.with("--config", config.toString()).play();
        assertThat(outcome.calls())
                .containsExactly(
                        "1000 GET lb-1/shop-web 404", "10000 GET lb-1/shop-web 200", "10000 PUT lb-1/shop-web 200");
        assertThat(outcome.run().exitCode()).isZero();
    }

    @Test
    @Rule(
            id = "M1",
            says = "A retry's message states which attempt of how many failed and when the next one is due.",
            source = "contract, Messages")
    void retry_messages_have_the_attempt_number_and_the_next_instant() {
        Outcome outcome = scenario.interval("5.5")
                .fault("{'times':1,'status':429,'retryAfterSeconds':17,'code':'TooManyRequests'}")
                .fault("{'times':1,'status':412}")
                .play();

        assertThat(outcome.messages())
                .containsExactly(
                        "Backend pool update failed (attempt 1 of 4): HTTP 429 TooManyRequests. Retrying not before"
                                + " +22.5 s.",
                        "Backend pool update failed (attempt 2 of 4): HTTP 412. Retrying on the next update.",
                        UPDATED + ": added 10.0.0.1; removed 10.0.0.9.");
        assertThat(outcome.events())
                .containsExactly("5500 shop/web Retrying", "27500 shop/web Retrying", "33000 shop/web Updated");
    }

    @Test
    @Rule(
            id = "R12.3",
            says = "After a Failed event the advice in its text is true: the next endpoint event repairs the pool.",
            source = "contract, Replay rule 12",
            differs = "In Go the lost change is restored only by the next Service reconcile.")
    void after_a_failure_an_endpoint_event_that_changes_nothing_repairs_the_pool() {
        Outcome outcome = scenario.fault("{'times':1,'status':403,'code':'AuthorizationFailed'}")
                .at(15_000)
                .slice("shop/web", "web-a", "n1")
                .at(25_000)
                .slice("shop/web", "web-a", "n1")
                .play();

        assertThat(outcome.messages())
                .containsExactly(
                        "Backend pool update failed (non-retriable): HTTP 403 AuthorizationFailed.",
                        UPDATED + ": added 10.0.0.1; removed 10.0.0.9.");
        assertThat(outcome.events()).containsExactly("10000 shop/web Failed", "20000 shop/web Updated");
        assertThat(outcome.calls()).hasSize(3);
    }

    @Test
    void a_service_that_stops_being_local_is_no_longer_updated() {
        Outcome outcome = scenario.at(9_999)
                .service("shop/web", "LoadBalancer", "Cluster")
                .play();

        assertThat(outcome.calls()).isEmpty();
        assertThat(outcome.pools()).isEmpty();
    }

    @Test
    @Rule(
            id = "F1",
            says = "Fault rules apply in order: a rule lets the first skip calls that match it pass to the next rules,"
                    + " then answers the next times calls; a call that one rule answers does not reach the later"
                    + " ones.",
            source = "contract, Files")
    void fault_rules_apply_in_order_each_with_its_own_counter() {
        Outcome outcome = scenario.maxRetries(9)
                .fault("{'method':'GET','skip':1,'times':1,'status':409}")
                .fault("{'pool':'sh?p-*','loadBalancer':'lb-*','skip':1,'times':2,'status':412}")
                .fault("{'pool':'SHOP-*','status':500}")
                .play();

        assertThat(outcome.calls())
                .containsExactly(
                        "10000 GET lb-1/shop-web 200",
                        "10000 PUT lb-1/shop-web 412",
                        "20000 GET lb-1/shop-web 409",
                        "30000 GET lb-1/shop-web 412",
                        "40000 GET lb-1/shop-web 200",
                        "40000 PUT lb-1/shop-web 200");
    }
}

package dev.poolkeeper.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that slices name and that the API server never reported. */
class MissingNodesTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final FakeTime time = new FakeTime();
    private final EndpointIndex index = new EndpointIndex(time);
    private final List<String> reported = new ArrayList<>();
    private int ends;

    private final class Recorder extends ChangesByKind {
        @Override
        void grew(ServiceName service, PoolKey pool, AddressSet added, AddressSet wanted) {
            reported.add("grew " + service + " to " + wanted);
        }

        @Override
        void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {
            reported.add("adopted " + service + " " + pool.pool() + " " + wanted);
        }

        @Override
        void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            reported.add("changed " + service + " to " + wanted);
        }

        @Override
        public void touched(ServiceName service, PoolKey pool) {}

        @Override
        public void left(ServiceName service, PoolKey pool) {}

        @Override
        public void waiting() {
            ends++;
        }

        @Override
        public void eventEnded() {
            reported.add("ended");
        }
    }

    @BeforeEach
    void webOnNodeOne() {
        index.locate(
                List.of(PoolKey.of("lb", "shop-web"), PoolKey.of("lb", "shop-web-ipv6"), PoolKey.of("lb", "shop-api")));
        node("n1", "10.0.0.1", "fd12::1");
        service(WEB);
        index.listen(new Recorder());
    }

    private void node(String name, String... addresses) {
        index.nodeChanged(new NodeState(name, Map.of(), List.of(addresses)));
    }

    private void service(ServiceName name) {
        index.serviceChanged(new ServiceState(name, "LoadBalancer", "Local", List.of("IPv4", "IPv6")));
    }

    private void slice(@Nullable ServiceName service, String name, String type, String... nodes) {
        index.sliceChanged(new EndpointSliceState("shop", name, service, type, List.of(nodes)));
    }

    private void web(String... nodes) {
        slice(WEB, "web-a", "IPv4", nodes);
    }

    /** Time passes, and whatever ends in it ends. */
    private void pass(Duration duration) {
        time.advance(duration);
        index.endWaits();
    }

    private List<String> news() {
        List<String> news =
                reported.stream().filter(line -> !line.equals("ended")).toList();
        reported.clear();
        return news;
    }

    @Test
    @Rule(
            id = "R04.5",
            says = "A node that a Service's slices name, and that was never seen, is given up after it has been missing"
                    + " for 60 s without a break, for each Service and family by itself.",
            source = "contract, Replay rule 4; kubernetes/kubernetes#107927, cilium/cilium#24494",
            differs = "Go drops the addresses of unknown nodes at once.")
    void a_missing_node_is_given_up_after_a_minute() {
        web("n1", "gone");
        assertThat(news()).containsExactly("grew shop/web to [10.0.0.1]");
        assertThat(index.nextEnd()).contains(time.instant().plus(MINUTE));

        pass(MINUTE.minusMillis(1));
        assertThat(news()).isEmpty();
        pass(Duration.ofMillis(1));

        assertThat(news()).containsExactly("adopted shop/web shop-web [10.0.0.1]");
        assertThat(index.nextEnd()).isEmpty();
    }

    @Test
    void an_end_is_reported_only_if_it_is_the_next_one() {
        service(API);
        web("n1", "gone");
        assertThat(ends).isEqualTo(1);

        time.advance(Duration.ofSeconds(1));
        web("n1", "gone", "later");
        slice(API, "api-a", "IPv4", "gone");
        assertThat(ends).isEqualTo(1);
    }

    @Test
    void an_event_at_the_end_of_the_minute_still_sees_the_node_missing() {
        web("n1", "gone");
        time.advance(MINUTE);
        node("n2", "10.0.0.2");
        web("n2", "gone");
        assertThat(news()).containsExactly("grew shop/web to [10.0.0.1]", "grew shop/web to [10.0.0.1, 10.0.0.2]");
        index.endWaits();
        assertThat(news()).containsExactly("adopted shop/web shop-web [10.0.0.2]");
    }

    @Test
    void a_node_that_is_named_again_is_waited_for_again() {
        web("n1", "gone");
        pass(Duration.ofSeconds(40));
        web("n1");
        web("n1", "GONE");
        news();
        pass(Duration.ofSeconds(59));
        assertThat(index.wants()).extracting(Want::complete).contains(false).doesNotContain(true);
        pass(Duration.ofSeconds(1));
        assertThat(index.wants()).extracting(Want::complete).contains(true);
    }

    @Test
    void a_node_that_moves_from_slice_to_slice_is_named_without_a_break() {
        web("n1", "gone");
        pass(Duration.ofSeconds(40));
        slice(WEB, "web-b", "IPv4", "gone");
        web("n1");
        pass(Duration.ofSeconds(20));
        assertThat(news()).contains("adopted shop/web shop-web [10.0.0.1]");
    }

    @Test
    void a_service_that_leaves_waits_again() {
        web("n1", "gone");
        pass(Duration.ofSeconds(40));
        index.serviceDeleted(WEB);
        assertThat(index.nextEnd()).isEmpty();
        service(WEB);
        assertThat(index.nextEnd()).contains(time.instant().plus(MINUTE));
    }

    @Test
    void what_was_given_up_stays_given_up_while_a_further_node_is_missing() {
        web("n1", "gone");
        pass(MINUTE);
        node("n2", "10.0.0.2");
        web("n2", "gone", "late");
        assertThat(news())
                .containsExactly(
                        "grew shop/web to [10.0.0.1]",
                        "adopted shop/web shop-web [10.0.0.1]",
                        "changed shop/web to [10.0.0.1, 10.0.0.2]");
        web("n2", "gone");
        assertThat(news()).containsExactly("changed shop/web to [10.0.0.2]");
    }

    @Test
    void a_node_that_is_named_later_is_given_up_later() {
        web("n1", "gone");
        pass(Duration.ofSeconds(20));
        web("n1", "gone", "late");
        news();
        pass(Duration.ofSeconds(40));
        assertThat(index.wants()).extracting(Want::complete).doesNotContain(true);
        pass(Duration.ofSeconds(20));
        assertThat(index.wants()).extracting(Want::complete).contains(true);
    }

    /** A tenant may name thousands of nodes, one by one: each end of a wait must not cost a look at all of them. */
    @Test
    void a_pool_that_waits_for_other_nodes_is_not_looked_at_when_some_are_given_up() {
        web("n1");
        for (int i = 0; i < 50; i++) {
            time.advance(Duration.ofMillis(10));
            slice(WEB, "ghosts-" + i, "IPv4", "ghost-" + i);
        }
        reported.clear();

        time.advance(MINUTE.minusMillis(490));
        for (int i = 0; i < 50; i++) {
            assertThat(index.wants()).extracting(Want::complete).doesNotContain(true);
            pass(i == 0 ? Duration.ZERO : Duration.ofMillis(10));
        }

        assertThat(index.wants()).extracting(Want::complete).contains(true);
        assertThat(reported).containsExactly("ended");
    }

    @Test
    void names_that_left_are_not_awaited_after_a_restart() {
        index.nodesInStep(true);
        web("n1", "gone", "other");
        pass(Duration.ofSeconds(30));
        web("n1", "gone");
        index.nodesInStep(false);
        index.nodesInStep(true);
        assertThat(index.nextEnd()).contains(time.instant().plus(MINUTE));
        web("n1");
        assertThat(index.nextEnd()).isEmpty();
    }

    @Test
    void a_given_up_node_that_appears_counts_at_once() {
        web("n1", "late");
        pass(MINUTE);
        news();
        node("late", "10.0.0.9");
        assertThat(news()).containsExactly("changed shop/web to [10.0.0.1, 10.0.0.9]");
        assertThat(index.nextEnd()).isEmpty();
        web("n1");
        assertThat(news()).containsExactly("changed shop/web to [10.0.0.1]");
    }

    @Test
    void a_given_up_node_that_is_no_longer_named_is_not_waited_for() {
        web("n1", "gone");
        pass(MINUTE);
        news();
        web();
        assertThat(news()).containsExactly("changed shop/web to []");
        assertThat(index.nextEnd()).isEmpty();
    }

    @Test
    @Rule(
            id = "R04.6",
            says = "Waits for missing nodes that end at one instant end in order of namespace/name, IPv4 first, each an"
                    + " event of its own.",
            source = "contract, Replay rule 4 and freshness")
    void waits_end_in_order_each_by_itself() {
        service(API);
        slice(WEB, "web-6", "IPv6", "n1", "gone");
        web("n1", "gone");
        slice(API, "api-a", "IPv4", "n1", "gone");
        reported.clear();
        time.advance(MINUTE);
        index.endWaits();
        assertThat(reported)
                .containsExactly(
                        "adopted shop/api shop-api [10.0.0.1]",
                        "ended",
                        "adopted shop/web shop-web [10.0.0.1]",
                        "ended",
                        "adopted shop/web shop-web-ipv6 [fd12::1]",
                        "ended");
    }

    @Test
    @Rule(
            id = "R04.7",
            says = "The name of a node is forgotten, seen or not, once no Node has it and no slice with a Service's"
                    + " label names it.",
            source = "contract, Replay rule 4")
    void a_name_is_forgotten_once_no_one_has_or_names_it() {
        web("n1");
        index.nodeDeleted("n1");
        assertThat(news()).containsExactly("adopted shop/web shop-web [10.0.0.1]", "changed shop/web to []");
        slice(API, "named-by-another", "FQDN", "n1");
        web();
        web("n1");
        assertThat(index.nextEnd()).as("deleted, and still known").isEmpty();

        web();
        index.sliceDeleted(new EndpointSliceState("shop", "named-by-another", API, "FQDN", List.of()));
        slice(null, "of-no-service", "IPv4", "n1");
        web("n1");
        assertThat(index.nextEnd())
                .as("a name like any other")
                .contains(time.instant().plus(MINUTE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"IPv4", "IPv6", "FQDN"})
    void a_name_stays_while_any_slice_of_its_service_names_it(String type) {
        slice(WEB, "other", type, "n1");
        web("n1", "n2");
        web();
        assertThat(index.knownNodes()).as("n2 is forgotten").isEqualTo(1);
        index.nodeDeleted("n1");
        assertThat(index.knownNodes()).as("n1 is named").isEqualTo(1);
        index.sliceDeleted(new EndpointSliceState("shop", "other", WEB, type, List.of()));
        assertThat(index.knownNodes()).isZero();
    }

    @Test
    void names_that_come_and_go_take_no_memory() {
        for (int i = 0; i < 1_000; i++) {
            web("made-up-" + i, "MADE-UP-" + i);
            index.nodeDeleted("never-named-" + i);
        }
        assertThat(index.knownNodes()).as("n1 and the last name").isEqualTo(2);
        index.sliceDeleted(new EndpointSliceState("shop", "web-a", WEB, "IPv4", List.of()));
        index.nodeDeleted("N1");
        assertThat(index.knownNodes()).isZero();
    }

    @Test
    @Rule(
            id = "R04.8",
            says = "The 60 s run only while the watch of Nodes is in step, which it has to show by a sign of life in"
                    + " them; a break restarts them.",
            source = "contract, Replay rule 4")
    void the_minute_runs_while_the_watch_of_nodes_is_in_step() {
        index.nodesInStep(false);
        web("n1", "gone");
        pass(MINUTE.multipliedBy(2));
        assertThat(index.nextEnd()).isEmpty();
        assertThat(news()).containsExactly("grew shop/web to [10.0.0.1]");
        ends = 0;

        index.nodesInStep(true);
        assertThat(ends).as("told that there is an end").isEqualTo(1);
        pass(Duration.ofSeconds(50));
        index.nodesInStep(false);
        assertThat(ends).isEqualTo(1);
        index.nodesInStep(true);
        Instant restarted = time.instant();
        assertThat(index.nextEnd()).contains(restarted.plus(MINUTE));
        pass(MINUTE);
        assertThat(news()).containsExactly("adopted shop/web shop-web [10.0.0.1]");
    }

    @Test
    void a_silent_watch_of_nodes_ends_no_minute() {
        index.nodesInStep(true);
        time.advance(Duration.ofSeconds(1));
        web("n1", "gone");
        pass(MINUTE.plusSeconds(10));
        assertThat(index.nextEnd()).isEmpty();
        assertThat(news()).containsExactly("grew shop/web to [10.0.0.1]");

        index.nodesInStep(true);
        assertThat(news()).containsExactly("adopted shop/web shop-web [10.0.0.1]");
    }

    @Test
    void a_break_does_not_restart_what_was_given_up() {
        web("n1", "gone");
        pass(MINUTE);
        web("n1", "gone", "late");
        index.nodesInStep(false);
        index.nodesInStep(true);
        news();

        node("n2", "10.0.0.2");
        web("n2", "gone", "late");
        node("late");
        assertThat(news())
                .as("only the second node was waited for")
                .containsExactly("changed shop/web to [10.0.0.1, 10.0.0.2]", "changed shop/web to [10.0.0.2]");
        web();
        assertThat(news()).containsExactly("changed shop/web to []");
        assertThat(index.nextEnd()).isEmpty();
    }
}

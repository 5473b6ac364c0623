package dev.poolkeeper.core.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ListenerPair;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakePodConditions;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate with a real engine, on fake time: {@code shop/web} is local, its pool holds nothing at first. */
class ReadinessGateTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Pace TICK = new Pace.Tick(Duration.ofMillis(1));
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeCluster cluster = new FakeCluster();
    private final FakePodConditions conditions = new FakePodConditions(cluster);
    private Replica replica = new Replica();
    private boolean synced = true;

    /** One process: its view, its engine and its gate. */
    private final class Replica {
        final EndpointIndex view = new EndpointIndex(time);
        final GatedPods pods = new GatedPods();
        final Engine engine = Engine.builder(view, cloud, cloud, time)
                .hasSynced(() -> true)
                .settings(EngineSettings.DEFAULT.withPace(TICK))
                .build();
        final ReadinessGate gate =
                new ReadinessGate(pods, view::addressesOf, engine, conditions, TIMEOUT, time, namespace -> synced);

        void lead() {
            engine.startLeading(Term.untilEnded());
            engine.step();
        }

        void tick() {
            time.advance(TICK.interval());
            engine.step();
        }
    }

    private static ServiceState selecting(ServiceName name, String app) {
        return new ServiceState(name, "LoadBalancer", "Local", List.of("IPv4"), null, null, Map.of("app", app));
    }

    @BeforeEach
    void build() {
        cloud.putPool(POOL, AddressSet.empty());
        cluster.listen(new ListenerPair(replica.view, replica.pods));
        cluster.put(new NodeState("n1", Map.of(), List.of("10.0.0.1")));
        cluster.put(selecting(WEB, "web"));
        endpoints();
    }

    private void endpoints(PodState... pods) {
        cluster.put(new EndpointSliceState(
                "shop",
                "web-1",
                WEB,
                "IPv4",
                Stream.of(pods).map(pod -> "n1").toList(),
                Set.copyOf(Stream.of(pods).map(pod -> pod.id().uid()).toList())));
    }

    private static PodState pod(String name) {
        return new PodState(
                new PodId("shop", name, "uid-" + name),
                Map.of("app", "web", PodState.LABEL, "true"),
                true,
                false,
                Optional.of("n1"),
                List.of("10.244.0.9"),
                Optional.empty(),
                "1");
    }

    private PodState put(PodState pod) {
        cluster.put(pod);
        return pod;
    }

    private Optional<ReadinessCondition> condition(PodState pod) {
        return cluster.pod(pod.id()).flatMap(PodState::condition);
    }

    private String reason(PodState pod) {
        return condition(pod).map(ReadinessCondition::reason).orElse("");
    }

    private void look() {
        time.advance(Duration.ofSeconds(1));
        replica.gate.look();
    }

    @Test
    @Rule(
            id = "Y5",
            says = "With the readiness gate a Pod on a new node becomes Ready only after the write that adds"
                    + " its node to the pool has completed.",
            source = "ours")
    void a_pod_on_a_new_node_waits_for_the_write() {
        // given
        PodState pod = put(pod("a"));
        endpoints(pod);
        replica.lead();
        // when
        look();
        // then
        assertThat(reason(pod)).isEqualTo("WaitingForPool");
        assertThat(condition(pod).orElseThrow().met()).isFalse();
        // when
        replica.tick();
        look();
        // then
        assertThat(cloud.addresses(POOL)).hasValue(AddressSet.of("10.0.0.1"));
        assertThat(condition(pod).orElseThrow())
                .isEqualTo(new ReadinessCondition(
                        true,
                        "InPool",
                        "The backend pool holds node n1",
                        time.instant().truncatedTo(ChronoUnit.SECONDS)));
        assertThat(conditions.writes()).hasSize(2);
    }

    @Test
    void a_condition_is_written_only_when_it_changes() {
        put(pod("a"));
        replica.lead();
        for (int i = 0; i < 5; i++) {
            look();
        }
        assertThat(conditions.writes()).hasSize(1);
    }

    @Test
    void a_lagging_watch_does_not_cause_a_second_write() {
        put(pod("a"));
        replica.lead();
        cluster.disconnect();
        for (int i = 0; i < 20; i++) {
            look();
        }
        assertThat(conditions.writes()).hasSize(1);
    }

    @Test
    void a_condition_removed_by_another_client_is_set_again() {
        PodState pod = put(pod("a"));
        replica.lead();
        look();
        cluster.put(pod);
        for (int i = 0; i < 31; i++) {
            look();
        }
        assertThat(conditions.writes()).hasSize(2);
    }

    @Test
    void a_new_message_keeps_the_transition_time() {
        PodState pod = put(pod("a"));
        replica.lead();
        look();
        Instant since = condition(pod).orElseThrow().since();
        time.advance(Duration.ofSeconds(90));
        endpoints(pod);
        look();

        assertThat(conditions.writes()).hasSize(2);
        assertThat(condition(pod).orElseThrow().since()).isEqualTo(since);
    }

    @Test
    void a_new_reason_keeps_the_transition_time() {
        PodState pod = put(pod("a"));
        endpoints(pod);
        replica.lead();
        look();
        assertThat(reason(pod)).isEqualTo("WaitingForPool");
        Instant since = condition(pod).orElseThrow().since();

        cloud.faults().add(FaultRule.always(403));
        time.advance(Duration.ofSeconds(90));
        replica.tick();
        look();

        assertThat(reason(pod)).isEqualTo("UpdateFailed");
        assertThat(condition(pod).orElseThrow().since()).isEqualTo(since);
    }

    @Test
    @Rule(id = "Y6", says = "A readiness gate that was opened is never closed again.", source = "ours")
    void a_true_condition_stays_true() {
        PodState pod = put(pod("a"));
        endpoints(pod);
        replica.lead();
        replica.tick();
        look();
        assertThat(reason(pod)).isEqualTo("InPool");

        cloud.putPool(POOL, AddressSet.empty());
        replica.engine.askForListing();
        replica.engine.step();
        look();
        look();

        assertThat(reason(pod)).isEqualTo("InPool");
        assertThat(conditions.writes()).hasSize(1);
    }

    @Test
    @Rule(
            id = "Y17",
            says = "A gate is opened only if its pools hold the node when the request is made, however long the"
                    + " requests for other Pods took before.",
            source = "ours")
    void a_gate_is_not_opened_if_its_pool_lost_the_node_while_another_was_written() {
        PodState one = put(pod("a"));
        PodState two = put(pod("b"));
        endpoints(one, two);
        replica.lead();
        replica.tick();
        conditions.answers(id -> {
            cloud.putPool(POOL, AddressSet.empty()); // by another writer, and listed before the answer arrives
            replica.engine.askForListing();
            replica.engine.step();
            return null;
        });
        look();
        assertThat(conditions.writes()).as("the first was decided before").hasSize(1);
        assertThat(Stream.of(one, two).map(this::reason)).containsOnlyOnce("InPool");

        conditions.answer(null);
        look();
        assertThat(Stream.of(one, two).map(this::reason)).containsExactlyInAnyOrder("InPool", "WaitingForPool");
    }

    @Test
    void a_request_for_another_namespace_in_the_same_pool_does_not_open_a_gate_too_late() {
        PoolKey shared = PoolKey.of("lb-1", "a-b-c");
        cloud.putPool(shared, AddressSet.empty());
        List<PodState> both = Stream.of(new ServiceName("a", "b-c"), new ServiceName("a-b", "c"))
                .map(service -> {
                    PodState pod = new PodState(
                            new PodId(service.namespace(), "p", "uid-" + service),
                            Map.of("app", "x", PodState.LABEL, "true"),
                            true,
                            false,
                            Optional.of("n1"),
                            List.of("10.244.0.9"),
                            Optional.empty(),
                            "1");
                    cluster.put(selecting(service, "x"));
                    cluster.put(new EndpointSliceState(
                            service.namespace(),
                            "s",
                            service,
                            "IPv4",
                            List.of("n1"),
                            Set.of(pod.id().uid())));
                    return put(pod);
                })
                .toList();
        replica.lead();
        replica.tick();
        conditions.answers(id -> {
            cloud.putPool(shared, AddressSet.empty());
            replica.engine.askForListing();
            replica.engine.step();
            return null;
        });
        look();
        assertThat(both.stream().map(this::reason)).containsOnlyOnce("InPool");
    }

    @Test
    @Rule(
            id = "Y7",
            says = "Only the leader sets readiness conditions, and not before the caches are synced and the"
                    + " load balancers have been listed in its term.",
            source = "ours")
    void no_condition_is_written_before_caches_are_synced_and_load_balancers_listed() {
        put(pod("a"));
        look();
        assertThat(conditions.writes()).as("does not lead").isEmpty();

        replica.engine.startLeading(Term.untilEnded());
        look();
        assertThat(conditions.writes()).as("not listed").isEmpty();

        synced = false;
        replica.engine.step();
        look();
        assertThat(conditions.writes()).as("not synced").isEmpty();

        synced = true;
        look();
        assertThat(conditions.writes()).hasSize(1);

        replica.engine.stopLeading();
        put(pod("b"));
        look();
        assertThat(conditions.writes()).as("leads no longer").hasSize(1);
    }

    @Test
    void a_term_that_ends_between_two_writes_prevents_the_second() {
        put(pod("a"));
        put(pod("b"));
        replica.engine.startLeading(Term.during(() -> conditions.writes().isEmpty()));
        replica.engine.step();
        look();
        assertThat(conditions.writes()).hasSize(1);
    }

    @Test
    void the_timeout_continues_under_the_next_leader() {
        // given
        PodState pod = put(pod("a"));
        replica.lead();
        look();
        time.advance(TIMEOUT.minusSeconds(20));
        replica.engine.stopLeading();
        // when
        replica = new Replica();
        cluster.listen(new ListenerPair(replica.view, replica.pods));
        replica.lead();
        look();
        assertThat(reason(pod)).isEqualTo("WaitingForPool");
        time.advance(Duration.ofSeconds(20));
        look();
        // then
        assertThat(reason(pod)).isEqualTo("TimedOut");
        assertThat(condition(pod).orElseThrow().met()).isTrue();
    }

    @Test
    @Rule(
            id = "Y8",
            says = "A labelled Pod without the readiness gate, or one that is being deleted or has terminated,"
                    + " is left alone.",
            source = "ours")
    void pods_without_the_gate_and_finished_pods_are_left_alone() {
        PodState pod = pod("a");
        put(new PodState(pod.id(), pod.labels(), false, false, pod.node(), pod.ips(), pod.condition(), "1"));
        PodState ending = pod("b");
        put(new PodState(
                ending.id(), ending.labels(), true, true, ending.node(), ending.ips(), ending.condition(), "1"));
        replica.lead();
        look();

        assertThat(conditions.writes()).isEmpty();
        assertThat(replica.gate.status().undecided()).isZero();
    }

    @Test
    void while_no_pod_waits_checks_are_rare() {
        replica.lead();
        assertThat(replica.gate.look()).isEqualTo(ReadinessGate.IDLE_INTERVAL);
        List<String> woken = new ArrayList<>();
        replica.gate.onLookDue(() -> woken.add("woken"));
        put(pod("a"));
        assertThat(woken).hasSize(1);
        assertThat(replica.gate.look()).isEqualTo(ReadinessGate.BUSY_INTERVAL);
    }

    @Test
    void many_new_pods_at_once_are_checked_together() {
        put(pod("a"));
        replica.lead();
        look();
        put(pod("b"));

        assertThat(replica.gate.look()).isPositive().isLessThan(Duration.ofSeconds(1));
        assertThat(conditions.writes()).hasSize(1);
    }

    @Test
    void a_deleted_or_replaced_pod_does_not_delay_others() {
        // given
        PodState gone = put(pod("a"));
        PodState there = put(pod("b"));
        replica.lead();
        cluster.disconnect();
        cluster.deletePod(gone.id());
        // when
        for (int i = 0; i < 3; i++) {
            look();
        }
        // then
        assertThat(reason(there)).isEqualTo("WaitingForPool");
        assertThat(replica.gate.status().refused()).isZero();
        cluster.reconnect();
        look();
        assertThat(replica.gate.status().undecided()).isZero();
    }

    @Test
    void conditions_becoming_true_are_written_first() {
        cluster.put(selecting(new ServiceName("shop", "slow"), "slow"));
        cloud.putPool(PoolKey.of("lb-1", "shop-slow"), AddressSet.empty());
        PodState web = pod("a");
        endpoints(web);
        replica.lead();
        replica.tick();
        for (int i = 0; i < 10; i++) {
            put(new PodState(
                    new PodId("shop", "slow-" + i, "slow-" + i),
                    Map.of("app", "slow"),
                    true,
                    false,
                    web.node(),
                    web.ips(),
                    Optional.empty(),
                    "1"));
        }
        put(web);
        look();

        assertThat(conditions.writes()).hasSize(11);
        assertThat(conditions.writes().getFirst().pod()).isEqualTo(web.id());
    }

    @Test
    void the_status_counts_waiting_pods_and_written_conditions() {
        put(pod("a"));
        put(pod("b"));
        assertThat(replica.gate.status().undecided()).isEqualTo(2);
        replica.lead();
        look();
        time.advance(Duration.ofSeconds(40));

        ReadinessStatus status = replica.gate.status();
        assertThat(status.waiting()).isEqualTo(Map.of(Reason.WAITING_FOR_POOL, 2));
        assertThat(status.undecided()).isZero();
        assertThat(status.longestWait()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(41));
        assertThat(status.written()).isEqualTo(Map.of(Reason.WAITING_FOR_POOL, 2L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b c", "a c b", "b a c", "b c a", "c a b", "c b a"})
    void the_longest_wait_is_that_of_the_pod_that_waits_longest_told_of_it_or_not(String names) {
        String[] inOrder = names.split(" ");
        replica.lead();
        for (String name : inOrder) {
            put(pod(name));
            look();
            time.advance(Duration.ofSeconds(20));
        }
        for (int i = 0; i < inOrder.length; i++) {
            Duration longest = Duration.ofSeconds(62 - 21L * i);
            assertThat(replica.gate.status().longestWait()).isBetween(longest, longest.plusSeconds(1));
            cluster.deletePod(pod(inOrder[i]).id());
        }
        assertThat(replica.gate.status().longestWait()).isZero();
    }
}

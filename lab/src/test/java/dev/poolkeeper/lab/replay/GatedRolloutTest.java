package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.cluster.AzureProbe;
import dev.poolkeeper.contract.ListenerPair;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.readiness.GatedPods;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakePodConditions;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A Deployment is rolled over to other nodes while its load balancer is busy with other Services: engine and gate as in
 * the daemon, calls that take virtual time, and a client that connects ten times a second to each node that Azure's
 * probe considers healthy.
 */
class GatedRolloutTest {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final int REPLICAS = 3;
    private static final int OTHERS = 4;
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("kubernetes", "shop-web");

    /** As in {@code docs/readiness-gate.md}. */
    private static final RollingUpdate.Manifest DOCUMENTED =
            new RollingUpdate.Manifest(true, Duration.ofSeconds(15), Duration.ofSeconds(20));

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeCluster cluster = new FakeCluster();
    private final EndpointIndex view = new EndpointIndex(time);
    private final GatedPods pods = new GatedPods();
    private final TimedCalls calls =
            new TimedCalls(cloud, time, new ArmTimes(Duration.ofMillis(60), Duration.ofSeconds(8), 0, 0));
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private Instant nextLook = time.instant();
    private long connections;
    private long failed;

    @BeforeEach
    void build() {
        cluster.listen(new ListenerPair(view, pods));
        List<String> nodes = new ArrayList<>(RollingUpdate.allNodes(REPLICAS));
        nodes.addAll(List.of("other-0", "other-1"));
        for (String node : nodes) {
            addresses.put(node, "10.0.0." + (addresses.size() + 1));
            cluster.put(new NodeState(node, Map.of(), List.of(addresses.get(node))));
        }
        cloud.putPool(POOL, AddressSet.empty());
        cluster.put(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4"), null, null, Map.of("app", "web")));
        for (int i = 0; i < OTHERS; i++) {
            cloud.putPool(PoolKey.of("kubernetes", "shop-" + other(i).name()), AddressSet.empty());
            cluster.put(local(other(i)));
            moveOther(i, 0);
        }
    }

    private static ServiceState local(ServiceName service) {
        return new ServiceState(service, "LoadBalancer", "Local", List.of("IPv4"));
    }

    private static ServiceName other(int i) {
        return new ServiceName("shop", "other" + i);
    }

    private void moveOther(int i, long turn) {
        cluster.put(
                new EndpointSliceState("shop", other(i).name() + "-1", other(i), "IPv4", List.of("other-" + turn % 2)));
    }

    /** How many connections fail from the start of the rollout until only the new nodes get them. */
    private long failedConnections(RollingUpdate.Manifest manifest) {
        RollingUpdate rollout = new RollingUpdate(cluster, time, WEB, manifest, REPLICAS);
        Engine engine = Engine.builder(view, calls, cloud, time)
                .hasSynced(() -> true)
                .settings(EngineSettings.DEFAULT.withDirectoryRefresh(Duration.ZERO))
                .executor(calls)
                .sideBySide()
                .lister(Runnable::run)
                .build();
        ReadinessGate gate = new ReadinessGate(
                pods,
                view::addressesOf,
                engine,
                new FakePodConditions(cluster),
                Duration.ofMinutes(10),
                time,
                namespace -> true);
        gate.onLookDue(() -> nextLook = time.instant());
        engine.startLeading(Term.untilEnded());
        engine.step(); // lists
        AzureProbe probe = new AzureProbe(rollout::isHealthy, time.instant());
        while (probe.healthy(inPool(), time.instant()).size() < REPLICAS) {
            serve(engine, gate);
        }
        long begun = time.nanoTime();
        List<String> healthy = List.of();
        while (!rollout.isOver() || !healthy.equals(rollout.nodes())) {
            assertThat(time.nanoTime() - begun).isLessThan(LIMIT.toNanos());
            churn(begun);
            rollout.step();
            serve(engine, gate);
            healthy = probe.healthy(inPool(), time.instant());
            connect(rollout, healthy);
        }
        return failed;
    }

    /** Every ten seconds each other Service moves. */
    private void churn(long begun) {
        long step = (time.nanoTime() - begun) / STEP.toNanos();
        if (step % 25 == 0) {
            long move = step / 25;
            moveOther((int) (move % OTHERS), 1 + move / OTHERS);
        }
    }

    private void serve(Engine engine, ReadinessGate gate) {
        time.advance(STEP);
        calls.endCalls();
        if (!time.instant().isBefore(nextLook)) {
            nextLook = time.instant().plus(gate.look());
        }
        engine.step();
        while (calls.hasStarts()) {
            calls.start();
        }
    }

    private Set<String> inPool() {
        AddressSet held = cloud.addresses(POOL).orElseThrow();
        return addresses.keySet().stream()
                .filter(node ->
                        !held.intersect(AddressSet.of(addresses.get(node))).isEmpty())
                .collect(Collectors.toSet());
    }

    /** With no healthy node a connection fails as well. */
    private void connect(RollingUpdate rollout, List<String> healthy) {
        connections += Math.max(1, healthy.size());
        failed += healthy.isEmpty()
                ? 1
                : healthy.stream().filter(node -> !rollout.serves(node)).count();
    }

    @Test
    @Rule(
            id = "Y23",
            says = "A Deployment with the readiness gate and the documented minReadySeconds and preStop is rolled over"
                    + " to other nodes without a failed connection, however busy the load balancer is.",
            source = "ours")
    void with_the_gate_no_connection_fails() {
        assertThat(failedConnections(DOCUMENTED)).isZero();
        assertThat(connections).isGreaterThan(1_000);
    }

    @Test
    void without_the_gate_connections_fail() {
        assertThat(failedConnections(new RollingUpdate.Manifest(false, DOCUMENTED.minReady(), DOCUMENTED.preStop())))
                .isEqualTo(400);
    }

    @Test
    void the_gate_alone_is_not_enough() {
        assertThat(failedConnections(new RollingUpdate.Manifest(true, Duration.ZERO, Duration.ZERO)))
                .isEqualTo(235);
    }

    @Test
    void with_neither_connections_fail() {
        assertThat(failedConnections(new RollingUpdate.Manifest(false, Duration.ZERO, Duration.ZERO)))
                .isEqualTo(411);
    }
}

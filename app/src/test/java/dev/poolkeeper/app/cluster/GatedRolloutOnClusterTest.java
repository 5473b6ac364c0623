package dev.poolkeeper.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.app.daemon.DaemonProcess;
import dev.poolkeeper.app.install.Chart;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Deployment of {@code docs/readiness-gate.md} is rolled over other nodes by the cluster's own controllers, while
 * the load balancer, whose writes take eight seconds, is busy with other Services. A client connects ten times a second
 * to each node that Azure's probe finds healthy.
 */
@Tag("real-cluster")
@EnabledIfSystemProperty(named = RealCluster.PROPERTY, matches = "true")
class GatedRolloutOnClusterTest {

    private static final int REPLICAS = 3;
    private static final int OTHERS = 4;
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration BETWEEN_MOVES = Duration.ofMillis(2_500);
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Path PAGE = Path.of("..", "docs", "readiness-gate.md");

    @TempDir
    private Path folder;

    private RealCluster cluster;
    private LoadBalancers balancers;
    private Endpoints others;
    private DaemonProcess daemon;
    private PoolKey pool;
    private PlayedKubelets kubelets;
    private AzureProbe probe;
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final List<String> otherNodes = new ArrayList<>();
    private int moves;
    private Instant nextMove = Instant.MIN;
    private long connections;
    private long failed;

    @BeforeEach
    void start() throws IOException {
        cluster = new RealCluster();
        balancers = new LoadBalancers(Duration.ofSeconds(8));
        others = new Endpoints(cluster);
        pool = balancers.addPool("kubernetes", cluster.namespace(), "web");
        for (int i = 0; i < 2 * REPLICAS; i++) {
            addresses.put(cluster.addNode("node-" + i, "10.0.0." + (4 + i)), "10.0.0." + (4 + i));
        }
        otherNodes.add(cluster.addNode("other-0", "10.0.1.4"));
        otherNodes.add(cluster.addNode("other-1", "10.0.1.5"));
        for (int i = 0; i < OTHERS; i++) {
            balancers.addPool("kubernetes", cluster.namespace(), "other-" + i);
            others.addService("other-" + i);
        }
        kubelets = new PlayedKubelets(cluster.client(), cluster.namespace(), List.copyOf(addresses.keySet()));
        probe = new AzureProbe(kubelets::isHealthy, Instant.now());
        daemon = new Installation(
                        cluster,
                        Chart.FOLDER,
                        balancers.arm(),
                        folder,
                        "  readinessGate: {enabled: true, namespaces: [" + cluster.namespace() + "]}")
                .start("daemon");
    }

    @AfterEach
    void stop() {
        try (RealCluster ignored = cluster;
                LoadBalancers ignoredToo = balancers;
                DaemonProcess last = daemon) {
            assertThat(last.log()).doesNotContain("forbidden");
        }
    }

    /** The documented objects, in this test's namespace; a fake scheduler binds the Pods. */
    private List<JsonNode> documented() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("```yaml\napiVersion: apps/v1\n") + "```yaml\n".length();
        String manifest = page.substring(begin, page.indexOf("```", begin));
        List<JsonNode> objects =
                Chart.objects(manifest.replace("namespace: shop", "namespace: " + cluster.namespace()));
        ((ObjectNode) Chart.the(objects, "Deployment").at("/spec/template/spec"))
                .put("schedulerName", PlayedKubelets.SCHEDULER);
        return objects;
    }

    private static void withoutGate(JsonNode deployment) {
        ((ObjectNode) deployment.at("/spec/template/spec")).remove("readinessGates");
        ((ObjectNode) deployment.at("/spec/template/metadata/labels")).remove("poolkeeper.dev/readiness-gate");
    }

    /** How many connections fail from the start of the rollout until only the new nodes get them. */
    private long rollOver(boolean gated) throws IOException {
        List<JsonNode> objects = documented();
        if (!gated) {
            withoutGate(Chart.the(objects, "Deployment"));
        }
        objects.forEach(cluster::apply);
        stepUntil("the Deployment serves", () -> step().size() == REPLICAS && rolledOut());

        connections = 0;
        failed = 0;
        cluster.client()
                .apps()
                .deployments()
                .inNamespace(cluster.namespace())
                .withName("web")
                .edit(deployment -> new DeploymentBuilder(deployment)
                        .editSpec()
                        .editTemplate()
                        .editMetadata()
                        .addToAnnotations("rolled", "over")
                        .endMetadata()
                        .endTemplate()
                        .endSpec()
                        .build());
        List<String> after = addresses.keySet().stream().skip(REPLICAS).sorted().toList();
        stepUntil("the new nodes alone serve", () -> {
            moveAnother();
            List<String> healthy = step();
            connect(healthy);
            return rolledOut() && kubelets.nodes().equals(after) && healthy.equals(after);
        });
        System.out.printf(
                "Rolled over %d nodes %s the gate: %d of %d connections failed%n",
                REPLICAS, gated ? "with" : "without", failed, connections);
        return failed;
    }

    private interface Look {
        boolean isThere();
    }

    private void stepUntil(String what, Look look) {
        Instant end = Instant.now().plus(LIMIT);
        while (!look.isThere()) {
            assertThat(Instant.now()).as("%s\n%s", what, daemon.log()).isBefore(end);
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    private boolean rolledOut() {
        Deployment deployment = cluster.client()
                .apps()
                .deployments()
                .inNamespace(cluster.namespace())
                .withName("web")
                .get();
        return deployment.getStatus().getObservedGeneration() != null
                && deployment
                        .getStatus()
                        .getObservedGeneration()
                        .equals(deployment.getMetadata().getGeneration())
                && Integer.valueOf(REPLICAS).equals(deployment.getStatus().getUpdatedReplicas())
                && Integer.valueOf(REPLICAS).equals(deployment.getStatus().getAvailableReplicas())
                && Integer.valueOf(REPLICAS).equals(deployment.getStatus().getReplicas());
    }

    /** Returns the nodes that get connections. */
    private List<String> step() {
        kubelets.step();
        AddressSet held = balancers.inForce(pool);
        Set<String> inPool = addresses.keySet().stream()
                .filter(node ->
                        !held.intersect(AddressSet.of(addresses.get(node))).isEmpty())
                .collect(Collectors.toSet());
        return probe.healthy(inPool, Instant.now());
    }

    /** Each of the other Services moves every ten seconds. */
    private void moveAnother() {
        if (!Instant.now().isBefore(nextMove)) {
            nextMove = Instant.now().plus(BETWEEN_MOVES);
            int turn = moves++;
            others.set("other-" + turn % OTHERS, List.of(otherNodes.get(turn / OTHERS % 2)));
        }
    }

    /** With no healthy node a connection fails as well. */
    private void connect(List<String> healthy) {
        connections += Math.max(1, healthy.size());
        failed += healthy.isEmpty()
                ? 1
                : healthy.stream().filter(node -> !kubelets.serves(node)).count();
    }

    @Test
    void with_the_gate_no_connection_fails() throws IOException {
        assertThat(rollOver(true)).isZero();
        assertThat(connections).isGreaterThan(500);
    }

    @Test
    void without_the_gate_connections_fail() throws IOException {
        assertThat(rollOver(false)).isPositive();
    }
}

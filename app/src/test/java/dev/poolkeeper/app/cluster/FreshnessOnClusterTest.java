package dev.poolkeeper.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.daemon.Await;
import dev.poolkeeper.app.daemon.DaemonProcess;
import dev.poolkeeper.app.install.Chart;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long changes take to reach their pools: 28 pools on four load balancers, writes of three seconds, thirty changes.
 * The pools are large enough that the removals of half a minute stay below a tenth of all addresses, beyond which
 * removals would wait for each other.
 */
@Tag("real-cluster")
@EnabledIfSystemProperty(named = RealCluster.PROPERTY, matches = "true")
class FreshnessOnClusterTest {

    private static final int POOLS = 28;
    private static final int NODES = 16;
    private static final int PODS = 10;
    private static final int CHANGES = 30;
    private static final Duration OPERATION = Duration.ofSeconds(3);

    /** Removals are a share of the pools' contents this long ago. */
    private static final Duration WINDOW = Duration.ofSeconds(30);

    /** The interval of ticks, for which eager updates do not wait; far longer than they take on a slow machine. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** One endpoint of a Service, drawn at random, goes to another node; then up to four seconds pass. */
    @Test
    void a_change_reaches_its_pool_before_the_next_tick() throws IOException {
        Random random = new Random(1);
        try (RealCluster cluster = new RealCluster();
                LoadBalancers balancers = new LoadBalancers(OPERATION)) {
            List<String> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(cluster.addNode("node-" + i, "10.0.0." + (4 + i)));
            }
            Endpoints endpoints = new Endpoints(cluster);
            List<PoolKey> pools = new ArrayList<>();
            List<List<String>> placed = new ArrayList<>();
            for (int i = 0; i < POOLS; i++) {
                pools.add(balancers.addPool(
                        LoadBalancers.NAMES.get(i % LoadBalancers.NAMES.size()), cluster.namespace(), "web-" + i));
                endpoints.addService("web-" + i);
                placed.add(nodes.subList(0, PODS));
                endpoints.set("web-" + i, placed.get(i));
            }
            Installation installation = new Installation(cluster, Chart.FOLDER, balancers.arm(), folder, "");
            try (DaemonProcess daemon = installation.start("daemon")) {
                for (PoolKey pool : pools) {
                    Await.until(
                            pool + " was written",
                            daemon::log,
                            () -> !balancers.inForce(pool).isEmpty());
                }
                LockSupport.parkNanos(WINDOW.toNanos());
                List<Duration> took = new ArrayList<>();
                List<Change> open = new ArrayList<>();
                for (int i = 0; i < CHANGES; i++) {
                    int which = unchanged(open, random);
                    placed.set(which, oneMoved(placed.get(which), nodes, random));
                    Instant begun = Instant.now();
                    endpoints.set("web-" + which, placed.get(which));
                    open.add(new Change(which, pools.get(which), addresses(placed.get(which), nodes), begun));
                    LockSupport.parkNanos(
                            Duration.ofMillis(random.nextInt(4_000)).toNanos());
                    finish(open, balancers, took);
                }
                Await.until("all changes were written", daemon::log, () -> {
                    finish(open, balancers, took);
                    return open.isEmpty();
                });
                Collections.sort(took);
                System.out.printf(
                        "Change → written, %d changes: min %s, p50 %s, p90 %s, max %s%n",
                        CHANGES, took.getFirst(), took.get(14), took.get(26), took.getLast());
                assertThat(took.getLast()).as(daemon.log()).isLessThan(LIMIT);
            }
        }
    }

    private static List<String> oneMoved(List<String> from, List<String> nodes, Random random) {
        List<String> free = nodes.stream().filter(node -> !from.contains(node)).toList();
        List<String> to = new ArrayList<>(from);
        to.set(random.nextInt(to.size()), free.get(random.nextInt(free.size())));
        return to;
    }

    private static AddressSet addresses(List<String> at, List<String> nodes) {
        return AddressSet.of(
                at.stream().map(node -> "10.0.0." + (4 + nodes.indexOf(node))).toArray(String[]::new));
    }

    private record Change(int service, PoolKey pool, AddressSet wanted, Instant begun) {}

    /** A Service without a pending change, so that none reverts another. */
    private static int unchanged(List<Change> open, Random random) {
        while (true) {
            int which = random.nextInt(POOLS);
            if (open.stream().noneMatch(change -> change.service() == which)) {
                return which;
            }
        }
    }

    private static void finish(List<Change> open, LoadBalancers balancers, List<Duration> took) {
        open.removeIf(change -> {
            boolean isWritten = balancers.inForce(change.pool()).equals(change.wanted());
            if (isWritten) {
                took.add(Duration.between(change.begun(), balancers.lastWritten(change.pool())));
            }
            return isWritten;
        });
    }
}

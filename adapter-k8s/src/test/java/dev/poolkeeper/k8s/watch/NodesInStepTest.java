package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether all Nodes are known, as the watcher tells it. */
class NodesInStepTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster(
            KubeSettings.DEFAULT.withBookmarkInterval(Duration.ofMinutes(1)).withTime(time));
    private final KubeEmulator emulator = cluster.emulator();
    private final List<Boolean> told = new CopyOnWriteArrayList<>();
    private final ClusterWatcher watcher = new ClusterWatcher(
            cluster.client(),
            new WatchSettings(
                    4, Duration.ofMinutes(2), Duration.ofDays(2), Duration.ofMillis(800), Duration.ofSeconds(30)),
            time,
            List.of(new ObservedCluster(), new Signs()),
            Optional.empty());

    private final class Signs implements ClusterListener {
        @Override
        public void nodesInStep(boolean inStep) {
            told.add(inStep);
        }

        @Override
        public void serviceChanged(ServiceState service) {}

        @Override
        public void serviceDeleted(ServiceName service) {}

        @Override
        public void sliceChanged(EndpointSliceState slice) {}

        @Override
        public void sliceDeleted(EndpointSliceState slice) {}

        @Override
        public void nodeChanged(NodeState node) {}

        @Override
        public void nodeDeleted(String node) {}
    }

    @AfterEach
    void close() {
        watcher.close();
        cluster.close();
    }

    @Test
    @Rule(
            id = "R04.9",
            says = "Nodes are in step from the first complete list, shown again by each event and bookmark of their"
                    + " watch; a watch that fails, or is silent for too long, is a break until it is open again.",
            source = "contract, Replay rule 4")
    void nodes_are_in_step_while_their_watch_is_open() {
        assertThat(told).isEmpty();
        watcher.start();
        assertThat(told).first().isEqualTo(false);
        until(time, "watches", () -> watcher.hasSynced() && emulator.openWatches() == 3);
        assertThat(told).last().isEqualTo(true);

        told.clear();
        time.advance(Duration.ofMinutes(1));
        until(time, "a bookmark", () -> !told.isEmpty());
        assertThat(told).containsOnly(true);

        told.clear();
        emulator.stop();
        until(time, "a break", () -> told.contains(false));
        emulator.startAgain();
        until(time, "in step again", () -> {
            time.advance(Duration.ofSeconds(1)); // the back-off
            return told.get(told.size() - 1);
        });
    }

    @Test
    void a_silent_watch_of_nodes_is_a_break() {
        watcher.start();
        until(time, "watches", () -> watcher.hasSynced() && emulator.openWatches() == 3);
        emulator.faults().silentWatches(true);
        told.clear();
        time.advance(Duration.ofMinutes(2));
        until(time, "a break", () -> told.contains(false));
    }
}

package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.Objects;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must cost nothing: events without changes, quiet hours, clock jumps; and requests that hang. */
class ClusterWatcherQuietTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster(
            KubeSettings.DEFAULT.withBookmarkInterval(Duration.ofMinutes(1)).withTime(time));
    private final KubeEmulator emulator = cluster.emulator();
    private final ObservedCluster observed = new ObservedCluster();
    private ClusterWatcher watcher = watcher(cluster.client());

    private ClusterWatcher watcher(KubernetesClient client) {
        WatchSettings settings = new WatchSettings(
                4, Duration.ofMinutes(2), Duration.ofDays(2), Duration.ofMillis(800), Duration.ofSeconds(30));
        return new ClusterWatcher(client, settings, time, observed);
    }

    @AfterEach
    void close() {
        watcher.close();
        cluster.close();
    }

    private void start() {
        watcher.start();
        until(time, "synced", watcher::hasSynced);
        until(time, "watches", () -> emulator.openWatches() == 3);
    }

    private long requests() {
        return emulator.requests().size();
    }

    /** Returns once all earlier changes have been seen. */
    private void putLast(HasMetadata last, String key) {
        cluster.put(last);
        until(time, "last", () -> observed.find(key).isPresent());
    }

    @Test
    void bookmarks_that_the_api_server_sends_by_itself_keep_quiet_watches_open() {
        start();
        long requests = requests();
        for (int minute = 0; minute < 4; minute++) { // watches end by themselves after five minutes at the earliest
            time.advance(Duration.ofMinutes(1));
            Instant now = time.instant();
            until(
                    time,
                    "bookmarks",
                    () -> watcher.statuses().stream()
                            .allMatch(status -> status.lastSign().orElseThrow().equals(now)));
        }

        assertThat(watcher.statuses())
                .allSatisfy(status -> assertThat(status.stalls()).isZero());
        assertThat(requests()).isEqualTo(requests);
    }

    @ParameterizedTest
    @ValueSource(longs = {-48, -3, 3, 48})
    void a_wall_clock_jump_of_hours_causes_no_request_and_no_callback(long hours) {
        cluster.put(Objects.service("shop", "web"));
        start();
        long requests = requests();
        int calls = observed.calls().size();

        time.jump(Duration.ofHours(hours));
        time.advance(Duration.ofSeconds(59));

        assertThat(requests()).isEqualTo(requests);
        assertThat(observed.calls()).hasSize(calls);
        assertThat(watcher.statuses()).allMatch(WatchStatus::watching);
    }

    private Node heartbeat(String at) {
        return Objects.node(new NodeState("n", Map.of(), List.of("10.224.0.4")))
                .edit()
                .editStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastHeartbeatTime(at)
                .endCondition()
                .endStatus()
                .editMetadata()
                .addToAnnotations("volumes.kubernetes.io/attached", at)
                .endMetadata()
                .build();
    }

    @Test
    void node_heartbeats_are_not_reported() {
        cluster.put(heartbeat("2026-03-01T12:00:00Z"));
        start();

        for (int minute = 1; minute < 10; minute++) {
            cluster.put(heartbeat("2026-03-01T12:0%d:00Z".formatted(minute)));
        }
        putLast(Objects.node(new NodeState("last", Map.of(), List.of())), "Node last");

        assertThat(observed.calls()).containsExactly("changed Node n", "changed Node last");
    }

    private EndpointSlice touched(int times) {
        ServiceName web = new ServiceName("shop", "web");
        return Objects.slice(new EndpointSliceState("shop", "web-1", web, "IPv4", List.of("n")))
                .edit()
                .editMetadata()
                .addToAnnotations("endpoints.kubernetes.io/last-change-trigger-time", "change " + times)
                .endMetadata()
                .editFirstEndpoint()
                .withAddresses("10.0.0." + times)
                .withNewConditions()
                .withReady(times % 2 == 0)
                .endConditions()
                .endEndpoint()
                .build();
    }

    @Test
    @Rule(
            id = "V15",
            says = "Every event of a slice is reported, even if its endpoints stay on their nodes, because it retries"
                    + " an update that was given up.",
            source = "contract, Replay rule 12")
    void a_slice_whose_endpoints_stay_on_their_nodes_is_reported_again() {
        cluster.put(touched(0));
        start();

        cluster.put(touched(1));
        cluster.put(touched(2));
        putLast(
                Objects.slice(new EndpointSliceState("shop", "last", null, "IPv4", List.of())),
                "EndpointSlice shop/last");

        assertThat(observed.calls())
                .containsExactly(
                        "changed EndpointSlice shop/web-1",
                        "changed EndpointSlice shop/web-1",
                        "changed EndpointSlice shop/web-1",
                        "changed EndpointSlice shop/last");
    }

    @Test
    void a_hanging_list_is_cancelled_and_restarted() {
        emulator.faults().hold(request -> request.verb().equals("list"));
        emulator.faults().refuseWatchLists(true);
        try (KubernetesClient impatient = cluster.leaseClient(Duration.ofMillis(400))) {
            watcher = watcher(impatient);
            watcher.start();
            until(
                    time,
                    "given up",
                    () -> watcher.statuses().stream()
                            .allMatch(status -> status.lastError().isPresent()));
            assertThat(watcher.hasSynced()).isFalse();

            emulator.faults().clear();

            until(time, "synced", () -> {
                time.advance(Duration.ofMillis(100));
                return watcher.hasSynced();
            });
            watcher.close();
        }
    }

    @Test
    void a_watch_without_a_response_is_detected_and_reopened() {
        start();
        emulator.faults().hold(request -> request.verb().equals("watch"));
        time.advance(Duration.ofSeconds(5)); // a watch that ends sooner is not opened again at once
        emulator.cutWatches();
        until(time, "asked", () -> watches() == 6);
        assertThat(watcher.statuses()).noneMatch(WatchStatus::watching);
        cluster.put(Objects.service("shop", "web"));

        time.advance(Duration.ofMinutes(2));
        until(time, "asked again", () -> watches() == 9);
        emulator.faults().clear();

        until(time, "web", () -> observed.find("Service shop/web").isPresent());
        assertThat(watcher.statuses())
                .allSatisfy(status -> assertThat(status.stalls()).isEqualTo(1));
        assertThat(watcher.statuses())
                .allSatisfy(status -> assertThat(status.lists()).isEqualTo(1));
    }

    private long watches() {
        return emulator.requests().stream()
                .filter(request -> request.verb().equals("watch"))
                .count();
    }
}

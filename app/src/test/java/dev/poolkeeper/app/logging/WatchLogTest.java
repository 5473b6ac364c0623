package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.app.daemon.Await;
import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.k8s.watch.PodScope;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.k8s.watch.WatchStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log about objects that are watched: each cause once, and again after it ended. */
class WatchLogTest {

    private static final String SERVICES = "/api/v1/namespaces/shop/services/";
    private static final String UNREADABLE = "Object cannot be read";
    private static final String FAILED = "Kubernetes {} failed";

    private final FakeTime time = new FakeTime();
    private final ObservedCluster observed = new ObservedCluster();
    private final KubeEmulator kube;
    private final KubernetesClient client;
    private final ClusterWatcher watcher;

    @RegisterExtension
    final Logged logged = new Logged("dev.poolkeeper.k8s.watch", Level.DEBUG);

    WatchLogTest() throws IOException {
        time.willDraw(0);
        kube = KubeEmulator.start(KubeSettings.DEFAULT.withTime(time));
        client = KubernetesClients.forObjects(ApiServer.at(kube.uri()));
        watcher = new ClusterWatcher(
                client, WatchSettings.DEFAULT, time, List.of(observed), Optional.of(new PodScope(List.of())));
        kube.apply("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"}}");
    }

    @AfterEach
    void close() {
        watcher.close();
        client.close();
        kube.close();
    }

    private void service(String name, String spec) {
        kube.apply("""
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s","namespace":"shop"},
             "spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local"%s}}\
            """.formatted(name, spec));
    }

    private List<ILoggingEvent> lines(String message) {
        return List.copyOf(logged.list).stream()
                .filter(line -> line.getMessage().startsWith(message))
                .toList();
    }

    private List<Level> levels(String message) {
        return lines(message).stream().map(ILoggingEvent::getLevel).toList();
    }

    private void until(String what, Await.Condition condition) {
        Await.until(what, () -> {
            time.runDue();
            return condition.holds();
        });
    }

    private void start() {
        watcher.start();
        until("watching", () -> watcher.hasSynced() && kube.openWatches() == 4);
    }

    private WatchStatus services() {
        return watcher.statuses().stream()
                .filter(status -> status.kind().equals("Service"))
                .findFirst()
                .orElseThrow();
    }

    /** All earlier changes have been seen. */
    private void seen(String last) {
        service(last, "");
        until(last, () -> observed.find("Service shop/" + last).isPresent());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_object_that_cannot_be_read_is_logged_once_until_it_can_be_read_or_is_gone(boolean byList) {
        kube.faults().refuseWatchLists(byList);
        String odd = ",\"ports\":{}";
        service("odd", odd);
        start();
        assertThat(levels(UNREADABLE)).containsExactly(Level.WARN);
        service("odd", odd + ",\"a\":1");
        seen("a");
        assertThat(levels(UNREADABLE)).containsExactly(Level.WARN, Level.DEBUG);

        service("odd", "");
        service("odd", odd);
        seen("b");
        assertThat(levels(UNREADABLE)).containsExactly(Level.WARN, Level.DEBUG, Level.WARN);

        kube.delete(SERVICES + "odd");
        service("odd", odd);
        seen("c");
        assertThat(levels(UNREADABLE)).containsExactly(Level.WARN, Level.DEBUG, Level.WARN, Level.WARN);

        kube.stop(); // and it is gone meanwhile
        kube.delete(SERVICES + "odd");
        kube.compact();
        kube.startAgain();
        until("read again", () -> {
            time.advance(Duration.ofMillis(100));
            return services().lists() == 2 && services().watching();
        });
        service("odd", odd);
        seen("d");
        assertThat(levels(UNREADABLE)).containsExactly(Level.WARN, Level.DEBUG, Level.WARN, Level.WARN, Level.WARN);
    }

    @Test
    void a_selector_that_is_too_large_is_logged_once_for_each_object() {
        String large = ",\"selector\":{\"app\":\"" + "x".repeat(16_382) + "\"}";
        service("large", large);
        start();
        service("large", large + ",\"a\":1");
        seen("a");
        assertThat(levels("Selector is too large")).containsExactly(Level.WARN);

        kube.delete(SERVICES + "large");
        service("large", large);
        seen("b");
        assertThat(levels("Selector is too large")).containsExactly(Level.WARN, Level.WARN);
    }

    @Test
    void a_failure_is_logged_once_for_each_cause_and_again_after_requests_succeeded() {
        for (int outage = 1; outage <= 2; outage++) {
            kube.faults().deny(request -> request.resource().equals("services"));
            if (outage == 1) {
                watcher.start();
            } else {
                time.advance(Duration.ofSeconds(5));
                kube.cutWatches();
            }
            int lines = 4 * (outage - 1);
            until("failed", () -> lines(FAILED).size() > lines);
            until("failed three times", () -> {
                time.advance(Duration.ofMillis(100));
                return lines(FAILED).size() >= lines + 4;
            });
            kube.faults().clear();
            String ended = "Kubernetes requests succeed again";
            int ends = outage;
            until("over", () -> {
                time.advance(Duration.ofMillis(100));
                kube.bookmark();
                return lines(ended).size() >= ends;
            });
        }
        assertThat(levels(FAILED)).startsWith(Level.WARN, Level.DEBUG, Level.DEBUG, Level.DEBUG);
        assertThat(levels(FAILED)).filteredOn(Level.WARN::equals).hasSize(2);
        assertThat(levels(FAILED)).containsOnly(Level.WARN, Level.DEBUG);
    }
}

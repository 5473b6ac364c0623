package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.app.daemon.Await;
import dev.poolkeeper.emulators.kube.CustomKind;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.emulators.kube.RecordedRequest;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.events.EventSettings;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.policies.PolicySnapshot;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.k8s.policies.PolicyWatcher;
import dev.poolkeeper.k8s.policies.Standing;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The log about Events and statuses that cannot be written. */
class ClusterLogTest {

    private static final String POLICIES =
            "/apis/gateway.networking.x-k8s.io/v1alpha1/namespaces/poolkeeper/xbackendtrafficpolicies/";

    private final FakeTime time = new FakeTime();
    private final KubeEmulator kube;
    private final KubernetesClient client;

    @RegisterExtension
    final Logged logged = new Logged("dev.poolkeeper.k8s", Level.DEBUG);

    ClusterLogTest() throws IOException {
        kube = KubeEmulator.start(KubeSettings.DEFAULT.withTime(time));
        client = KubernetesClients.forObjects(ApiServer.at(kube.uri()));
    }

    @AfterEach
    void close() {
        client.close();
        kube.close();
    }

    private List<ILoggingEvent> lines(String message) {
        return List.copyOf(logged.list).stream()
                .filter(line -> line.getMessage().startsWith(message))
                .toList();
    }

    @Test
    void a_lost_event_is_logged_once_for_each_cause_and_again_after_one_was_written() {
        // given
        KubernetesServiceEvents events = new KubernetesServiceEvents(
                client,
                new EventSettings("poolkeeper-0", 10, 1, Duration.ofSeconds(10)),
                time,
                service -> Optional.empty());
        kube.apply("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"}}");
        // when
        for (String outcome : List.of("denied", "denied", "written", "denied", "denied")) {
            kube.faults().clear();
            if (outcome.equals("denied")) {
                kube.faults().deny(request -> request.resource().equals("events"));
            }
            events.emit(new ServiceEvent(
                    new ServiceName("shop", "web"),
                    PoolKey.of("lb-1", "shop-web"),
                    ServiceEvent.Reason.UPDATED,
                    outcome));
            time.runDue();
        }
        // then
        assertThat(events.written()).isEqualTo(1);
        assertThat(lines("Event could not be written"))
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.DEBUG, Level.WARN, Level.DEBUG);
    }

    private void policy(String name, String entries) {
        kube.apply("""
            {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
             "metadata":{"name":"%s","namespace":"poolkeeper"},
             "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}],
                     "retryConstraint":{"budget":{"percent":13}}},
             "status":{"ancestors":[%s]}}\
            """.formatted(name, entries));
    }

    private static String others(int entries) {
        return IntStream.range(0, entries)
                .mapToObj(i ->
                        "{\"ancestorRef\":{\"name\":\"g%d\"},\"controllerName\":\"example.com/c\",\"conditions\":[]}"
                                .formatted(i))
                .collect(Collectors.joining(","));
    }

    private static boolean isStatusWrite(RecordedRequest request) {
        return request.subresource().equals("status") && !request.verb().equals("get");
    }

    private long statusWrites() {
        return kube.requests().stream().filter(ClusterLogTest::isStatusWrite).count();
    }

    private PolicyWatcher watching() {
        kube.apply("""
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"azure-resource-manager","namespace":"poolkeeper"},
             "spec":{"type":"ExternalName","externalName":"management.azure.com"}}\
            """);
        PolicyStatusWriter statuses = new PolicyStatusWriter(client, "me", time);
        statuses.lead(Term.untilEnded());
        PolicyWatcher watcher = new PolicyWatcher(
                client, "poolkeeper", WatchSettings.DEFAULT, time, now -> statuses.setStandings(standings(now)));
        watcher.start();
        return watcher;
    }

    private static List<Standing> standings(PolicySnapshot now) {
        return now.standings(ArmPolicies.of(PolicyManifests.NONE.and(now.manifests())));
    }

    private void until(String what, Await.Condition condition) {
        Await.until(what, () -> {
            time.runDue();
            return condition.holds();
        });
    }

    @Test
    void a_kind_that_is_no_longer_served_is_logged_each_time() {
        try (PolicyWatcher watcher = watching()) {
            for (int time = 1; time <= 2; time++) {
                until("watched", () -> isWatched(watcher));
                kube.api().withdraw(CustomKind.X_BACKEND_TRAFFIC_POLICY);
                until("the watch has failed", () -> !isWatched(watcher));
                this.time.advance(Duration.ofSeconds(5));
                until(
                        "noticed",
                        () -> watcher.statuses().stream()
                                .anyMatch(kind -> kind.trouble().contains("does not serve it")));
                assertThat(lines("Retry policies of this kind cannot be read; those read last"))
                        .hasSize(time)
                        .extracting(ILoggingEvent::getLevel)
                        .containsOnly(Level.WARN);
                kube.api().serve(CustomKind.X_BACKEND_TRAFFIC_POLICY);
                this.time.advance(Duration.ofSeconds(5));
            }
        }
    }

    private static boolean isWatched(PolicyWatcher watcher) {
        return watcher.statuses().stream()
                .allMatch(kind -> kind.watching() && kind.trouble().isEmpty());
    }

    @Test
    void statuses_that_cannot_be_written_are_counted_and_logged_once_for_each_cause_and_again_after_a_success() {
        String message = "Status of retry policies could not be written";
        policy("one", "");
        policy("two", "");
        kube.faults().drop(ClusterLogTest::isStatusWrite);
        try (PolicyWatcher unused = watching()) {
            until("failed", () -> !lines(message).isEmpty());
            time.advance(Duration.ofSeconds(1));
            until("failed again", () -> lines(message).size() == 2);
            kube.faults().clear();
            time.advance(Duration.ofMinutes(1));
            until("written", () -> client.raw(POLICIES + "two").contains("Conflicted"));
            kube.faults().drop(ClusterLogTest::isStatusWrite);
            policy("two", "");
            until("failed after a success", () -> lines(message).size() == 3);
        }
        assertThat(lines(message))
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.DEBUG, Level.WARN);
        assertThat(lines(message))
                .extracting(line -> line.getKeyValuePairs().get(1).toString())
                .containsExactly("objects=\"2\"", "objects=\"2\"", "objects=\"1\"");
    }

    @Test
    void a_full_status_is_logged_once_and_again_after_it_had_room() {
        String message = "Status of a retry policy has no room for our entry";
        policy("one", others(16));
        try (PolicyWatcher unused = watching()) {
            until("full", () -> !lines(message).isEmpty());
            policy("one", others(16) + "," + others(1));
            policy("one", others(15));
            until("written", () -> statusWrites() == 1);
            policy("one", others(16));
            until("full again", () -> lines(message).size() == 2);
        }
        assertThat(lines(message)).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
    }
}

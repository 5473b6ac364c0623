package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.Objects;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterWatcherFaultsTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubeEmulator emulator = cluster.emulator();
    private final ObservedCluster observed = new ObservedCluster();
    private ClusterWatcher watcher = watcher(observed);

    private ClusterWatcher watcher(ClusterListener listener) {
        WatchSettings settings = new WatchSettings(
                4, Duration.ofMinutes(2), Duration.ofHours(1), Duration.ofMillis(800), Duration.ofSeconds(30));
        return new ClusterWatcher(cluster.client(), settings, time, listener);
    }

    @AfterEach
    void close() {
        watcher.close();
        cluster.close();
    }

    /** Most of these faults concern lists; {@link WatchListTest} has those of watches with initial events. */
    @BeforeEach
    void listsAreNeeded() {
        emulator.faults().refuseWatchLists(true);
    }

    private void start() {
        watcher.start();
        until(time, "synced", watcher::hasSynced);
        until(time, "watches", () -> emulator.openWatches() == 3);
    }

    private void put(String name) {
        cluster.put(Objects.service("shop", name));
    }

    private void delete(String name) {
        emulator.delete("/api/v1/namespaces/shop/services/" + name);
    }

    private boolean knows(String name) {
        return observed.find("Service shop/" + name).isPresent();
    }

    private WatchStatus services() {
        return watcher.statuses().stream()
                .filter(status -> status.kind().equals("Service"))
                .findFirst()
                .orElseThrow();
    }

    private long requests(String verb, String resource) {
        return emulator.requests().stream()
                .filter(request ->
                        request.verb().equals(verb) && request.resource().equals(resource))
                .count();
    }

    @Test
    void the_first_list_is_read_in_pages() {
        for (int i = 0; i < 10; i++) {
            put("s" + i);
        }

        start();

        assertThat(requests("list", "services")).isEqualTo(3);
        assertThat(services().objects()).isEqualTo(10);
    }

    @Test
    void a_list_whose_later_pages_are_gone_deletes_nothing_and_is_restarted() {
        for (int i = 0; i < 10; i++) {
            put("s" + i);
        }
        start();
        AtomicInteger pages = new AtomicInteger();
        emulator.faults()
                .fail(
                        request -> request.verb().equals("list")
                                && request.resource().equals("services")
                                && pages.incrementAndGet() == 2,
                        410,
                        1);
        time.advance(Duration.ofMinutes(70)); // a resync, whose second page fails

        until(time, "second list", () -> services().lists() >= 2);
        assertThat(observed.calls()).noneMatch(call -> call.startsWith("deleted"));
        assertThat(services().objects()).isEqualTo(10);
    }

    @Test
    void a_silent_watch_is_detected_and_reopened_without_a_list() {
        start();
        long lists = requests("list", "services");
        emulator.faults().silentWatches(true);
        put("web");
        time.advance(Duration.ofSeconds(119));
        assertThat(services().stalls()).isZero();

        emulator.faults().watchLag(1_000_000); // first, so that the old connections stay silent
        emulator.faults().silentWatches(false);
        time.advance(Duration.ofSeconds(1));
        emulator.faults().watchLag(0);

        until(time, "web", () -> knows("web"));
        assertThat(services().stalls()).isEqualTo(1);
        assertThat(requests("list", "services")).isEqualTo(lists);
    }

    @Test
    void bookmarks_are_signs_of_life_and_advance_the_version() {
        start();
        long watches = requests("watch", "services");
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofMinutes(1));
            emulator.bookmark();
            var now = time.instant();
            until(
                    time,
                    "bookmark",
                    () -> watcher.statuses().stream()
                            .allMatch(status -> status.lastSign().orElseThrow().equals(now)));
        }

        assertThat(watcher.statuses())
                .allSatisfy(status -> assertThat(status.stalls()).isZero());
        assertThat(requests("watch", "services")).isEqualTo(watches);
    }

    private boolean advance() {
        time.advance(Duration.ofMillis(100));
        return false;
    }

    @Test
    void gone_as_an_event_leads_to_a_list_that_finds_what_was_deleted_in_the_gap() {
        goneLeadsToAList(false);
    }

    @Test
    void gone_as_an_http_status_leads_to_a_list_that_finds_what_was_deleted_in_the_gap() {
        goneLeadsToAList(true);
    }

    private void goneLeadsToAList(boolean asStatus) {
        put("old");
        start();
        emulator.faults().goneAsStatus(asStatus);
        emulator.stop();
        delete("old");
        put("new");
        emulator.compact();
        emulator.startAgain();

        until(time, "new", () -> knows("new") || advance());
        assertThat(knows("old")).isFalse();
        assertThat(services().lists()).isEqualTo(2);
    }

    @Test
    void an_api_server_that_restarts_costs_no_list_if_nothing_was_compacted() {
        put("web");
        start();
        emulator.stop();
        delete("web");
        emulator.startAgain();

        until(time, "web is gone", () -> !knows("web") || advance());
        assertThat(services().lists()).isEqualTo(1);
    }

    @Test
    void a_missing_permission_is_reported_and_recovers_automatically() {
        emulator.faults().deny(request -> request.resource().equals("services"));
        watcher.start();
        until(time, "refused", () -> services().lastError().isPresent());
        assertThat(watcher.hasSynced()).isFalse();

        emulator.faults().clear();

        until(time, "synced", () -> watcher.hasSynced() || advance());
        assertThat(services().lastError()).isEmpty();
    }

    @Test
    void an_unreachable_api_server_deletes_nothing() {
        put("web");
        start();

        emulator.faults().unreachable(true);
        time.advance(Duration.ofHours(3));

        assertThat(knows("web")).isTrue();
        assertThat(observed.calls()).noneMatch(call -> call.startsWith("deleted"));
    }

    @Test
    void changes_of_other_fields_are_not_reported() {
        put("web");
        start();
        long calls = observed.calls().size();

        cluster.put(Objects.service("shop", "web")
                .edit()
                .editMetadata()
                .addToLabels("a", "b")
                .endMetadata()
                .withNewStatus()
                .withNewLoadBalancer()
                .addNewIngress()
                .withIp("20.0.0.1")
                .endIngress()
                .endLoadBalancer()
                .endStatus()
                .build());
        put("last");

        until(time, "last", () -> knows("last"));
        assertThat(observed.calls()).hasSize((int) calls + 1);
    }

    private void annotate(String annotation, String value) {
        cluster.put(Objects.service("shop", "web")
                .edit()
                .editMetadata()
                .addToAnnotations(annotation, value)
                .endMetadata()
                .build());
    }

    private boolean isPaused() {
        return observed.find("Service shop/web")
                .map(ServiceState.class::cast)
                .orElseThrow()
                .paused();
    }

    @Test
    void pausing_and_resuming_a_service_by_annotation_is_reported() {
        put("web");
        start();
        assertThat(isPaused()).isFalse();

        annotate("poolkeeper.dev/paused", "true");
        until(time, "paused", this::isPaused);
        annotate("poolkeeper.dev/paused", "false");

        until(time, "not paused", () -> !isPaused());
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com/look-again", "kubectl.kubernetes.io/last-applied-configuration"})
    void an_annotation_change_is_reported_once(String annotation) {
        put("web");
        start();

        annotate(annotation, "1");
        annotate(annotation, "1");
        annotate(annotation, "2");
        put("last");

        until(time, "last", () -> knows("last"));
        assertThat(observed.calls().stream().filter("changed Service shop/web"::equals))
                .hasSize(3); // at the start, and for each value
    }

    @Test
    void an_object_that_a_listener_failed_on_is_reported_again() {
        AtomicInteger failures = new AtomicInteger(2);
        ClusterListener failing = (ClusterListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ClusterListener.class}, (proxy, method, args) -> {
                    if (method.getName().equals("serviceDeleted") && failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("not now");
                    }
                    return method.invoke(observed, args);
                });
        watcher = watcher(failing);
        put("web");
        start();

        delete("web");

        until(time, "web is gone", () -> !knows("web") || advance());
        assertThat(failures).hasValue(-1);
    }

    @Test
    void a_resync_finds_changes_that_a_watch_missed() {
        start();
        emulator.faults().watchLag(1_000_000);
        put("web");
        for (int i = 0; i < 70; i++) {
            emulator.bookmark();
            time.advance(Duration.ofMinutes(1));
        }

        until(time, "web", () -> knows("web"));
    }

    @Test
    void the_uid_of_a_service_is_known_for_its_events() {
        put("web");
        start();

        assertThat(watcher.uidOf(new ServiceName("shop", "web"))).isPresent();
        assertThat(watcher.uidOf(new ServiceName("shop", "api"))).isEmpty();
    }

    @Test
    void after_close_nothing_is_reported() {
        start();
        watcher.close();
        put("web");
        time.advance(Duration.ofHours(3));

        assertThat(knows("web")).isFalse();
        assertThat(watcher.statuses()).noneMatch(WatchStatus::watching);
        assertThat(observed.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"services", "endpointslices", "nodes"})
    void the_watcher_has_synced_once_every_kind_was_read(String missing) {
        emulator.faults().deny(request -> request.resource().equals(missing));
        watcher.start();
        until(
                time,
                "the others are read",
                () -> watcher.statuses().stream().filter(WatchStatus::synced).count() == 2
                        && watcher.statuses().stream()
                                        .filter(status -> status.lastError().isPresent())
                                        .count()
                                == 1);
        assertThat(watcher.hasSynced()).isFalse();
        emulator.faults().clear();
        until(time, "synced", () -> watcher.hasSynced() || advance());
    }

    @ParameterizedTest
    @CsvSource({"4999, false", "5000, true"})
    void a_watch_that_ends_within_five_seconds_is_opened_again_after_a_wait(long millis, boolean atOnce) {
        start();
        time.advance(Duration.ofMillis(millis));
        emulator.cutWatches();
        until(time, "ended", () -> services().lastError().isPresent() || requests("watch", "services") == 3);
        assertThat(services().lastError().isEmpty()).isEqualTo(atOnce);
        until(time, "opened again", () -> requests("watch", "services") == 3 || advance());
        assertThat(time.instant().equals(FakeTime.START.plusMillis(millis))).isEqualTo(atOnce);
    }

    @Test
    void without_a_resync_interval_everything_is_read_once() {
        WatchSettings never = new WatchSettings(
                4, Duration.ofMinutes(2), Duration.ZERO, Duration.ofMillis(800), Duration.ofSeconds(30));
        watcher = new ClusterWatcher(cluster.client(), never, time, observed);
        start();
        time.runDue();
        assertThat(services().lists()).isEqualTo(1);
        assertThat(services().lastSign()).contains(time.instant()); // of the end of the list: there is no object
    }

    @Test
    void after_close_nothing_is_scheduled() {
        start();
        watcher.close();
        assertThat(time.pending()).isZero();
    }
}

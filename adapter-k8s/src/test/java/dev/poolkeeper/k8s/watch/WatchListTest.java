package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.Objects;
import dev.poolkeeper.k8s.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches that start with all existing objects, and what happens if the server does not support them. */
class WatchListTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubeEmulator emulator = cluster.emulator();
    private final ObservedCluster observed = new ObservedCluster();
    private final ClusterWatcher watcher = new ClusterWatcher(cluster.client(), WatchSettings.DEFAULT, time, observed);

    @AfterEach
    void close() {
        watcher.close();
        cluster.close();
    }

    private void put(String name) {
        cluster.put(Objects.service("shop", name));
    }

    private boolean knows(String name) {
        return observed.find("Service shop/" + name).isPresent();
    }

    private void start() {
        watcher.start();
        until(time, "synced", watcher::hasSynced);
        until(time, "watches", () -> emulator.openWatches() == 3);
    }

    private long requests(String verb) {
        return emulator.requests().stream()
                .filter(request ->
                        request.verb().equals(verb) && request.resource().equals("services"))
                .count();
    }

    private WatchStatus services() {
        return watcher.statuses().stream()
                .filter(status -> status.kind().equals("Service"))
                .findFirst()
                .orElseThrow();
    }

    private boolean advance() {
        time.advance(Duration.ofMillis(100));
        return false;
    }

    @Test
    @Rule(
            id = "V1",
            says = "If the API server supports it, a watch starts with all existing objects, and no list is sent.",
            source = "Kubernetes, *API concepts*, streaming lists")
    void one_watch_lists_the_objects_and_then_follows_changes() {
        // given
        put("web");
        // when
        start();
        // then
        assertThat(knows("web")).isTrue();
        put("api");
        until(time, "api", () -> knows("api"));
        assertThat(requests("list")).isZero();
        assertThat(requests("watch")).isEqualTo(1);
        assertThat(services().lists()).isEqualTo(1);
    }

    @Test
    void deletions_during_a_gap_are_found_by_the_next_watch() {
        put("old");
        start();
        emulator.stop();
        emulator.delete("/api/v1/namespaces/shop/services/old");
        put("new");
        emulator.compact();
        emulator.startAgain();

        until(time, "new, and not old", () -> knows("new") && !knows("old") || advance());

        assertThat(requests("list")).isZero();
    }

    @Test
    void the_deletion_of_the_last_object_during_a_gap_is_found_by_the_next_watch() {
        put("old");
        start();
        emulator.stop();
        emulator.delete("/api/v1/namespaces/shop/services/old");
        emulator.compact();
        emulator.startAgain();

        until(time, "not old", () -> !knows("old") || advance());

        assertThat(requests("list")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 405, 422})
    @Rule(
            id = "V2",
            says = "If the API server refuses such a watch with a 4xx, or does not end its initial events within 30 s,"
                    + " the objects are listed in pages instead.",
            source = "ours")
    void where_a_streaming_list_is_refused_a_plain_list_follows_at_once(int status) {
        // given
        put("web");
        emulator.faults()
                .fail(
                        request -> request.verb().equals("watch")
                                && request.resource().equals("services"),
                        status,
                        1);
        // when
        start(); // without any wait
        // then
        assertThat(knows("web")).isTrue();
        assertThat(requests("list")).isEqualTo(1);
    }

    @Test
    void without_an_end_of_the_initial_events_a_plain_list_follows() {
        put("web");
        emulator.faults().silentWatches(true);
        watcher.start();
        until(time, "watches", () -> emulator.openWatches() == 3);
        time.advance(Duration.ofMillis(29_999));
        assertThat(requests("list")).isZero();

        time.advance(Duration.ofMillis(1));

        until(time, "synced", watcher::hasSynced);
        assertThat(knows("web")).isTrue();
    }

    @Test
    void a_watch_that_falls_silent_during_the_initial_events_is_followed_by_a_plain_list() {
        // given
        WatchSettings usual = WatchSettings.DEFAULT;
        WatchSettings impatient = new WatchSettings(
                usual.pageSize(),
                Duration.ofSeconds(10), // noticed before the end of the initial events is overdue
                usual.resyncInterval(),
                usual.firstBackoff(),
                usual.longestBackoff());
        put("web");
        emulator.faults().silentWatches(true);
        try (ClusterWatcher first = new ClusterWatcher(cluster.client(), impatient, time, observed)) {
            first.start();
            until(time, "watches", () -> emulator.openWatches() == 3);
            // when
            time.advance(Duration.ofSeconds(10));
            // then
            until(time, "synced", first::hasSynced);
            assertThat(knows("web")).isTrue();
            assertThat(requests("list")).isEqualTo(1);
        }
    }

    @Test
    void a_server_that_does_not_know_streaming_lists_is_not_asked_again() {
        emulator.faults().refuseWatchLists(true);
        start();
        long watches = requests("watch");

        time.advance(Duration.ofMinutes(40)); // with a resync
        until(time, "second list", () -> services().lists() == 2 && services().watching());

        assertThat(requests("list")).isEqualTo(2);
        assertThat(requests("watch")).isGreaterThan(watches);
    }

    @Test
    void a_watch_that_breaks_during_the_initial_events_deletes_nothing() {
        put("web");
        start();
        emulator.faults().silentWatches(true);
        time.advance(Duration.ofMinutes(33)); // the resync's watch reports nothing
        emulator.faults().unreachable(true);
        time.advance(Duration.ofHours(1));

        assertThat(knows("web")).isTrue();
        assertThat(observed.calls()).noneMatch(call -> call.startsWith("deleted"));
    }

    @Test
    @Rule(
            id = "V11",
            says = "The initial events of a watch may come from an outdated cache: none of them counts before the"
                    + " bookmark at their end, so that nothing returns to an older state.",
            source = "Kubernetes, *API concepts*, streaming lists")
    void a_lagging_api_server_does_not_bring_back_older_state() {
        // given
        InitialState<String> first = new InitialState<>();
        List<String> calls = new ArrayList<>();
        ReducedStore<String> store = new ReducedStore<>(new Told(calls::add));
        first.shown(metadata("a", 5), "a as of 5");
        first.moveTo(store);
        store.watched(metadata("b", 6), "b as of 6");
        store.removed(metadata("b", 7));
        calls.clear();
        // when
        InitialState<String> second = new InitialState<>();
        second.shown(metadata("a", 3), "a as of 3");
        second.shown(metadata("b", 6), "b as of 6");
        second.shown(metadata("a", 5), "a as of 5");
        second.deleted(metadata("b", 7));
        second.shown(metadata("c", 8), "c as of 8");
        assertThat(calls).isEmpty();
        second.moveTo(store);
        // then
        assertThat(calls).containsExactly("changed c as of 8");
    }

    private static ObjectMeta metadata(String name, int version) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withUid("uid-of-" + name)
                .withResourceVersion(Integer.toString(version))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"400, 2", "403, 1", "404, 1", "405, 1", "422, 2"})
    void only_a_server_that_does_not_know_streaming_lists_gets_plain_lists_from_then_on(int status, int lists) {
        emulator.faults()
                .fail(
                        request -> request.verb().equals("watch")
                                && request.resource().equals("services"),
                        status,
                        1);
        start();

        time.advance(WatchSettings.DEFAULT.resyncInterval()); // no longer: the initial events have 30 s
        until(time, "read again", () -> services().lists() == 2 && services().watching());

        assertThat(requests("list")).isEqualTo(lists);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void a_streaming_list_that_fails_without_being_refused_is_followed_by_a_wait(int status) {
        put("web");
        emulator.faults()
                .fail(
                        request -> request.verb().equals("watch")
                                && request.resource().equals("services"),
                        status,
                        1);
        watcher.start();
        until(time, "failed", () -> services().lastError().isPresent() || requests("list") > 0);
        assertThat(requests("list")).isZero();
        assertThat(services().lastError().orElseThrow()).contains("HTTP " + status);

        until(time, "web", () -> knows("web") || advance());
    }
}

package dev.poolkeeper.emulators.kube;

import static dev.poolkeeper.emulators.kube.KubeClient.SERVICES;
import static dev.poolkeeper.emulators.kube.KubeClient.next;
import static dev.poolkeeper.emulators.kube.KubeClient.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60) // a watch that says nothing shall fail, not hang
class WatchBookmarksTest {

    private final AtomicLong nanos = new AtomicLong(5_000_000_000L);

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension(KubeSettings.DEFAULT
            .withBookmarkInterval(Duration.ofMinutes(1))
            .withClock(InstantSource.system(), nanos::get));

    /** The clock moves on, and an event that nobody asked for makes the emulator look at it at once. */
    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        kube.emulator().faults().watchLag(0);
    }

    private BufferedReader watch(String query) throws Exception {
        BufferedReader lines = new KubeClient(kube.emulator()).watch(SERVICES + "?watch=true" + query);
        kube.emulator().apply(service("begin"));
        assertThat(next(lines).at("/object/metadata/name").asText()).isEqualTo("begin");
        return lines;
    }

    @Test
    void a_quiet_watch_is_told_the_version_once_an_interval() throws Exception {
        try (BufferedReader lines = watch("&allowWatchBookmarks=true")) {
            kube.emulator().createNamespace("elsewhere"); // moves the version on, but tells this watch nothing
            pass(Duration.ofSeconds(60));
            JsonNode first = next(lines);
            pass(Duration.ofSeconds(59));
            kube.emulator().apply(service("between"));
            JsonNode second = next(lines);
            pass(Duration.ofSeconds(1));
            JsonNode third = next(lines);

            assertThat(first.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(first.at("/object/kind").asText()).isEqualTo("Service");
            assertThat(second.path("type").asText()).isEqualTo("ADDED");
            assertThat(third.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(third.at("/object/metadata/resourceVersion"))
                    .isEqualTo(second.at("/object/metadata/resourceVersion"));
        }
    }

    @Test
    void who_does_not_ask_for_bookmarks_gets_none() throws Exception {
        try (BufferedReader lines = watch("")) {
            pass(Duration.ofMinutes(10));
            kube.emulator().apply(service("web"));

            assertThat(next(lines).path("type").asText()).isEqualTo("ADDED");
        }
    }

    @Test
    void a_silent_watch_has_no_bookmarks_either() throws Exception {
        try (BufferedReader lines = watch("&allowWatchBookmarks=true")) {
            kube.emulator().faults().silentWatches(true);
            pass(Duration.ofMinutes(10));
            kube.emulator().apply(service("web"));
            kube.emulator().cutWatches();

            assertThat(lines.readLine()).isNull();
        }
    }

    @Test
    void a_watch_ends_when_its_time_is_over() throws Exception {
        try (BufferedReader lines = watch("&timeoutSeconds=30")) {
            pass(Duration.ofSeconds(30));

            assertThat(lines.readLine()).isNull();
        }
    }

    @Test
    void a_watch_from_version_zero_first_tells_what_is_there() throws Exception {
        kube.emulator().apply(service("web"));
        KubeClient client = new KubeClient(kube.emulator());
        try (BufferedReader lines = client.watch(SERVICES + "?watch=true&resourceVersion=0")) {
            assertThat(next(lines).at("/object/metadata/name").asText()).isEqualTo("web");
        }
    }

    @Test
    void a_streaming_list_says_where_it_ends() throws Exception {
        kube.emulator().apply(service("web"));
        KubeClient client = new KubeClient(kube.emulator());
        try (BufferedReader lines = client.watch(SERVICES
                + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            assertThat(next(lines).path("type").asText()).isEqualTo("ADDED");
            assertThat(next(lines)
                            .at("/object/metadata/annotations/k8s.io~1initial-events-end")
                            .asText())
                    .isEqualTo("true");
        }
    }
}

package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.TestLog;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One daemon between the two emulators, from its configuration file to its pages. */
class DaemonTest {

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder);
        world.service("web", 1, 2);
        world.service("api", 3);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void pools_follow_the_cluster_and_services_get_events() throws Exception {
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            world.awaitPool("web", 1, 2);
            world.awaitPool("api", 3);

            world.endpoints("web", 2, 4, 5);
            world.awaitPool("web", 2, 4, 5);
            awaitEvent("web", "LoadBalancerBackendPoolUpdated", daemon);
            awaitEvent("api", "LoadBalancerBackendPoolUpdated", daemon);
        }
    }

    @Test
    void the_pages_show_the_daemons_status() throws Exception {
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            StatusPages pages = daemon.pages();
            world.awaitPool("web", 1, 2);
            daemon.awaitReady();
            Await.until(
                    "the metric counts the update",
                    daemon::logText,
                    () -> pages.metric("poolkeeper_last_successful_tick_timestamp_seconds") > 0);

            assertThat(pages.get("/livez").body()).isEqualTo("ok\n");
            assertThat(pages.get("/readyz?verbose").body()).contains("[+]cluster-synced", "[+]load-balancers-listed");
            HttpResponse<String> page = pages.get("/statusz");
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
            assertThat(page.body()).contains("shop-web");
            assertThat(pages.metric("poolkeeper_leader")).isEqualTo(1);
            assertThat(pages.metric("poolkeeper_pools")).isEqualTo(2);
            assertThat(pages.metric("poolkeeper_watch_synced")).isEqualTo(1);
            Await.until(
                    "the status tells of the pool",
                    daemon::logText,
                    () -> isSettled(poolStatus(pages, "shop-web"), "10.1.0.1", "10.1.0.2"));
        }
    }

    private static boolean isSettled(JsonNode pool, String... addresses) {
        return texts(pool.path("wanted")).equals(List.of(addresses))
                && texts(pool.at("/known/addresses")).equals(List.of(addresses))
                && pool.path("inStep").asBoolean();
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    private static JsonNode poolStatus(StatusPages pages, String pool) throws IOException, InterruptedException {
        return pages.status()
                .path("pools")
                .valueStream()
                .filter(one -> one.path("pool").asText().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Rule(
            id = "C40",
            says = "A running daemon pauses and resumes when `paused` changes in its file; changes are queued in the"
                    + " meantime.",
            source = "ours")
    @Rule(
            id = "C41",
            says = "A changed retry policy takes effect in a running daemon; an invalid one leaves the last good"
                    + " settings in force, and status, metric and log report it.",
            source = "ours")
    void settings_follow_their_file_while_it_is_valid() throws Exception {
        Path file = world.configuration("one", "paused: false\nretry:\n  attempts: 2");
        try (DaemonInProcess daemon = DaemonInProcess.start(file)) {
            StatusPages pages = daemon.pages();
            world.awaitPool("web", 1, 2);
            assertThat(retries(pages)).contains("attempts=2");

            replace(file, "paused: false", "paused: true", "attempts: 2", "attempts: 5");
            Await.until(
                    "paused, with a new policy",
                    daemon::logText,
                    () -> isPaused(pages) && retries(pages).contains("attempts=5"));
            world.endpoints("web", 6);
            Await.until(
                    "the change is known",
                    daemon::logText,
                    () -> texts(poolStatus(pages, "shop-web").path("wanted")).equals(List.of("10.1.0.6")));

            replace(file, "paused: true", "paused: false", "attempts: 5", "attempts: many");
            Await.until(
                    "the bad policy is reported",
                    daemon::logText,
                    () -> pages.status().at("/settings/faults/0").asText().contains("retry.attempts"));
            assertThat(retries(pages)).contains("attempts=5");
            assertThat(daemon.logText()).contains("the last valid settings stay in force", "retry.attempts");
            assertThat(isPaused(pages)).isTrue();
            assertThat(world.addresses("web")).isEqualTo(TestWorld.addresses(1, 2));
            Await.until(
                    "the metrics say so",
                    () -> pages.metric("poolkeeper_configuration_refused") == 1
                            && pages.metric("poolkeeper_paused") == 1);

            replace(file, "attempts: many", "attempts: 4");
            world.awaitPool("web", 6);
            Await.until(
                    "the metrics say so",
                    () -> pages.metric("poolkeeper_configuration_refused") == 0
                            && pages.metric("poolkeeper_paused") == 0);
        }
    }

    /** Every live key but those of retries, which are another test's. */
    @Test
    void the_brake_and_the_log_follow_the_file() throws Exception {
        world.endpoints("web", 1, 2, 3);
        Path file = world.configuration("one", """
            safetyBrake: {percent: 0, minAddresses: 0, holdInSeconds: 3600, agreed: none}
            logging: {level: info, loggers: {dev.poolkeeper.k8s: warn}}
            """);
        try (DaemonInProcess daemon = DaemonInProcess.start(file)) {
            world.awaitPool("web", 1, 2, 3);
            assertThat(level("dev.poolkeeper")).isEqualTo("INFO");
            assertThat(level("dev.poolkeeper.k8s")).isEqualTo("WARN");

            world.endpoints("web", 1, 2);
            Await.until("the removal is held", daemon::logText, () -> isBraked(daemon));
            replace(file, "percent: 0", "percent: 100");
            world.awaitPool("web", 1, 2);

            replace(file, "percent: 100", "percent: 0");
            awaitSettings("brakePercent=0", daemon);
            world.endpoints("web", 1);
            Await.until("the removal is held", daemon::logText, () -> isBraked(daemon));
            replace(file, "agreed: none", "agreed: all", "level: info", "level: error", "k8s: warn", "k8s: debug");
            world.awaitPool("web", 1);
            assertThat(level("dev.poolkeeper")).isEqualTo("ERROR");
            assertThat(level("dev.poolkeeper.k8s")).isEqualTo("DEBUG");
        }
    }

    private static String level(String logger) {
        return TestLog.context().getLogger(logger).getEffectiveLevel().toString();
    }

    private static boolean isBraked(DaemonInProcess daemon) throws IOException, InterruptedException {
        return !daemon.pages().status().at("/engine/holds/braked").isEmpty();
    }

    private static void awaitSettings(String text, DaemonInProcess daemon) {
        Await.until(
                "the settings are " + text,
                daemon::logText,
                () -> daemon.log().stream()
                        .filter(line -> line.contains("Settings changed"))
                        .toList()
                        .getLast()
                        .contains(text));
    }

    private static boolean isPaused(StatusPages pages) throws IOException, InterruptedException {
        return pages.status().at("/engine/holds/paused").asBoolean();
    }

    private static String retries(StatusPages pages) throws IOException, InterruptedException {
        return pages.status().at("/settings/live/retries").asText();
    }

    /** In one step, as a mounted volume changes. */
    private static void replace(Path file, String... textsAndNewOnes) throws IOException {
        String content = Files.readString(file);
        for (int at = 0; at < textsAndNewOnes.length; at += 2) {
            content = content.replace(textsAndNewOnes[at], textsAndNewOnes[at + 1]);
        }
        Path next = Files.writeString(file.resolveSibling("next"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void awaitEvent(String service, String reason, DaemonInProcess daemon) {
        Await.until(
                "an Event %s of %s".formatted(reason, service),
                daemon::logText,
                () -> KubeObjects.eventsOf(world.kube, TestWorld.NAMESPACE, service).stream()
                        .anyMatch(event -> event.path("reason").asText().equals(reason)));
    }
}

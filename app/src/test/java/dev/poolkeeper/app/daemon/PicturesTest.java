package dev.poolkeeper.app.daemon;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.app.Chromium;
import dev.poolkeeper.fake.cloud.FaultRule;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of the status page in {@code docs/pictures}, each of a daemon in that state. Created by
 * {@code docs/pictures/make.sh}; skipped otherwise, and without Chromium.
 */
class PicturesTest {

    private static final Path PICTURES = Path.of("..", "docs", "pictures");
    private static final String WIDE = "--window-size=1000,760";
    private static final String LIGHT = "--blink-settings=preferredColorScheme=1";
    private static final String DARK = "--blink-settings=preferredColorScheme=0";

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Boolean.getBoolean("docs.pictures"), "docs/pictures/make.sh makes the pictures");
        world = new TestWorld(folder);
        world.service("api", 3);
        world.service("cart", 1, 4);
        world.service("checkout", 2, 5, 6);
        world.service("web", 1, 2);
    }

    @AfterEach
    void stop() {
        if (world != null) {
            world.close();
        }
    }

    private DaemonInProcess settled() throws Exception {
        DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""));
        awaitPage(daemon, "4 of 4 pools in step");
        return daemon;
    }

    private static void awaitPage(DaemonInProcess daemon, String text) {
        Await.until(
                "the page says " + text,
                daemon::logText,
                () -> daemon.pages().get("/statusz").body().contains(text));
    }

    private void take(DaemonInProcess daemon, String name, String... options) throws Exception {
        Chromium.picture(
                URI.create("http://" + daemon.pages().address() + "/"),
                folder,
                PICTURES.resolve(name + ".png"),
                options);
    }

    @Test
    void everything_in_step() throws Exception {
        try (DaemonInProcess daemon = settled()) {
            take(daemon, "status-light", WIDE, LIGHT);
            take(daemon, "status-dark", WIDE, DARK);
        }
    }

    @Test
    void the_safety_brake_holds() throws Exception {
        try (DaemonInProcess daemon = settled()) {
            for (int node = 1; node <= 6; node++) {
                world.exclude(node);
            }
            awaitPage(daemon, "The safety brake holds a removal");
            take(daemon, "status-braked", WIDE, LIGHT);
            take(daemon, "status-narrow", "--window-size=400,1100", DARK);
        }
    }

    @Test
    void throttled_by_azure() throws Exception {
        try (DaemonInProcess daemon = settled()) {
            world.arm
                    .faults()
                    .add(FaultRule.always(429)
                            .forMethod("PUT")
                            .code("TooManyRequests")
                            .retryAfter(Duration.ofMinutes(5)));
            world.endpoints("web", 2, 4);
            awaitPage(daemon, "Azure asked to wait");
            take(daemon, "status-throttled", WIDE, LIGHT);
        }
    }

    @Test
    void lock_held_by_a_dead_writer() throws Exception {
        try (DaemonInProcess daemon = settled()) {
            world.holdLock("cloud-controller-manager-7d9f", Instant.now().minus(5, ChronoUnit.MINUTES));
            world.endpoints("web", 2, 4);
            awaitPage(daemon, "The resource lock is held by cloud-controller-manager");
            take(daemon, "status-lock-held", WIDE, LIGHT);
        }
    }

    @Test
    void api_server_unreachable() throws Exception {
        try (DaemonInProcess daemon = settled()) {
            world.kube.faults().unreachable(true);
            awaitPage(daemon, "No watch on the API server is open");
            take(daemon, "status-no-api-server", WIDE, LIGHT);
        }
    }
}

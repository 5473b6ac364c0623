package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmOperation;
import dev.poolkeeper.emulators.arm.ArmSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that is asked to stop while a write is in progress. */
class StoppingTest {

    private static final Duration OPERATION = Duration.ofSeconds(3);
    private static final int SIGTERM = 128 + 15;

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder, ArmSettings.DEFAULT.withOperationDuration(OPERATION));
        world.service("web", 1, 2);
        world.service("api", 3);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private DaemonProcess startedUntilItWrites(String keys) throws IOException {
        DaemonProcess daemon = DaemonProcess.start(
                folder, "one", "--config", world.configuration("one", keys).toString());
        Await.until("a write is in progress", daemon::log, () -> !world.writes().isEmpty());
        return daemon;
    }

    private List<ArmOperation> running() {
        return world.arm.operations().stream()
                .filter(operation -> operation.status().equals("InProgress"))
                .toList();
    }

    @Test
    @Rule(
            id = "C48",
            says = "On SIGTERM a write that ARM accepted is polled to its end within the grace period; no other group"
                    + " starts, nothing is reported or requeued, and both Leases are released.",
            source = "Design document, *Cancellation And Shutdown*")
    void an_accepted_write_is_awaited_on_shutdown() throws Exception {
        try (DaemonProcess daemon = startedUntilItWrites("")) {
            daemon.terminate();

            assertThat(daemon.exitCode()).as(daemon.log()).isEqualTo(SIGTERM);
            assertThat(running()).as("operations that were not waited for").isEmpty();
            assertThat(world.writes()).as("the other group never started").hasSize(1);
            assertThat(KubeObjects.holder(world.kube, "poolkeeper-leader")).isEmpty();
            assertThat(KubeObjects.holder(world.kube, "aks-managed-resource-locker"))
                    .isEmpty();
            assertThat(KubeObjects.eventsOf(world.kube, TestWorld.NAMESPACE, "web"))
                    .isEmpty();
            assertThat(KubeObjects.eventsOf(world.kube, TestWorld.NAMESPACE, "api"))
                    .isEmpty();
            assertThat(daemon.log()).contains("Stopped clean=\"true\"");
        }
        world.arm.clearRequests();
        try (DaemonProcess unused = startedUntilItWrites("")) {
            world.awaitPool("web", 1, 2);
            world.awaitPool("api", 3);
        }
    }

    @Test
    @Rule(
            id = "C49",
            says = "A grace period that is shorter than a write still ends the daemon.",
            source = "Design document, *Cancellation And Shutdown*")
    void a_short_grace_period_ends_the_daemon_before_the_write_is_done() throws Exception {
        world.arm.change(settings -> settings.withOperationDuration(Duration.ofMinutes(10)));
        try (DaemonProcess daemon = startedUntilItWrites("shutdownGraceInSeconds: 1")) {
            daemon.terminate();

            assertThat(daemon.exitCode()).as(daemon.log()).isEqualTo(SIGTERM);
            assertThat(running()).hasSize(1);
            assertThat(world.writes()).hasSize(1);
            assertThat(KubeObjects.eventsOf(world.kube, TestWorld.NAMESPACE, "web"))
                    .isEmpty();
        }
    }
}

package dev.poolkeeper.lab.sandbox;

import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.emulators.kube.RecordingFeed;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The daemon's environment on loopback: the ARM emulator, the API server emulator, and a recording that is played into
 * it in a loop, at recorded speed.
 */
public final class Sandbox implements AutoCloseable {

    /** The duration of a write operation; a fifth of Azure's shortest, so that progress is visible. */
    private static final Duration OPERATION = Duration.ofSeconds(1);

    /** The pause between two plays of the recording. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    /** Nodes are large, and the sandbox should run for hours in little memory. */
    private static final int HISTORY = 200;

    private static final String NAMESPACE = "kube-system";

    /** Without a token, kubectl asks for a user name. */
    private static final String TOKEN = "no-secret-to-anybody";

    private final Path folder;
    private final ArmEmulator arm;
    private final KubeEmulator kube;
    private final Thread player;

    private Sandbox(Path folder, ArmEmulator arm, KubeEmulator kube, Recording recording) {
        this.folder = folder;
        this.arm = arm;
        this.kube = kube;
        this.player = Thread.ofVirtual().name("sandbox-recording").unstarted(() -> play(recording));
    }

    /**
     * Starts both emulators; the recording is not played before {@link #play}.
     *
     * @throws IOException if no loopback port is available
     */
    public static Sandbox start(Recording recording, Inventory inventory, Faults faults) throws IOException {
        Path folder = temporary(Files.createTempDirectory("poolkeeper-sandbox-"));
        Deque<Runnable> undo = new ArrayDeque<>(List.of(() -> delete(folder)));
        try {
            ArmEmulator arm =
                    ArmEmulator.start(inventory, faults, ArmSettings.DEFAULT.withOperationDuration(OPERATION));
            undo.push(arm::close);
            KubeEmulator kube = KubeEmulator.start(
                    KubeSettings.LIFELIKE.withToken(TOKEN, "sandbox").withHistory(HISTORY));
            undo.push(kube::close);
            kube.createNamespace(NAMESPACE);
            Sandbox sandbox = new Sandbox(folder, arm, kube, recording);
            arm.writeCaCertificate(temporary(folder.resolve("arm-ca.pem")));
            Files.writeString(temporary(sandbox.kubeconfig()), kube.kubeconfig());
            Files.writeString(temporary(sandbox.configuration()), sandbox.configurationText());
            return sandbox;
        } catch (IOException | RuntimeException e) {
            undo.forEach(Runnable::run);
            throw e;
        }
    }

    /** Also deletes it when the process is asked to end before anything is closed; the folder, marked first, last. */
    private static Path temporary(Path path) {
        path.toFile().deleteOnExit();
        return path;
    }

    private String configurationText() {
        return """
            # the configuration of the sandbox, like that of a real cluster
            resourceManagerEndpoint: %1$s
            authorityHost: %1$s
            caFile: arm-ca.pem
            subscriptionId: %2$s
            resourceGroup: %3$s
            multipleStandardLoadBalancerConfigurations: %5$s
            tenantId: 00000000-0000-0000-0000-0000000000aa
            aadClientId: 00000000-0000-0000-0000-0000000000bb
            aadClientSecret: no-secret-to-anybody
            kubeconfig: kubeconfig
            loadBalancerBackendPoolUpdateIntervalInSeconds: 5
            safetyBrake:
              percent: 99 # with so few addresses, most may change at once; emptying every pool is still held
            leaderElection:
              leaseNamespace: %4$s
            admin:
              port: 0 # any free port
            """.formatted(arm.baseUri(), arm.subscription(), arm.resourceGroup(), NAMESPACE, names());
    }

    /** The load balancers that have pools, in YAML's flow style. */
    private String names() {
        return arm.cloud().poolKeys().stream()
                .map(pool -> "{name: \"%s\"}".formatted(pool.loadBalancer()))
                .distinct()
                .collect(Collectors.joining(", ", "[", "]"));
    }

    /** The daemon's configuration file. */
    public Path configuration() {
        return folder.resolve("poolkeeper.yaml");
    }

    /** The kubeconfig of the API server emulator. */
    public Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** Addresses and suggestions for the user, one line each. */
    public List<String> lines() {
        String kubectl = "kubectl --kubeconfig " + kubeconfig();
        return List.of(
                "API server:    " + kube.uri() + "  (" + kubectl + " get services -A)",
                "ARM:           " + arm.baseUri() + "  (CA " + folder.resolve("arm-ca.pem") + ")",
                "configuration: " + configuration(),
                "Three things to try while the status page is open:",
                "  " + kubectl + " get events -A --watch",
                "    every update and every retry, as the Services' owners see them",
                "  " + kubectl + " annotate services -A --all poolkeeper.dev/paused=true",
                "    nothing is written until poolkeeper.dev/paused- removes the annotation",
                "  " + kubectl + " label nodes --all --overwrite"
                        + " node.kubernetes.io/exclude-from-external-load-balancers=",
                "    every pool would be emptied: the safety brake holds the removal and reports it");
    }

    /** Starts to play the recording in a loop. */
    public void play() {
        player.start();
    }

    private void play(Recording recording) {
        try {
            while (true) {
                playOnce(recording);
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void playOnce(Recording recording) throws IOException, InterruptedException {
        long began = System.nanoTime();
        try (RecordingFeed feed = new RecordingFeed(kube.api(), recording.bytes())) {
            for (long offset = feed.nextOffsetMillis(); offset >= 0; offset = feed.nextOffsetMillis()) {
                long left = offset - (System.nanoTime() - began) / 1_000_000;
                if (left > 0) {
                    Thread.sleep(Duration.ofMillis(left));
                }
                feed.playNext();
            }
        }
    }

    @Override
    public synchronized void close() {
        player.interrupt();
        kube.close();
        arm.close();
        delete(folder);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            // already deleted
        }
    }
}

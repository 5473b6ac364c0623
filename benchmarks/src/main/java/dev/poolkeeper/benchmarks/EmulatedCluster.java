package dev.poolkeeper.benchmarks;

import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.RecordingFeed;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.load.InventoryWriter;
import dev.poolkeeper.fake.load.LoadGenerator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.fake.load.RecordingWriter;
import dev.poolkeeper.input.BadInputException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Both emulators with a generated cluster, whose pools are still empty, and the files that a daemon needs to use them.
 *
 * @param kube the API server
 * @param arm Azure Resource Manager
 * @param folder contains the generated files
 */
record EmulatedCluster(KubeEmulator kube, ArmEmulator arm, Path folder) implements AutoCloseable {

    static EmulatedCluster start(LoadShape shape, Path folder) throws IOException, BadInputException {
        Files.createDirectories(folder);
        KubeEmulator kube = KubeEmulator.start();
        kube.createNamespace("kube-system");
        Path recording = folder.resolve("start.jsonl");
        try (RecordingWriter writer = new RecordingWriter(new BufferedOutputStream(Files.newOutputStream(recording)))) {
            new LoadGenerator(shape, writer).start();
        }
        try (RecordingFeed feed = new RecordingFeed(kube.api(), Files.newInputStream(recording))) {
            while (feed.playNext()) {
                // continue with the next file
            }
        }
        Files.writeString(folder.resolve("kubeconfig"), kube.kubeconfig());

        Path inventory = folder.resolve("inventory.json");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(inventory))) {
            InventoryWriter.write(shape, out);
        }
        ArmEmulator arm = ArmEmulator.start(Inventory.read(inventory), Faults.NONE, ArmSettings.DEFAULT);
        arm.writeCaCertificate(folder.resolve("ca.pem"));
        return new EmulatedCluster(kube, arm, folder);
    }

    /**
     * Writes the daemon's configuration.
     *
     * @param keys further lines
     */
    Path configuration(String keys) throws IOException {
        return Files.writeString(folder.resolve("poolkeeper.yaml"), """
            resourceManagerEndpoint: %1$s
            authorityHost: %1$s
            caFile: ca.pem
            subscriptionId: %2$s
            resourceGroup: %3$s
            tenantId: 00000000-0000-0000-0000-0000000000aa
            aadClientId: 00000000-0000-0000-0000-0000000000bb
            aadClientSecret: no-secret-to-anybody
            kubeconfig: kubeconfig
            admin: {port: %4$d}
            %5$s
            """.formatted(
                        arm.baseUri(), arm.subscription(), arm.resourceGroup(), StartedDaemon.PORT, keys));
    }

    @Override
    public void close() {
        arm.close();
        kube.close();
    }
}

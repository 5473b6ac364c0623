package dev.poolkeeper.app.azure;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** An ARM emulator and a configuration file with its address. */
final class ConfiguredArm implements AutoCloseable {

    static final String SECRET = "the-clients-own-4711";

    final ArmEmulator emulator;
    private final Path folder;

    ConfiguredArm(Path folder, ArmSettings settings) throws IOException {
        this.folder = folder;
        this.emulator = ArmEmulator.start(Inventory.EMPTY, Faults.NONE, settings);
        emulator.writeCaCertificate(folder.resolve("ca.pem"));
    }

    /** A file with these keys and the emulator's address. */
    Path file(String authority, String credential) throws IOException {
        return Files.writeString(folder.resolve("azure.json"), """
            {
              "resourceManagerEndpoint": "%s",
              "authorityHost": "%s",
              "caFile": "ca.pem",
              "tenantId": "00000000-0000-0000-0000-0000000000aa",
              "aadClientId": "00000000-0000-0000-0000-0000000000bb",
              %s,
              "subscriptionId": "%s",
              "resourceGroup": "%s"
            }
            """.formatted(
                        emulator.baseUri(), authority, credential, emulator.subscription(), emulator.resourceGroup()));
    }

    Path fileWithSecret() throws IOException {
        return file(emulator.baseUri().toString(), "\"aadClientSecret\": \"" + SECRET + "\"");
    }

    static AzureConfiguration read(Path file) throws BadInputException {
        return requireNonNull(ConfigurationReader.read(file, Map.of()).azure());
    }

    @Override
    public void close() {
        emulator.close();
    }
}

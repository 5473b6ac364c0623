package dev.poolkeeper.benchmarks;

import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The real Azure SDK, over TLS on loopback, with an emulator of ARM. */
final class EmulatedAzure implements AutoCloseable {

    private final ArmEmulator arm;
    private final AzurePools pools;
    private final SystemTime time;

    private EmulatedAzure(ArmEmulator arm, AzurePools pools, SystemTime time) {
        this.arm = arm;
        this.pools = pools;
        this.time = time;
    }

    /**
     * @param cloud the load balancers and pools
     * @param writes the duration of a write operation
     */
    static EmulatedAzure start(FakeCloud cloud, Duration writes, PollSettings polls) throws IOException {
        ArmEmulator arm = ArmEmulator.start(
                cloud, ArmSettings.DEFAULT.withOperationDuration(writes).withRequestLogSize(1));
        Path ca = Files.createTempFile("benchmark-ca-", ".pem");
        arm.writeCaCertificate(ca);
        HttpClient http = ArmHttp.clientTrusting(ca);
        Files.delete(ca);
        SystemTime time = new SystemTime();
        AzureCloud azure = AzureCloud.at(arm.baseUri(), arm.baseUri());
        AzurePools pools = AzurePools.builder(
                        AzureSettings.of(azure, AzureScope.of(arm.subscription(), arm.resourceGroup()))
                                .withPolls(polls),
                        AzureCredentials.of(AzureIdentitySettings.ofSecret("tenant", "client", "secret"), azure, http),
                        http,
                        time)
                .build();
        return new EmulatedAzure(arm, pools, time);
    }

    AzurePools pools() {
        return pools;
    }

    @Override
    public void close() {
        arm.close();
        time.close();
    }
}

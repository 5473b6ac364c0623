package dev.poolkeeper.app.azure;

import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.contract.BackendPoolsContract;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.SystemTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Pools created only from a configuration file pass the contract against the emulator. */
class ConfiguredAzureContractTest implements BackendPoolsContract {

    @TempDir
    private Path folder;

    private ConfiguredArm arm;
    private AzurePools pools;
    private final SystemTime time = new SystemTime();

    @BeforeEach
    void start() throws Exception {
        arm = new ConfiguredArm(folder, ArmSettings.DEFAULT.withOnlyIssuedTokens(true));
        pools = ConfiguredArm.read(arm.fileWithSecret()).pools(time).build();
    }

    @AfterEach
    void stop() {
        arm.close();
        time.close();
    }

    @Override
    public BackendPools pools() {
        return pools;
    }

    @Override
    public PoolDirectory directory() {
        return pools;
    }

    @Override
    public void given(PoolKey pool, AddressSet addresses) {
        arm.emulator.cloud().putPool(pool, addresses);
    }

    @Override
    public void givenNo(PoolKey pool) {
        arm.emulator.cloud().deletePool(pool);
    }
}

package dev.poolkeeper.app.azure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.SystemTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file as the cloud provider uses it for custom clouds: with only the resource manager's endpoint. */
class DiscoveredAuthorityTest {

    private static final PoolKey POOL = PoolKey.of("lb", "shop-web");

    @TempDir
    private Path folder;

    @Test
    void a_token_is_requested_from_the_authority_that_the_emulator_names() throws Exception {
        try (ConfiguredArm arm = new ConfiguredArm(folder, ArmSettings.DEFAULT.withOnlyIssuedTokens(true));
                SystemTime time = new SystemTime()) {
            arm.emulator.cloud().putPool(POOL, AddressSet.of("10.0.0.4"));
            Path file = arm.file("", "\"aadClientSecret\": \"" + ConfiguredArm.SECRET + "\"");

            AzurePools pools = ConfiguredArm.read(file).pools(time).build();

            assertThat(pools.read(POOL))
                    .isInstanceOfSatisfying(
                            Reply.Ok.class,
                            ok -> assertThat(((BackendPool) ok.value()).addresses())
                                    .isEqualTo(AddressSet.of("10.0.0.4")));
        }
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmEmulatorExtension;
import dev.poolkeeper.emulators.arm.ArmRole;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Missing permissions are distinguished from other failures. */
class ForbiddenTest {

    private static final PoolKey WEB = PoolKey.of("lb-2", "shop-web");

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(EmulatedCluster.inventory("lb-2", "lb-3"));

    @TempDir
    Path folder;

    private ArmEmulator arm;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        arm = extension.emulator();
        pools = new EmulatedCluster(arm, folder, new FakeTime()).pools(LoadBalancerSelection.all());
    }

    private static void assertForbidden(Reply<?> reply) {
        assertThat(failure(reply)).isInstanceOfSatisfying(Failure.HttpError.class, error -> {
            assertThat(error.status()).isEqualTo(403);
            assertThat(error.describe()).startsWith("HTTP 403 AuthorizationFailed");
        });
    }

    @Test
    @Rule(
            id = "A22",
            says = "A 403 to a read, a write or a listing is an HTTP error of status 403, and never an empty list.",
            source = "ours")
    void a_403_is_recognised_in_every_response() {
        // given
        BackendPool pool = ok(pools.read(WEB));
        // when
        arm.change(settings -> settings.withRole(ArmRole.of("Microsoft.Compute/*")));
        // then
        assertForbidden(pools.read(WEB));
        assertForbidden(pools.write(pool, AddressSet.of("10.0.0.9")));
        assertForbidden(pools.list());
    }

    @Test
    void one_load_balancer_that_answers_403_leaves_the_others_alone() {
        // given
        arm.faults().add(FaultRule.always(403).forLoadBalancer("lb-2").code("AuthorizationFailed"));
        // when, then
        assertForbidden(pools.read(WEB));
        ok(pools.write(ok(pools.read(PoolKey.of("lb-3", "shop-web"))), AddressSet.of("10.0.0.9")));
        assertThat(pools.gates()).isEqualTo(new GateStatus(null, null, Map.of()));
    }
}

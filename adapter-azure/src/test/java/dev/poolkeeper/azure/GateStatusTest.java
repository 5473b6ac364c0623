package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GateStatusTest {

    private static final GateStatus OPEN = new GateStatus(null, null, Map.of());

    private ArmHarness harness;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        pools = harness.pools();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private Instant in(int seconds) {
        return harness.time.instant().plusSeconds(seconds);
    }

    @Test
    void a_429_on_a_read_is_shown_at_the_read_gate_until_it_opens() {
        // given
        assertThat(pools.gates()).isEqualTo(OPEN);
        harness.arm.then(429, Bodies.error("TooManyRequests", ""), "Retry-After", "30");
        // when
        failure(pools.read(SHOP_WEB));
        // then
        assertThat(pools.gates()).isEqualTo(new GateStatus(in(30), null, Map.of()));
        harness.time.advance(ofSeconds(30));
        assertThat(pools.gates()).isEqualTo(OPEN);
    }

    @Test
    void a_429_on_a_write_is_shown_at_the_write_gate() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(429, Bodies.error("TooManyRequests", ""), "Retry-After", "30");
        // when
        failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(pools.gates()).isEqualTo(new GateStatus(null, in(30), Map.of()));
    }

    @Test
    void a_load_balancer_busy_with_another_operation_is_shown_by_name() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(429, Bodies.error("RetryableErrorDueToAnotherOperation", ""), "Retry-After", "14");
        // when
        failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(pools.gates()).isEqualTo(new GateStatus(null, null, Map.of(SHOP_WEB.loadBalancer(), in(14))));
        harness.time.advance(ofSeconds(14));
        assertThat(pools.gates()).isEqualTo(OPEN);
    }

    @Test
    void no_update_can_be_sent_while_a_gate_on_its_way_is_shut() {
        // given
        ArmName another = ArmName.of("another");
        BackendPool pool = harness.read(pools, Bodies.pool());
        assertThat(pools.quota().shutUntil(SHOP_WEB.loadBalancer())).isEmpty();
        // when
        harness.arm.then(429, Bodies.error("RetryableErrorDueToAnotherOperation", ""), "Retry-After", "40");
        failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(pools.quota().shutUntil(SHOP_WEB.loadBalancer())).contains(in(40));
        assertThat(pools.quota().shutUntil(another)).isEmpty();
        // when
        harness.arm.then(429, Bodies.error("TooManyRequests", ""), "Retry-After", "30");
        failure(pools.read(PoolKey.of("another", "shop-web")));
        // then
        assertThat(pools.quota().shutUntil(another)).contains(in(30));
        assertThat(pools.quota().shutUntil(null)).contains(in(30));
        assertThat(pools.quota().shutUntil(SHOP_WEB.loadBalancer()))
                .as("the last of them to open")
                .contains(in(40));
        harness.time.advance(ofSeconds(40));
        assertThat(pools.quota().shutUntil(SHOP_WEB.loadBalancer())).isEmpty();
    }

    @Test
    void an_exhausted_client_side_limit_is_shown_without_consuming_it() {
        // given
        harness.settings = harness.settings.withLimits(new RateLimit(0.1, 1), null);
        pools = harness.pools();
        for (int i = 0; i < 5; i++) {
            assertThat(pools.gates()).isEqualTo(OPEN);
        }
        // when
        harness.read(pools, Bodies.pool());
        // then
        assertThat(pools.gates().readsShutUntil()).isEqualTo(in(10));
        assertThat(pools.quota().shutUntil(null)).isEmpty();
    }
}

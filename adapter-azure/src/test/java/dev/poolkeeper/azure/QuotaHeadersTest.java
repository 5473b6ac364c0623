package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.WriteQuota.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuotaHeadersTest {

    private static final String READS = "x-ms-ratelimit-remaining-subscription-reads";

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

    @Test
    void the_remaining_quota_is_read_from_a_response() {
        harness.arm.then(200, Bodies.pool(), READS, "37");

        assertThat(pools.read(SHOP_WEB)).isNotNull();

        assertThat(pools.quota().level()).isEqualTo(Level.SCARCE);
        assertThat(pools.quota().status().reads()).hasValue(37L);
    }

    @Test
    void the_remaining_quota_is_read_from_a_failure() {
        harness.arm.then(404, Bodies.error("NotFound", ""), READS, "0");

        failure(pools.read(SHOP_WEB));

        assertThat(pools.quota().level()).isEqualTo(Level.NONE);
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTest {

    private ArmHarness harness;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.retries = ArmHarness.retrying(3, Duration.ofSeconds(1), 503);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static String page(String nextLink, String loadBalancer, String... pools) {
        return "{\"value\": [{\"name\": \"%s\", \"properties\": {\"backendAddressPools\": [%s]}}]%s}"
                .formatted(
                        loadBalancer,
                        String.join(",", pools),
                        nextLink.isEmpty() ? "" : ", \"nextLink\": \"" + nextLink + "\"");
    }

    private String next(int page) {
        return harness.arm.address() + "/subscriptions/s/more?api-version=1&page=" + page;
    }

    @Test
    void a_listing_follows_its_pages_and_retries_only_the_failed_page() {
        // given
        harness.arm
                .then(200, page(next(2), "lb-2", Bodies.pool("10.0.0.4")))
                .then(503, "")
                .then(200, page(next(3), "lb-3"))
                .then(200, page("", "lb-2", Bodies.pool("10.0.0.5").replace("shop-web", "shop-api")));
        // when
        var pools = ok(harness.pools().list());
        // then
        assertThat(pools).extracting(pool -> pool.key().toString()).containsExactly("lb-2/shop-web", "lb-2/shop-api");
        assertThat(pools).extracting(BackendPool::addresses).contains(AddressSet.of("10.0.0.4"));
        assertThat(harness.arm.asked())
                .extracting(ScriptedArm.Asked::query)
                .filteredOn(q -> q.contains("page=2"))
                .hasSize(2);
        assertThat(harness.arm.asked()).hasSize(4);
        assertThat(harness.arm.asked().getFirst().path())
                .isEqualTo("/subscriptions/" + Bodies.SUBSCRIPTION + "/resourceGroups/" + Bodies.GROUP
                        + "/providers/Microsoft.Network/loadBalancers");
    }

    @Test
    void an_incomplete_listing_is_a_failure() {
        // given
        harness.arm.then(200, page(next(2), "lb-2", Bodies.pool("10.0.0.4"))).then(403, "");
        // when, then
        assertThat(failure(harness.pools().list())).isInstanceOf(Failure.HttpError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"value\": null}",
                "{\"value\": {}}",
                "{\"value\": [null]}",
                "{\"value\": [{\"name\": \"lb\"}]}",
                "{\"value\": [{\"name\": \"lb\", \"properties\": {}}]}",
                "{\"value\": [{\"properties\": {\"backendAddressPools\": []}}]}",
                "{\"value\": [{\"name\": \"lb\", \"properties\": {\"backendAddressPools\": [{}]}}]}",
                "{\"value\": [], \"nextLink\": 7}",
                "{\"value\": [], \"nextLink\": \"https://127.0.0.1:1/elsewhere\"}",
                "{\"value\": [], \"nextLink\": \"not an address\"}"
            })
    void a_malformed_page_is_a_failure(String body) {
        // given
        harness.arm.then(200, body);
        // when, then
        assertThat(failure(harness.pools().list())).isInstanceOf(Failure.Other.class);
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    void a_circle_of_pages_ends_in_a_failure() {
        // given
        harness.arm.otherwise(asked -> ScriptedArm.answer(200, page(next(2), "lb-2")));
        // when, then
        assertThat(failure(harness.pools().list()).describe()).contains("cycle");
    }

    @Test
    @Rule(
            id = "A44",
            says = "A list that does not end within 1,000 pages and 256 MiB is a failure, so that it cannot exhaust the"
                    + " memory.",
            source = "ours")
    void a_list_without_end_is_a_failure() {
        // given
        AtomicInteger pages = new AtomicInteger();
        harness.arm.otherwise(asked -> ScriptedArm.answer(
                200, "{\"value\": [], \"nextLink\": \"%s\"}".formatted(next(pages.incrementAndGet()))));
        // when, then
        assertThat(failure(harness.pools().list()).describe()).contains("it has more than 1000 pages");
        assertThat(pages).hasValue(1000);
    }

    @Test
    void a_list_of_large_pages_is_a_failure() {
        // given
        AtomicInteger pages = new AtomicInteger();
        byte[] filler = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        harness.arm.otherwise(asked -> exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            body.write("{\"filler\": \"".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 15; i++) {
                body.write(filler);
            }
            body.write("\", \"value\": [], \"nextLink\": \"%s\"}"
                    .formatted(next(pages.incrementAndGet()))
                    .getBytes(StandardCharsets.UTF_8));
        });
        // when, then
        assertThat(failure(harness.pools().list()).describe()).contains("larger than the limit of 256 MiB");
        assertThat(pages).hasValue(18);
    }

    @Test
    void a_listed_pool_cannot_be_written() {
        // given
        AzurePools pools = harness.pools();
        harness.arm.then(200, page("", "lb-2", Bodies.pool("10.0.0.4")));
        BackendPool listed = ok(pools.list()).getFirst();
        // when, then
        assertThat(failure(pools.write(listed, AddressSet.empty())).describe())
                .contains("was not read by this adapter");
        assertThat(harness.arm.asked()).hasSize(1);
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AzurePoolsReadTest {

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
    void a_read_returns_addresses_and_etag_in_azures_spelling() {
        // when
        BackendPool pool = harness.read(pools, Bodies.everything());
        // then
        assertThat(pool.addresses()).isEqualTo(AddressSet.of("10.0.0.4", "10.0.0.5", "fd12::5"));
        assertThat(pool.addresses().toString()).contains("FD12:0::5");
        assertThat(pool.etag()).isEqualTo(Bodies.ETAG_VALUE);
        assertThat(harness.arm.asked()).singleElement().satisfies(asked -> {
            assertThat(asked.path()).isEqualTo(Bodies.poolPath("lb-2", "shop-web"));
            assertThat(asked.query()).startsWith("api-version=");
            assertThat(asked.header("Authorization")).isEqualTo("Bearer a-token");
            assertThat(asked.header("If-Match")).isEmpty();
        });
    }

    @Test
    void a_pool_requested_in_another_case_has_its_own_spelling() {
        // given
        harness.arm.then(200, Bodies.pool("10.0.0.4"));
        // when
        BackendPool pool = ok(pools.read(PoolKey.of("LB-2", "Shop-Web")));
        // then
        assertThat(pool.key()).hasToString("lb-2/shop-web");
    }

    @Test
    void an_empty_pool_is_empty() {
        assertThat(harness.read(pools, Bodies.pool()).addresses().isEmpty()).isTrue();
    }

    private static final List<String> EMPTY = List.of("", " \r\n", "null", "{}");

    static Stream<Arguments> bodies_that_are_no_pool() {
        return Stream.of(
                Arguments.of("", "the body is empty"),
                Arguments.of(" \r\n", "the body is empty"),
                Arguments.of("<html>busy</html>", "is not JSON"),
                Arguments.of(Bodies.pool("10.0.0.4").substring(0, 300), "is not JSON"),
                Arguments.of(Bodies.pool("10.0.0.4") + "x", ""),
                Arguments.of("[]", "not a JSON object"),
                Arguments.of("{\"x\": " + "[".repeat(100_000), "is not JSON"),
                Arguments.of("{\"x\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}", "is not JSON"),
                Arguments.of("null", "the body is null"),
                Arguments.of("{}", "the body is an empty object"),
                Arguments.of("{\"x\": 1}", "has no name"),
                Arguments.of("{\"name\": \"shop-web\"}", "properties is not an object"),
                Arguments.of("{\"name\": \"shop-web\", \"properties\": {}}", "loadBalancerBackendAddresses is missing"),
                Arguments.of(
                        "{\"name\": \"shop-web\", \"properties\": {\"loadBalancerBackendAddresses\": null}}",
                        "loadBalancerBackendAddresses is missing"),
                Arguments.of(
                        "{\"name\": \"shop-web\", \"properties\": {\"loadBalancerBackendAddresses\": [null]}}",
                        "an entry of pool lb-2/shop-web is not an object"),
                Arguments.of(Bodies.pool("10.0.0.999"), "\"10.0.0.999\", which is not an IP address"),
                Arguments.of(
                        Bodies.pool("10.0.0.4").replace("\"10.0.0.4\"", "1004"),
                        "the ipAddress of an entry of pool lb-2/shop-web is not a string"),
                Arguments.of(Bodies.pool("10.0.0.4").replace("shop-web", "shop-api"), "contains lb-2/shop-api"),
                Arguments.of(Bodies.pool("10.0.0.4").replace("lb-2", "lb-3"), "contains lb-3/shop-web"),
                Arguments.of(Bodies.pool("10.0.0.4").replace("\"node-10.0.0.4\"", "7"), "the name of an entry"),
                Arguments.of(
                        "{\"name\": \"shop-web\", \"properties\": {\"loadBalancerBackendAddresses\": {}}}",
                        "loadBalancerBackendAddresses is not an array"));
    }

    @ParameterizedTest
    @MethodSource("bodies_that_are_no_pool")
    @Rule(
            id = "A2",
            says = "A body that is empty, truncated, not JSON or has the wrong structure is a failure, never an"
                    + " empty pool.",
            source = "ours",
            differs = "Go treats a pool without properties as empty, or panics.")
    void a_malformed_body_is_a_failure_and_never_an_empty_pool(String body, String why) {
        // given
        harness.arm.then(200, body);
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure).isInstanceOfSatisfying(Failure.Other.class, other -> {
            assertThat(other.retriable()).isEqualTo(EMPTY.contains(body));
            assertThat(other.reason()).contains(why).doesNotContain("\n");
        });
    }

    @Test
    void an_error_status_is_a_failure_with_code_message_and_correlation_id() {
        // given
        harness.arm.then(403, Bodies.error("AuthorizationFailed", "no rights"), "x-ms-correlation-request-id", "c-1");
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure).isInstanceOf(Failure.HttpError.class);
        assertThat(failure.describe()).isEqualTo("HTTP 403 AuthorizationFailed: no rights (c-1)");
    }

    @Test
    void a_missing_pool_is_not_found() {
        // given
        harness.arm.then(404, Bodies.error("NotFound", "gone"), "x-ms-request-id", "r-1");
        // when, then
        assertThat(failure(pools.read(SHOP_WEB))).isInstanceOf(Failure.NotFound.class);
        assertThat(harness.calls).singleElement().satisfies(call -> {
            assertThat(call.status()).isEqualTo(404);
            assertThat(call.outcome()).isEqualTo(ArmCall.Outcome.ANSWERED);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {202, 204, 302})
    void an_unexpected_status_is_a_failure(int status) {
        // given
        harness.arm.then(status, "");
        // when, then
        assertThat(failure(pools.read(SHOP_WEB))).isInstanceOf(Failure.Other.class);
    }
}

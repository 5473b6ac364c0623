package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.io.IOException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of ARM by their status, and bodies that do not fit it. */
class StatusesTest {

    private ArmHarness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new ArmHarness();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    static IntStream errors() {
        return IntStream.rangeClosed(400, 599);
    }

    private static String kind(int status) {
        return switch (status) {
            case 404 -> "NotFound";
            case 409 -> "Conflict";
            case 412 -> "PreconditionFailed";
            case 429 -> "Throttled";
            default -> "HttpError";
        };
    }

    @ParameterizedTest
    @MethodSource("errors")
    @Rule(
            id = "A41",
            says = "Every error status from 400 to 599 to a read or a write becomes one failure: not found (404),"
                    + " conflict (409), precondition failed (412), throttled (429), or an HTTP error of that status.",
            source = "contract, Replay rule 10")
    void each_error_status_is_one_kind_of_failure(int status) {
        AzurePools pools = harness.pools();
        harness.arm.then(status, Bodies.error("SomeCode", "No."));

        Failure read = failure(pools.read(SHOP_WEB));

        assertThat(read.getClass().getSimpleName()).isEqualTo(kind(status));
        assertThat(((Failure.FromArm) read).error().status()).isEqualTo(status);
        pools = harness.pools();
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(status, Bodies.error("SomeCode", "No."));
        Failure written = failure(pools.write(pool, AddressSet.of("10.0.0.5")));
        assertThat(written.getClass().getSimpleName()).isEqualTo(kind(status));
        assertThat(((Failure.FromArm) written).error().code()).isEqualTo("SomeCode");
    }

    @ParameterizedTest
    @CsvSource({
        "400, Conflict",
        "403, Conflict",
        "404, NotFound",
        "409, Conflict",
        "412, PreconditionFailed",
        "422, Conflict",
        "429, Throttled",
        "499, Conflict",
        "500, HttpError",
        "503, HttpError",
        "599, HttpError"
    })
    void another_operation_is_a_conflict_with_a_4xx_that_has_no_kind_of_its_own(int status, String kind) {
        harness.arm.then(status, Bodies.error("AnotherOperationInProgress", "No."));

        assertThat(failure(harness.pools().read(SHOP_WEB)).getClass().getSimpleName())
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "NotFound, true",
        "ResourceNotFound, true",
        "ParentResourceNotFound, true",
        "PARENTRESOURCENOTFOUND, true",
        "resourcenotfound, true",
        "notFound, true",
        "ResourceGroupNotFound, false",
        "resourcegroupnotfound, false"
    })
    void a_404_is_about_the_pool_or_not_in_any_case(String code, boolean absent) {
        harness.arm.then(404, Bodies.error(code, "No."));

        assertThat(failure(harness.pools().read(SHOP_WEB)))
                .isInstanceOfSatisfying(
                        Failure.NotFound.class,
                        found -> assertThat(found.isAbsence()).isEqualTo(absent));
    }

    /** Changes the case of all keys, at every level. */
    static Stream<Arguments> spellings() {
        UnaryOperator<String> asIs = key -> key;
        UnaryOperator<String> capital = key -> Character.toUpperCase(key.charAt(0)) + key.substring(1);
        return Stream.of(
                Arguments.of(asIs),
                Arguments.of(capital),
                Arguments.of((UnaryOperator<String>) String::toUpperCase),
                Arguments.of((UnaryOperator<String>) String::toLowerCase));
    }

    private static String spelled(UnaryOperator<String> spelling, String json) {
        return java.util.regex.Pattern.compile("\"(\\w+)\"(\\s*:)")
                .matcher(json)
                .replaceAll(key -> "\"" + spelling.apply(key.group(1)) + "\"" + key.group(2));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    @Rule(
            id = "A42",
            says = "The keys of ARM's bodies are found in any case, at every level: of errors and their details, pools,"
                    + " lists, operations and permissions.",
            source = "ours; kubernetes-sigs/cloud-provider-azure#792",
            differs = "Go's parser does so, too, except for its throttling.")
    void an_error_is_read_in_any_case(UnaryOperator<String> spelling) {
        AzurePools pools = harness.pools();
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(429, spelled(spelling, """
            {"error": {"code": "RetryableError", "message": "A retryable error occurred.", "details":
             [{"code": "RetryableErrorDueToAnotherOperation", "message": "In progress.", "target": null}],
             "innererror": null}}\
            """), "Retry-After", "25");

        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.5")));

        assertThat(failure.describe())
                .isEqualTo("HTTP 429 RetryableError: A retryable error occurred."
                        + " [RetryableErrorDueToAnotherOperation: In progress.]");
        assertThat(pools.gates().writesShutUntil()).isNull(); // only this load balancer is busy
        assertThat(pools.gates().busyUntil()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void pools_lists_and_operations_are_read_in_any_case(UnaryOperator<String> spelling) {
        AzurePools pools = harness.pools();
        String web = spelled(spelling, Bodies.everything());
        harness.arm.then(
                200,
                spelled(spelling, "{\"value\": [{\"name\": \"lb-2\", \"properties\": {\"backendAddressPools\": [") + web
                        + "]}}]}");
        assertThat(ArmHarness.ok(pools.list()).getFirst().addresses()).hasSize(3);

        BackendPool read = harness.read(pools, web);
        harness.arm.then(
                201,
                spelled(spelling, Bodies.poolIn("Updating", "")),
                "Azure-AsyncOperation",
                harness.arm.address() + "/operations/1");
        harness.arm.then(
                200,
                spelled(
                        spelling,
                        "{\"status\": \"Failed\", \"error\": {\"code\": \"InternalServerError\", \"message\":"
                                + " \"x\"}}"));
        Failure failed = failure(pools.write(read, AddressSet.of("10.0.0.4")));

        assertThat(failed).isEqualTo(Failure.Other.retriable("the operation failed: InternalServerError: x"));
        String put = harness.arm.asked().get(harness.arm.asked().size() - 2).body();
        assertThat(put.toLowerCase(java.util.Locale.ROOT))
                .containsOnlyOnce("\"loadbalancerbackendaddresses\"")
                .doesNotContain("provisioningstate", "\"etag\"", "\"type\":\"microsoft")
                .contains("\"adminstate\":\"drain\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ResourceGroupNotFound", "SubscriptionNotFound", "AuthorizationFailed", "Whatever"})
    @Rule(
            id = "A43",
            says = "An empty 200, and a 200 with an error in it instead of a pool or a list, are transient and quote"
                    + " the error.",
            source = "ours; kubernetes-sigs/cloud-provider-azure#1296",
            differs = "Go repeats the request at ARM's regional endpoint.")
    void an_error_in_a_success_is_transient(String code) {
        AzurePools pools = harness.pools();
        String body = Bodies.error(code, "Resource group could not be found.");
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(200, body).then(200, body).then(200, body);
        assertTransient(failure(pools.read(SHOP_WEB)), code);
        assertTransient(failure(pools.list()), code);
        assertTransient(failure(pools.write(pool, AddressSet.of("10.0.0.5"))), code);
        harness.arm
                .then(201, Bodies.poolIn("Updating", ""), "Azure-AsyncOperation", harness.arm.address() + "/o/1")
                .then(200, body);
        assertTransient(failure(pools.write(pool, AddressSet.of("10.0.0.5"))), code);
    }

    private static void assertTransient(Failure failure, String words) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isTrue());
        assertThat(failure.describe()).contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AnotherOperationInProgress", "RetryableError", "Conflict"})
    void an_error_in_a_success_has_the_meaning_of_its_code(String code) {
        harness.arm.then(200, "{\"Error\": {\"Code\": \"" + code + "\"}}");
        assertThat(failure(harness.pools().read(SHOP_WEB))).isInstanceOf(Failure.Conflict.class);
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            delimiter = '|',
            value = {
                "200||the body is empty",
                "201||the body is empty",
                "200| |the body is empty",
                "200|null|the body is null",
                "200|{}|the body is an empty object"
            })
    void an_empty_success_is_transient(int status, @Nullable String text, String words) {
        String body = text == null ? "" : text;
        AzurePools pools = harness.pools();
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(status, body).then(status, body).then(status, body);
        assertTransient(failure(pools.read(SHOP_WEB)), words);
        assertTransient(failure(pools.list()), words);
        assertTransient(failure(pools.write(pool, AddressSet.of("10.0.0.5"))), words);
        harness.arm
                .then(201, Bodies.poolIn("Updating", ""), "Azure-AsyncOperation", harness.arm.address() + "/o/1")
                .then(200, body);
        assertTransient(failure(pools.write(pool, AddressSet.of("10.0.0.5"))), body.equals("{}") ? "no status" : words);
    }

    @Test
    void an_error_without_a_wrapper_in_a_success_is_transient() {
        AzurePools pools = harness.pools();
        String flat = "{\"code\": \"ResourceNotFound\", \"message\": \"not yet\"}";
        harness.arm.then(200, flat).then(200, flat);
        assertTransient(failure(pools.read(SHOP_WEB)), "ResourceNotFound: not yet");
        assertTransient(failure(pools.list()), "ResourceNotFound: not yet");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202})
    void an_accepted_write_without_a_body_is_followed_by_its_operation(int status) {
        AzurePools pools = harness.pools();
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm
                .then(status, "", "Azure-AsyncOperation", harness.arm.address() + "/o/1")
                .then(200, "{\"status\": \"Succeeded\"}")
                .then(200, Bodies.pool("10.0.0.5"));
        assertThat(ArmHarness.ok(pools.write(pool, AddressSet.of("10.0.0.5"))).addresses())
                .isEqualTo(AddressSet.of("10.0.0.5"));
    }
}

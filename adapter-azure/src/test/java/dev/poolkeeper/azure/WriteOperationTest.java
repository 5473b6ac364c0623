package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriteOperationTest {

    private static final AddressSet WANTED = AddressSet.of("10.0.0.5");
    private static final String UPDATING = Bodies.poolIn("Updating", "", "10.0.0.5");
    private static final String WRITTEN = Bodies.pool("10.0.0.5");
    private static final String RUNNING = "{\"status\": \"InProgress\"}";
    private static final String SUCCEEDED = "{\"status\": \"Succeeded\"}";

    private ArmHarness harness;
    private AzurePools pools;
    private BackendPool read;
    private String operation;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        pools = harness.pools();
        read = harness.read(pools, Bodies.pool("10.0.0.4"));
        operation = harness.arm.address() + "/subscriptions/" + Bodies.SUBSCRIPTION
                + "/providers/Microsoft.Network/locations/westeurope/operations/op-1?api-version=2025-03-01&c=c&s=sig";
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private ScriptedArm accepted() {
        return harness.arm.then(201, UPDATING, "Azure-AsyncOperation", operation);
    }

    @Test
    @Rule(id = "A6", says = "A write is polled until its operation ends; only the PUT has If-Match.", source = "ours")
    void an_accepted_write_is_polled_to_its_end_and_the_pool_is_read_again() {
        // given
        accepted()
                .then(200, RUNNING)
                .then(200, RUNNING)
                .then(200, RUNNING)
                .then(200, SUCCEEDED)
                .then(200, WRITTEN);
        // when
        BackendPool written = ok(pools.write(read, WANTED));
        // then
        assertThat(written.addresses()).isEqualTo(WANTED);
        assertThat(harness.arm.methods()).containsExactly("GET", "PUT", "GET", "GET", "GET", "GET", "GET");
        assertThat(harness.waits).containsExactly(ofSeconds(1), ofSeconds(1), ofSeconds(1));
        assertThat(harness.arm.asked().subList(2, 7)).allSatisfy(asked -> {
            assertThat(asked.header("If-Match")).isEmpty();
            assertThat(asked.header("Authorization")).isEqualTo("Bearer a-token");
        });
    }

    @Test
    void a_written_pool_can_be_written_again() {
        // given
        accepted().then(200, SUCCEEDED).then(200, WRITTEN);
        BackendPool written = ok(pools.write(read, WANTED));
        harness.arm.then(200, Bodies.pool());
        // when, then
        assertThat(ok(pools.write(written, AddressSet.empty())).addresses()).isEqualTo(AddressSet.empty());
    }

    @Test
    void a_response_with_succeeded_ends_the_write_whatever_its_headers() {
        // given
        harness.arm.then(200, WRITTEN, "Azure-AsyncOperation", operation);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
        assertThat(harness.arm.asked()).hasSize(2);
    }

    @Test
    void without_an_operation_the_resource_is_polled() {
        // given
        harness.arm.then(200, UPDATING).then(200, UPDATING).then(200, WRITTEN).then(200, WRITTEN);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
    }

    @Test
    void a_write_answered_202_is_polled_at_its_location() {
        // given
        harness.arm
                .then(202, "", "Location", operation)
                .then(202, "")
                .then(200, "{}")
                .then(200, WRITTEN);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
    }

    @Test
    void polls_are_a_tenth_of_the_elapsed_time_apart_within_1_to_10_seconds() {
        // given
        harness.arm
                .then(201, UPDATING, "Azure-AsyncOperation", operation, "Retry-After", "20")
                .then(200, RUNNING)
                .then(200, RUNNING, "Retry-After", "198")
                .then(200, RUNNING)
                .then(200, SUCCEEDED)
                .then(200, WRITTEN);
        // when
        ok(pools.write(read, WANTED));
        // then
        assertThat(harness.waits).containsExactly(ofSeconds(20), ofSeconds(2), ofSeconds(198), ofSeconds(10));
    }

    @Test
    void retry_after_in_seconds_and_as_a_date_paces_the_polls() {
        // given
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                harness.time.instant().plusSeconds(3 + 7).atOffset(ZoneOffset.UTC));
        harness.arm
                .then(201, UPDATING, "Azure-AsyncOperation", operation, "Retry-After", "3")
                .then(200, RUNNING, "Retry-After", date)
                .then(200, RUNNING)
                .then(200, SUCCEEDED)
                .then(200, WRITTEN);
        // when
        ok(pools.write(read, WANTED));
        // then
        assertThat(harness.waits).containsExactly(ofSeconds(3), ofSeconds(7), ofSeconds(1));
    }

    @Test
    @Rule(id = "A8", says = "A poll that gets a 429 or a closed gate waits and continues.", source = "ours")
    void a_throttled_poll_waits_and_continues() {
        // given
        accepted()
                .then(429, Bodies.error("TooManyRequests", "slow"), "Retry-After", "17")
                .then(429, Bodies.error("TooManyRequests", "slow"))
                .then(200, SUCCEEDED)
                .then(429, "", "Retry-After", "2")
                .then(200, WRITTEN);
        // when
        BackendPool written = ok(pools.write(read, WANTED));
        // then
        assertThat(written.addresses()).isEqualTo(WANTED);
        assertThat(harness.waits).containsExactly(ofSeconds(17), Duration.ofMillis(1_700), ofSeconds(2));
    }

    @Test
    void a_poll_waits_behind_a_shut_gate_and_nothing_is_sent() {
        // given: another call shuts the gate for reads while the write is in progress
        harness.arm.then(exchange -> {
            harness.arm.then(429, "", "Retry-After", "60").then(200, SUCCEEDED).then(200, WRITTEN);
            failure(pools.list());
            ScriptedArm.send(
                    exchange, 201, UPDATING.getBytes(StandardCharsets.UTF_8), "Azure-AsyncOperation", operation);
        });
        // when
        ok(pools.write(read, WANTED));
        // then
        assertThat(harness.waits).containsExactly(ofSeconds(60));
        assertThat(harness.calls)
                .filteredOn(call -> call.outcome() == ArmCall.Outcome.REFUSED_AT_GATE)
                .hasSize(1);
    }

    @Test
    void a_poll_does_not_wait_behind_the_gate_of_writes() {
        // given: another write shuts the gate for writes while this one is in progress
        harness.arm.then(exchange -> {
            harness.arm
                    .then(429, Bodies.error("TooManyRequests", "slow"), "Retry-After", "60")
                    .then(200, SUCCEEDED)
                    .then(200, WRITTEN);
            failure(pools.write(read, WANTED));
            ScriptedArm.send(
                    exchange, 201, UPDATING.getBytes(StandardCharsets.UTF_8), "Azure-AsyncOperation", operation);
        });
        // when
        ok(pools.write(read, WANTED));
        // then
        assertThat(harness.waits).isEmpty();
        assertThat(harness.arm.methods()).containsExactly("GET", "PUT", "PUT", "GET", "GET");
    }

    @Test
    void an_operation_that_outlives_the_deadline_is_cancelled() {
        // given
        accepted();
        harness.arm.otherwise(asked -> ScriptedArm.answer(200, RUNNING));
        // when
        Failure failure = failure(pools.write(read, WANTED));
        // then
        assertThat(failure).isInstanceOf(Failure.Cancelled.class);
        assertThat(failure.describe()).contains("still in progress");
        assertThat(harness.waits.stream().mapToLong(wait -> wait.toSeconds()).sum())
                .isBetween(250L, 300L);
        assertThat(harness.waits).allMatch(wait -> wait.compareTo(ofSeconds(10)) <= 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"300", "86400", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"})
    void a_wait_that_would_outlive_the_deadline_is_not_begun(String retryAfter) {
        // given
        harness.arm.then(201, UPDATING, "Azure-AsyncOperation", operation, "Retry-After", retryAfter);
        // when, then
        assertThat(failure(pools.write(read, WANTED))).isInstanceOf(Failure.Cancelled.class);
        assertThat(harness.waits).isEmpty();
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of("Failed", "AnotherOperationInProgress", Failure.Conflict.class),
                Arguments.of("Failed", "RetryableError", Failure.Conflict.class),
                Arguments.of("Failed", "PreconditionFailed", Failure.PreconditionFailed.class),
                Arguments.of("Failed", "TooManyRequests", Failure.Throttled.class),
                Arguments.of("Canceled", "Canceled", Failure.Conflict.class),
                Arguments.of("Canceled", "Whatever", Failure.Conflict.class));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @Rule(
            id = "A7",
            says = "A failed operation is classified by its ARM code; a canceled one is retriable.",
            source = "ours",
            differs = "In Go a canceled operation is a permanent failure.")
    void a_failed_operation_is_classified_by_its_code(String status, String code, Class<?> kind) {
        // given
        accepted()
                .then(
                        200,
                        "{\"status\": \"%s\", \"error\": {\"code\": \"%s\", \"message\": \"m\"}}"
                                .formatted(status, code));
        // when
        Failure failure = failure(pools.write(read, WANTED));
        // then
        assertThat(failure).isInstanceOf(kind);
        assertThat(failure.describe()).startsWith(code + ": m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"InternalServerError", "ResourceNotFound", "OperationTimedOut"})
    void an_internal_azure_error_in_an_operation_is_retriable(String code) {
        // given
        accepted().then(200, "{\"status\": \"Failed\", \"error\": {\"code\": \"%s\"}}".formatted(code));
        // when, then
        assertThat(failure(pools.write(read, WANTED)))
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"InvalidResourceReference", "SomethingNew"})
    void a_permanently_failed_operation_is_terminal(String code) {
        // given
        accepted().then(200, "{\"status\": \"Failed\", \"error\": {\"code\": \"%s\"}}".formatted(code));
        // when, then
        assertThat(failure(pools.write(read, WANTED)))
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isFalse());
    }

    @Test
    void a_failed_operation_is_also_classified_by_the_codes_in_its_details() {
        // given
        accepted().then(200, """
            {"status": "Failed", "error": {"code": "DeploymentFailed", "message": "m", "details": [
            {"code": "RetryableErrorDueToAnotherOperation", "message": "another operation"}]}}
            """);
        // when, then
        assertThat(failure(pools.write(read, WANTED))).isInstanceOf(Failure.Conflict.class);
    }

    @Test
    void a_superseded_operation_keeps_azures_message() {
        // given
        accepted().then(200, """
            {"status": "Canceled", "error": {"code": "Canceled", "message": "Operation was canceled.", "details": [
            {"code": "CanceledAndSupersededDueToAnotherOperation", "message": "superseded by PutLoadBalancerOperation"}]}}
            """);
        // when
        Failure failure = failure(pools.write(read, WANTED));
        // then
        assertThat(failure).isInstanceOf(Failure.Conflict.class);
        assertThat(failure.describe())
                .isEqualTo("Canceled: Operation was canceled. [CanceledAndSupersededDueToAnotherOperation:"
                        + " superseded by PutLoadBalancerOperation]");
    }

    static Stream<Arguments> unfit_polls() {
        return Stream.of(
                Arguments.of(200, "", "the body is empty"),
                Arguments.of(200, "<html>", "the body of 6 bytes is not JSON"),
                Arguments.of(200, "{}", "the operation's state contains no status"),
                Arguments.of(200, "{\"status\": null}", "the operation's state contains no status"),
                Arguments.of(200, "{\"status\": \"\"}", "the operation's state contains no status"),
                Arguments.of(200, "{\"status\": \" \"}", "the operation's state contains no status"),
                Arguments.of(200, "{\"status\": 7}", "the operation's state contains no status"),
                Arguments.of(404, Bodies.error("NotFound", "no such operation"), "HTTP 404 NotFound"),
                Arguments.of(500, "", "HTTP 500"));
    }

    @ParameterizedTest
    @MethodSource("unfit_polls")
    void a_write_with_an_unknown_outcome_is_retriable(int status, String body, String why) {
        // given
        accepted().then(status, body);
        // when, then
        assertThat(failure(pools.write(read, WANTED))).isInstanceOfSatisfying(Failure.Other.class, other -> {
            assertThat(other.retriable()).isTrue();
            assertThat(other.reason()).startsWith("the write was accepted").contains(why);
        });
    }

    static Stream<Arguments> unfit_results() {
        return Stream.of(
                Arguments.of(404, Bodies.error("NotFound", "x")), Arguments.of(200, ""), Arguments.of(200, "{}"));
    }

    @ParameterizedTest
    @MethodSource("unfit_results")
    void a_pool_that_cannot_be_read_after_success_is_a_failure(int status, String body) {
        // given
        accepted().then(200, SUCCEEDED).then(status, body);
        // when, then
        assertThat(failure(pools.write(read, WANTED))).isInstanceOf(Failure.Other.class);
    }

    private static final String ELSEWHERE = "https://127.0.0.1:1/operations/1";

    /** The pool is polled as long as no address may be used. */
    @ParameterizedTest
    @CsvSource({"201, Azure-AsyncOperation", "200, Azure-AsyncOperation", "202, Azure-AsyncOperation", "202, Location"})
    void the_token_is_sent_to_no_other_host(int status, String header) {
        // given
        harness.arm
                .then(status, UPDATING, header, ELSEWHERE)
                .then(200, UPDATING)
                .then(200, WRITTEN)
                .then(200, WRITTEN);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
        assertThat(harness.arm.asked())
                .extracting(ScriptedArm.Asked::path)
                .hasSize(5)
                .containsOnly(Bodies.poolPath("lb-2", "shop-web"));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201})
    void a_location_counts_only_with_status_202(int status) {
        // given
        harness.arm
                .then(status, UPDATING, "Location", operation)
                .then(200, WRITTEN)
                .then(200, WRITTEN);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
        assertThat(harness.arm.asked())
                .extracting(ScriptedArm.Asked::path)
                .containsOnly(Bodies.poolPath("lb-2", "shop-web"));
    }

    @Test
    void a_location_that_moves_is_followed_on_this_host_only() {
        // given
        String moved = operation.replace("op-1", "op-2");
        harness.arm
                .then(202, WRITTEN, "Location", operation)
                .then(202, "")
                .then(202, "", "Location", moved)
                .then(202, "", "Location", ELSEWHERE)
                .then(204, "")
                .then(200, WRITTEN);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
        assertThat(harness.arm.asked().subList(2, 6))
                .extracting(asked -> asked.path().replaceAll(".*/", ""))
                .containsExactly("op-1", "op-1", "op-2", "op-2");
    }

    @Test
    void an_accepted_write_without_a_body_is_polled_at_its_operation() {
        // given
        harness.arm
                .then(201, "", "Azure-AsyncOperation", operation)
                .then(200, SUCCEEDED)
                .then(200, WRITTEN);
        // when, then
        assertThat(ok(pools.write(read, WANTED)).addresses()).isEqualTo(WANTED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"status": "Canceled"}                                                  | Canceled: the operation was canceled
        {"status": "Cancelled"}                                                 | Canceled: the operation was canceled
        {"status": "CANCELLED", "error": null}                                  | Canceled: the operation was canceled
        {"status": "Canceled", "error": {"code": "C"}}                          | C: the operation was canceled
        {"status": "Canceled", "error": {"message": "m"}}                       | Canceled: m
        {"status": "Failed"}                                                    | the operation failed: an error that ARM did not describe
        {"status": "FAILED", "error": {"code": "C"}}                            | the operation failed: C
        {"Status": "failed", "Error": {"Code": "C", "Message": "m"}}            | the operation failed: C: m
        {"status": "Failed", "error": {"code": "conflict", "message": "m"}}     | Conflict: m
        """)
    void the_end_of_an_operation_is_told_with_azures_words_and_id(String body, String told) {
        // given
        accepted().then(200, body, "x-ms-correlation-request-id", "c-1");
        // when, then
        assertThat(failure(pools.write(read, WANTED)).describe()).isEqualTo(told + " (c-1)");
    }

    @Test
    void an_interrupt_during_a_poll_is_no_unknown_outcome() {
        // given
        accepted();
        AzurePools interrupted = harness.builder(ArmHarness.TOKEN)
                .listener(attempt -> {
                    if (attempt.purpose() == ArmCall.Purpose.POLL) {
                        Thread.currentThread().interrupt();
                    }
                    return call -> {};
                })
                .build();
        // when
        Failure failure = failure(interrupted.write(read, WANTED));
        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).isEqualTo(new Failure.Cancelled("interrupted"));
    }

    @Test
    void polls_come_further_apart_with_all_the_time_that_has_passed() {
        // given
        harness.arm.then(201, UPDATING, "Azure-AsyncOperation", operation, "Retry-After", "20");
        for (int poll = 0; poll < 4; poll++) {
            harness.arm.then(200, RUNNING);
        }
        harness.arm.then(200, SUCCEEDED).then(200, WRITTEN);
        // when
        ok(pools.write(read, WANTED));
        // then: a tenth of 20 s, of 22 s, of 24.2 s and of 26.62 s
        assertThat(harness.waits)
                .extracting(Duration::toMillis)
                .containsExactly(20_000L, 2_000L, 2_200L, 2_420L, 2_662L);
    }
}

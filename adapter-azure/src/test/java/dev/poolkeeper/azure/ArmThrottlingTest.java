package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The design document's ThrottleError tests 1 to 8, over the wire, and further rules of the gates. */
class ArmThrottlingTest {

    private static final String TOO_MANY = Bodies.error("TooManyRequests", "slow down");
    private static final String BUSY =
            "{\"Error\": {\"code\": \"RetryableError\", \"message\": \"A retryable error occured.\","
                    + " \"details\": [{\"code\": \"RetryableErrorDueToAnotherOperation\", \"message\": \"busy\"}]}}";

    private ArmHarness harness;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.retries = ArmHarness.retrying(3, Duration.ofSeconds(1), 429, 500);
        pools = harness.pools();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private Instant in(long seconds) {
        return harness.time.instant().plusSeconds(seconds);
    }

    private Failure.Throttled readThrottled(@Nullable String retryAfter) {
        if (retryAfter == null) {
            harness.arm.then(429, TOO_MANY);
        } else {
            harness.arm.then(429, TOO_MANY, "Retry-After", retryAfter);
        }
        return (Failure.Throttled) failure(pools.read(SHOP_WEB));
    }

    @ParameterizedTest
    @ValueSource(longs = {-3600, 3600})
    void a_gate_stays_shut_as_long_as_arm_requested_even_if_the_clock_is_set(long seconds) {
        // given
        readThrottled("30");
        // when
        harness.time.jump(Duration.ofSeconds(seconds));
        harness.time.advance(Duration.ofSeconds(29));
        // then
        assertThat(failure(pools.read(SHOP_WEB)))
                .isInstanceOfSatisfying(
                        Failure.Throttled.class,
                        refused -> assertThat(refused.sent()).isFalse());
        // when
        harness.time.advance(Duration.ofSeconds(1));
        harness.arm.then(200, Bodies.pool());
        // then
        ok(pools.read(SHOP_WEB));
    }

    @Test
    @Rule(
            id = "T1",
            says = "A 429 with whole seconds in Retry-After throttles until that time.",
            source = "design document, ThrottleError test 1")
    void test_1_a_429_with_whole_seconds_names_that_instant() {
        assertThat(readThrottled("17").retryAfter()).isEqualTo(in(17));
    }

    @Test
    @Rule(
            id = "T2",
            says = "A 429 with an RFC 1123 date in Retry-After throttles until that time.",
            source = "design document, ThrottleError test 2")
    void test_2_a_429_with_a_date_names_that_instant() {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(in(90).atOffset(ZoneOffset.UTC));
        assertThat(readThrottled(date).retryAfter()).isEqualTo(in(90));
    }

    @Test
    @Rule(
            id = "T3",
            says = "A 429 without Retry-After throttles until the current time.",
            source = "design document, ThrottleError test 3")
    void test_3_a_429_without_retry_after_means_now() {
        assertThat(readThrottled(null).retryAfter()).isEqualTo(in(0));
        harness.arm.then(200, Bodies.pool());
        ok(pools.read(SHOP_WEB));
    }

    @ParameterizedTest
    @CsvSource({"+17, 17", "-17, 0", "86401, 86400", "99999999999999999999, 86400"})
    void a_retry_after_may_have_a_sign_and_is_capped_at_a_day(String retryAfter, int seconds) {
        assertThat(readThrottled(retryAfter).retryAfter()).isEqualTo(in(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "1.5", "1e3", "17 seconds", "Wed, 99 Foo 2026 00:00:00 GMT", "0x10"})
    @Rule(
            id = "T4",
            says = "A 429 with an invalid Retry-After does not change the gate.",
            source = "design document, ThrottleError test 4")
    void test_4_a_429_with_an_unreadable_retry_after_leaves_the_timer_as_it_was(String unreadable) {
        assertThat(readThrottled(unreadable).retryAfter()).isNull();
        Instant timer = in(5);
        assertThat(readThrottled("5").retryAfter()).isEqualTo(timer);
        harness.time.advance(Duration.ofSeconds(6));
        assertThat(readThrottled(unreadable).retryAfter()).isEqualTo(timer);
    }

    @Test
    @Rule(
            id = "T5",
            says = "While the gate is closed nothing is sent, and the refusal is a throttled failure with the"
                    + " time at which the gate opens and the information that nothing was sent.",
            source = "design document, ThrottleError test 5")
    void test_5_while_the_gate_is_shut_nothing_is_sent_and_the_refusal_names_the_instant() {
        // given
        readThrottled("17");
        harness.time.advance(Duration.ofSeconds(16));
        // when
        Failure.Throttled refused = (Failure.Throttled) failure(pools.read(SHOP_WEB));
        // then
        assertThat(refused.retryAfter()).isEqualTo(in(1));
        assertThat(refused.sent()).isFalse();
        assertThat(harness.arm.asked()).hasSize(1);
        harness.time.advance(Duration.ofSeconds(1));
        harness.arm.then(200, Bodies.pool());
        ok(pools.read(SHOP_WEB));
    }

    @Test
    @Rule(
            id = "T6",
            says = "A throttled failure has the same type, whether ARM or the gate refused.",
            source = "design document, ThrottleError test 6")
    void test_6_both_ways_are_the_same_kind_of_failure() {
        assertThat(readThrottled("17").sent()).isTrue();
        assertThat(readRefusedAtGate().sent()).isFalse();
    }

    @Test
    @Rule(
            id = "T7",
            says = "The time of Retry-After is available from a throttled failure, whether ARM or the gate refused.",
            source = "design document, ThrottleError test 7")
    void test_7_both_ways_name_the_same_instant() {
        Instant instant = in(17);
        assertThat(readThrottled("17").retryAfter()).isEqualTo(instant);
        harness.time.advance(Duration.ofSeconds(3));
        assertThat(readRefusedAtGate().retryAfter()).isEqualTo(instant);
    }

    @Test
    @Rule(
            id = "T8",
            says = "A throttled failure reads `HTTP 429 TooManyRequests` regardless of whether ARM or the gate"
                    + " refused and until when; if ARM did, its message follows.",
            source = "design document, ThrottleError test 8",
            differs = "In Go the text is one constant.")
    void test_8_the_text_hides_the_instant_and_who_refused() {
        assertThat(readThrottled("17").describe()).isEqualTo("HTTP 429 TooManyRequests: slow down");
        assertThat(readRefusedAtGate().describe()).isEqualTo("HTTP 429 TooManyRequests");
        harness.time.advance(Duration.ofSeconds(17));
        assertThat(readThrottled("5").describe()).isEqualTo("HTTP 429 TooManyRequests: slow down");
    }

    private Failure.Throttled readRefusedAtGate() {
        int asked = harness.arm.asked().size();
        Failure.Throttled refused = (Failure.Throttled) failure(pools.read(SHOP_WEB));
        assertThat(harness.arm.asked()).hasSize(asked);
        return refused;
    }

    @ParameterizedTest
    @ValueSource(strings = {"86401", "31536000000", "99999999999999999999999999", "Fri, 31 Dec 2999 23:59:59 GMT"})
    void an_absurd_retry_after_counts_as_a_day(String centuries) {
        assertThat(readThrottled(centuries).retryAfter()).isEqualTo(in(86_400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-99999999999999999999", "0", "Sun, 06 Nov 1994 08:49:37 GMT"})
    void a_retry_after_that_is_past_shuts_nothing(String past) {
        assertThat(readThrottled(past).retryAfter()).isBeforeOrEqualTo(in(0));
        harness.arm.then(200, Bodies.pool());
        ok(pools.read(SHOP_WEB));
    }

    @Test
    void a_429_is_never_sent_again_inside_the_call() {
        readThrottled("1");
        assertThat(harness.arm.asked()).hasSize(1);
        assertThat(harness.waits).isEmpty();
    }

    @Test
    @Rule(id = "A10", says = "A closed write gate refuses the read that would precede a write.", source = "ours")
    void a_throttled_write_blocks_writes_and_their_reads_but_not_listings() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(429, TOO_MANY, "Retry-After", "30");
        // when
        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(failure)
                .isEqualTo(
                        new Failure.Throttled(in(30), true, new ArmError(429, "TooManyRequests", "slow down", null)));
        assertThat(failure(pools.read(PoolKey.of("lb-9", "x")))).isEqualTo(Failure.Throttled.atGate(in(30)));
        assertThat(failure(pools.write(pool, AddressSet.of("10.0.0.4")))).isEqualTo(Failure.Throttled.atGate(in(30)));
        harness.arm.then(200, "{\"value\": []}");
        ok(pools.list());
        assertThat(harness.arm.asked()).hasSize(3);
    }

    @Test
    @Rule(
            id = "A9",
            says = "A 429 due to another operation in progress concerns only that load balancer and closes no gate.",
            source = "ours",
            differs = "In Go it stops every write of the subscription.")
    void a_429_about_another_operation_blocks_only_that_load_balancer() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(429, BUSY, "Retry-After", "14");
        // when
        Failure.Throttled failure = (Failure.Throttled) failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(failure.sent()).isTrue();
        assertThat(failure.retryAfter()).isEqualTo(in(14));
        assertThat(failure.error().code()).isEqualTo("RetryableError");
        assertThat(failure(pools.read(PoolKey.of("LB-2", "shop-api")))).isEqualTo(Failure.Throttled.atGate(in(14)));
        harness.arm.then(404, Bodies.error("NotFound", "but asked"));
        assertThat(failure(pools.read(PoolKey.of("lb-3", "x")))).isInstanceOf(Failure.NotFound.class);
    }

    @Test
    void a_read_that_another_operation_delays_blocks_no_write() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(429, BUSY, "Retry-After", "14").then(200, Bodies.pool("10.0.0.4"));
        // when
        Failure.Throttled failure = (Failure.Throttled) failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure.retryAfter()).isEqualTo(in(14));
        assertThat(pools.gates()).isEqualTo(new GateStatus(null, null, Map.of()));
        ok(pools.write(pool, AddressSet.of("10.0.0.4")));
    }

    @Test
    void requests_beyond_the_client_side_limit_are_refused() {
        // given
        harness.settings = harness.settings.withLimits(null, new RateLimit(0.5, 2));
        AzurePools limited = harness.pools();
        BackendPool pool = harness.read(limited, Bodies.pool());
        for (int i = 0; i < 2; i++) {
            harness.arm.then(200, Bodies.pool("10.0.0.4"));
            ok(limited.write(pool, AddressSet.of("10.0.0.4")));
        }
        // when, then
        assertThat(failure(limited.write(pool, AddressSet.empty()))).isEqualTo(Failure.Throttled.atGate(in(2)));
        assertThat(failure(limited.read(SHOP_WEB))).isEqualTo(Failure.Throttled.atGate(in(2)));
        harness.time.advance(Duration.ofSeconds(2));
        harness.arm.then(200, Bodies.pool());
        ok(limited.write(pool, AddressSet.empty()));
        assertThat(harness.arm.asked()).hasSize(4);
    }
}

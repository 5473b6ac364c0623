package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.ClientAuthenticationException;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

@Timeout(60)
class InCallRetryTest {

    private ArmHarness harness;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.retries = ArmHarness.retrying(3, ofMillis(800), 408, 500, 502, 503, 504);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 500, 502, 503, 504})
    @Rule(
            id = "A11",
            says = "408, 500, 502, 503, 504 and lost connections are retried inside the call, one HTTP exchange at a"
                    + " time.",
            source = "ours")
    void a_transient_status_is_retried_inside_the_call(int status) {
        // given
        harness.arm.then(status, "").then(status, "").then(status, "").then(200, Bodies.pool("10.0.0.4"));
        // when
        ok(harness.pools().read(SHOP_WEB));
        // then
        assertThat(harness.waits).containsExactly(ofMillis(800), ofMillis(800), ofMillis(800));
        assertThat(harness.calls).extracting(ArmCall::attempt).containsExactly(1, 2, 3, 4);
        assertThat(harness.calls).extracting(ArmCall::status).containsExactly(status, status, status, 200);
    }

    @Test
    @Rule(
            id = "A30",
            says = "A Retry-After on a status that is retried inside the call is the shortest wait; if it"
                    + " exceeds the call's deadline, the call ends immediately. It closes no gate.",
            source = "RFC 9110, Retry-After",
            differs = "Go's SDK waits for the whole Retry-After.")
    void a_retry_after_is_respected_inside_the_call_and_shuts_no_gate() {
        // given
        AzurePools pools = harness.pools();
        harness.arm.then(503, "", "Retry-After", "20").then(200, Bodies.pool());
        // when
        ok(pools.read(SHOP_WEB));
        // then
        assertThat(harness.waits).containsExactly(ofSeconds(20));
        assertThat(pools.gates()).isEqualTo(new GateStatus(null, null, Map.of()));
    }

    @Test
    void a_retry_after_beyond_the_deadline_ends_the_call_at_once() {
        // given
        harness.arm.then(503, Bodies.error("ServerBusy", "later"), "Retry-After", "3600");
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(failure.describe())
                .isEqualTo("HTTP 503 ServerBusy: later, not retried: the request timeout has expired");
        assertThat(harness.waits).isEmpty();
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    void exhausted_retries_return_the_last_failure() {
        // given
        harness.arm.otherwise(asked -> ScriptedArm.answer(503, Bodies.error("ServerBusy", "later")));
        // when, then
        assertThat(failure(harness.pools().read(SHOP_WEB)).describe()).isEqualTo("HTTP 503 ServerBusy: later");
        assertThat(harness.arm.asked()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 409, 412, 429})
    @Rule(id = "A12", says = "404, 409, 412 and 429 are never retried inside the call.", source = "ours")
    void failures_that_the_updater_retries_are_not_retried_inside_the_call(int status) {
        // given
        harness.retries = ArmHarness.retrying(3, ofMillis(1), status);
        harness.arm.then(status, "");
        // when
        failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    @Rule(
            id = "A34",
            says = "If the term as leader ends while a call waits to repeat a request, the request is not repeated.",
            source = "Kubernetes: leader election")
    void a_term_that_ends_during_the_wait_ends_the_call() {
        // given
        Term term = Term.during(harness.waits::isEmpty);
        harness.arm.then(503, Bodies.error("ServerBusy", "later")).then(200, Bodies.pool("10.0.0.4"));
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB, new CallContext(term, false, null)));
        // then
        assertThat(failure.describe())
                .isEqualTo("leadership or the resource lock was lost after HTTP 503 ServerBusy: later");
        assertThat(harness.waits).containsExactly(ofMillis(800));
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    void without_retries_the_sdk_does_not_retry_either() {
        // given
        harness.retries = CallRetries.NONE;
        harness.arm.then(503, "", "Retry-After", "1");
        // when
        failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    void a_lost_connection_is_retried() {
        // given
        harness.arm.then(ScriptedArm.truncated(200, Bodies.pool())).then(200, Bodies.pool("10.0.0.4"));
        // when, then
        assertThat(ok(harness.pools().read(SHOP_WEB)).addresses()).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(harness.calls)
                .extracting(ArmCall::outcome)
                .containsExactly(ArmCall.Outcome.CONNECTION_ERROR, ArmCall.Outcome.ANSWERED);
    }

    @Test
    void a_412_after_a_lost_response_is_reported_as_such() {
        // given
        AzurePools pools = harness.pools();
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(ScriptedArm.dropped()).then(412, Bodies.error("PreconditionFailed", "changed"));
        // when, then
        assertThat(failure(pools.write(pool, AddressSet.of("10.0.0.4"))))
                .isInstanceOf(Failure.PreconditionFailed.class);
        assertThat(harness.arm.asked().subList(1, 3))
                .allMatch(asked -> asked.header("If-Match").equals(Bodies.ETAG_VALUE));
    }

    @Test
    void a_refused_connection_is_retriable_after_the_retries() {
        // given: no server listens there any more
        harness.arm.close();
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isTrue());
        assertThat(harness.calls).hasSize(4);
    }

    @Test
    void an_untrusted_certificate_ends_the_call() {
        AzurePools pools = AzurePools.builder(harness.settings, ArmHarness.TOKEN, ArmHttp.client(), harness.time)
                .build();
        assertThat(failure(pools.read(SHOP_WEB)).describe()).startsWith("no response from Azure");
    }

    @Test
    void an_attempt_that_times_out_is_retried() {
        // given
        CountDownLatch end = new CountDownLatch(1);
        harness.retries = context -> new CallRetries.Exchange() {
            private int attempts;

            @Override
            public Optional<Duration> attemptTimeout() {
                return Optional.of(attempts++ == 0 ? ofMillis(200) : Duration.ofSeconds(20));
            }

            @Override
            public CallRetries.Decision afterStatus(int status, Duration retryAfter) {
                return new CallRetries.Decision.GiveUp(CallRetries.Reason.NOT_RETRIABLE);
            }

            @Override
            public CallRetries.Decision afterConnectionError() {
                return new CallRetries.Decision.Retry(Duration.ZERO);
            }
        };
        harness.arm
                .then(exchange -> {
                    harness.passDuringAttempt(ofMillis(200));
                    ArmHarness.await(end);
                })
                .then(200, Bodies.pool());
        // when
        Reply<BackendPool> reply = harness.pools().read(SHOP_WEB);
        end.countDown();
        // then
        ok(reply);
        assertThat(harness.calls)
                .extracting(ArmCall::outcome)
                .containsExactly(ArmCall.Outcome.TIMED_OUT, ArmCall.Outcome.ANSWERED);
        assertThat(harness.calls).extracting(ArmCall::duration).containsExactly(ofMillis(200), Duration.ZERO);
    }

    @Test
    void an_attempt_that_times_out_is_told_with_its_time() {
        // given
        CountDownLatch end = new CountDownLatch(1);
        harness.retries = ArmHarness.retrying(0, Duration.ZERO);
        harness.arm.then(exchange -> {
            harness.passDuringAttempt(ofSeconds(20));
            ArmHarness.await(end);
        });
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        end.countDown();
        // then
        assertThat(failure.describe()).isEqualTo("no response from Azure within 20 s");
        assertThat(harness.calls).singleElement().satisfies(call -> {
            assertThat(call.duration()).isEqualTo(ofSeconds(20));
            assertThat(call.status()).isNull();
            assertThat(call.correlationId()).isNull();
        });
    }

    @Test
    void an_attempt_has_no_more_time_than_its_call() {
        // given: the retry starts 10 s before the deadline, and would be given 20 s
        Duration call = harness.settings.polls().deadline();
        harness.retries = ArmHarness.retrying(1, call.minusSeconds(10), 503);
        harness.arm.then(503, "").then(exchange -> {
            harness.passDuringAttempt(ofSeconds(10));
            ScriptedArm.answer(200, Bodies.pool()).to(exchange);
        });
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(failure).isEqualTo(new Failure.Cancelled("given up after 300 s"));
        assertThat(harness.calls)
                .extracting(ArmCall::outcome)
                .containsExactly(ArmCall.Outcome.ANSWERED, ArmCall.Outcome.TIMED_OUT);
    }

    @Test
    void a_retry_refused_by_the_budget_returns_the_marked_failure() {
        // given
        harness.retries = context -> new CallRetries.Exchange() {
            @Override
            public Optional<Duration> attemptTimeout() {
                return Optional.empty();
            }

            @Override
            public CallRetries.Decision afterStatus(int status, Duration retryAfter) {
                return new CallRetries.Decision.GiveUp(CallRetries.Reason.BUDGET_REFUSED);
            }

            @Override
            public CallRetries.Decision afterConnectionError() {
                return new CallRetries.Decision.GiveUp(CallRetries.Reason.BUDGET_REFUSED);
            }
        };
        harness.arm.then(503, Bodies.error("ServerBusy", "later"));
        // when, then
        assertThat(failure(harness.pools().read(SHOP_WEB)).describe())
                .isEqualTo("HTTP 503 ServerBusy: later, not retried: the retry budget refused");
    }

    @Test
    void a_failing_credential_is_terminal_and_its_secret_is_not_shown() {
        // given
        AzurePools pools = harness.builder(request -> Mono.error(new ClientAuthenticationException(
                        "AADSTS7000215 client_secret=hunter2 at https://login/x?sig=hunter2", null)))
                .build();
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure).isInstanceOf(Failure.Other.class);
        assertThat(failure.describe()).contains("AADSTS7000215").doesNotContain("hunter2");
    }
}

package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** The adapter's obligations to {@link CallRetries}. */
class CallRetriesHonouredTest {

    private static final AddressSet WANTED = AddressSet.of("10.0.0.4");

    private ArmHarness harness;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    /** Makes the same decision after every failure, with a fixed time limit for the whole exchange. */
    private CallRetries always(Decision decision, Duration request) {
        return context -> new CallRetries.Exchange() {
            private final long begun = harness.time.nanoTime();

            @Override
            public Optional<Duration> attemptTimeout() {
                return Optional.of(request.minusNanos(harness.time.nanoTime() - begun));
            }

            @Override
            public Decision afterStatus(int status, Duration retryAfter) {
                return decision;
            }

            @Override
            public Decision afterConnectionError() {
                return decision;
            }
        };
    }

    @ParameterizedTest
    @EnumSource(ArmCall.Purpose.class)
    void every_kind_of_arm_call_may_be_retried(ArmCall.Purpose purpose) {
        assertThat(CallRetries.IDEMPOTENT_METHODS).contains(purpose.method());
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    @Rule(
            id = "A19",
            says = "The listener receives the reason why a call was not retried; a refusal by the budget has"
                    + " its own reason.",
            source = "ours")
    void the_decision_after_an_attempt_is_reported(Reason reason) {
        // given
        harness.retries = always(new Decision.GiveUp(reason), ofSeconds(20));
        harness.arm.then(503, Bodies.error("ServerBusy", "later"));
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(harness.calls).singleElement().extracting(ArmCall::decision).isEqualTo(new Decision.GiveUp(reason));
        if (reason == Reason.FENCED) {
            assertThat(failure)
                    .as("not a failure of Azure, and so no attempt")
                    .isInstanceOfSatisfying(
                            Failure.Cancelled.class,
                            cancelled -> assertThat(cancelled.fenced()).isTrue());
        } else {
            assertThat(failure)
                    .isInstanceOfSatisfying(
                            Failure.HttpError.class,
                            error -> assertThat(error.retriesEnded()).isEqualTo(reason));
        }
    }

    @Test
    void no_retry_decision_is_made_for_failures_that_are_never_retried_here() {
        // given
        harness.retries = always(new Decision.GiveUp(Reason.BUDGET_REFUSED), ofSeconds(20));
        harness.arm.then(409, "").then(200, Bodies.pool());
        // when
        failure(harness.pools().read(SHOP_WEB));
        ok(harness.pools().read(SHOP_WEB));
        // then
        assertThat(harness.calls).extracting(ArmCall::decision).containsExactly(null, null);
    }

    @Test
    @Rule(
            id = "A20",
            says = "If a wait exceeds the remaining time, the last real failure is returned with the reason.",
            source = "GEP-1742")
    void a_wait_longer_than_the_remaining_time_returns_the_last_failure() {
        // given: a retry is allowed, and its wait takes the remaining time
        harness.retries = always(new Decision.Retry(ofSeconds(30)), ofSeconds(20));
        harness.arm.then(503, Bodies.error("ServerBusy", "later"));
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(failure.describe())
                .isEqualTo("HTTP 503 ServerBusy: later, not retried: the request timeout has expired");
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    void exchanges_start_and_are_decided_on_the_calling_thread() {
        // given
        Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
        CallRetries inner = ArmHarness.retrying(1, ofSeconds(1), 503);
        harness.retries = context -> {
            threads.add(Thread.currentThread());
            CallRetries.Exchange exchange = inner.begin(context);
            return new CallRetries.Exchange() {
                @Override
                public Optional<Duration> attemptTimeout() {
                    threads.add(Thread.currentThread());
                    return exchange.attemptTimeout();
                }

                @Override
                public Decision afterStatus(int status, Duration retryAfter) {
                    threads.add(Thread.currentThread());
                    return exchange.afterStatus(status, retryAfter);
                }

                @Override
                public Decision afterConnectionError() {
                    return exchange.afterConnectionError();
                }
            };
        };
        AzurePools pools = harness.pools();
        // when: a read, a write that is polled, and a listing, each with a retry
        harness.arm.then(503, "");
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm
                .then(503, "")
                .then(201, Bodies.poolIn("Updating", ""))
                .then(503, "")
                .then(200, Bodies.pool("10.0.0.4"))
                .then(200, Bodies.pool("10.0.0.4"))
                .then(503, "")
                .then(200, "{\"value\": []}");
        ok(pools.write(pool, WANTED));
        ok(pools.list());
        // then
        assertThat(threads).containsExactly(Thread.currentThread());
        assertThat(harness.calls).extracting(ArmCall::purpose).contains(ArmCall.Purpose.POLL, ArmCall.Purpose.LIST);
    }

    @Test
    void a_wait_that_takes_all_of_the_remaining_time_is_not_begun() {
        // given: the deadline of the call is five minutes
        harness.retries = ArmHarness.retrying(1, ofMinutes(5), 503);
        harness.arm.then(503, Bodies.error("ServerBusy", "later"));
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(failure.describe())
                .isEqualTo("HTTP 503 ServerBusy: later, not retried: the request timeout has expired");
        assertThat(harness.waits).isEmpty();
    }

    /** How an exchange ends: what the caller gets, or the exception that reaches it. */
    enum End {
        OK,
        REFUSED,
        RETRIED,
        GIVEN_UP,
        NO_TIME,
        NO_TOKEN,
        INTERRUPTED,
        FENCED,
        DECISION_THROWS,
        LISTENER_THROWS
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void each_exchange_that_was_begun_ends(End end) {
        // given
        AtomicInteger open = new AtomicInteger();
        CallRetries inner = end == End.NO_TIME
                ? always(new Decision.GiveUp(Reason.TIMED_OUT), ofSeconds(0))
                : ArmHarness.retrying(1, ofSeconds(1), 503);
        harness.retries = context -> {
            open.incrementAndGet();
            return counted(inner.begin(context), end, open);
        };
        AzurePoolsBuilder builder = harness.builder(
                end == End.NO_TOKEN ? request -> Mono.error(new IllegalStateException("none")) : ArmHarness.TOKEN);
        if (end == End.LISTENER_THROWS) {
            builder.listener(attempt -> {
                throw new IllegalStateException("a listener that breaks its contract");
            });
        }
        AtomicBoolean leads = new AtomicBoolean(true);
        answers(end, leads);
        if (end == End.INTERRUPTED) {
            Thread.currentThread().interrupt();
        }
        // when
        CallContext context = new CallContext(Term.during(leads::get), false, null);
        Throwable thrown = catchThrowable(() -> builder.build().read(SHOP_WEB, context));
        Thread.interrupted();
        // then
        assertThat(thrown == null).isEqualTo(end != End.DECISION_THROWS && end != End.LISTENER_THROWS);
        assertThat(open).hasValue(0);
    }

    private void answers(End end, AtomicBoolean leads) {
        switch (end) {
            case OK -> harness.arm.then(200, Bodies.pool());
            case REFUSED -> harness.arm.then(403, "");
            case RETRIED -> harness.arm.then(503, "").then(200, Bodies.pool());
            case FENCED ->
                harness.arm.then(exchange -> {
                    leads.set(false);
                    ScriptedArm.answer(503, "").to(exchange);
                });
            default -> harness.arm.then(503, "").then(503, "");
        }
    }

    private static CallRetries.Exchange counted(CallRetries.Exchange inner, End end, AtomicInteger open) {
        return new CallRetries.Exchange() {
            @Override
            public Optional<Duration> attemptTimeout() {
                return inner.attemptTimeout();
            }

            @Override
            public Decision afterStatus(int status, Duration retryAfter) {
                if (end == End.DECISION_THROWS) {
                    throw new AssertionError("of a kind that nobody expects");
                }
                return inner.afterStatus(status, retryAfter);
            }

            @Override
            public Decision afterConnectionError() {
                return inner.afterConnectionError();
            }

            @Override
            public void end() {
                open.decrementAndGet();
            }
        };
    }
}

package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parking until {@code Retry-After}. Tests 1 to 5, 7, 8, 18 and 20 of the design document. */
class ThrottlingTest {

    private static final FaultRule THROTTLED =
            FaultRule.always(429).code("TooManyRequests").times(1);

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D01",
            says = "A 429 with Retry-After on a read parks the operation and reports the retry; until that time"
                    + " ticks make no call, emit no event and count nothing.",
            source = "design document, Tests 1")
    void a_throttled_read_parks_quietly_until_its_instant(UpdateModel model) {
        throttled(model, "GET", List.of("GET 429", "GET 200", "PUT 200"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D02",
            says = "A 429 with Retry-After on a write parks the operation in the same way.",
            source = "design document, Tests 2")
    void a_throttled_write_parks_quietly_until_its_instant(UpdateModel model) {
        throttled(model, "PUT", List.of("GET 200", "PUT 429", "GET 200", "PUT 200"));
    }

    private static void throttled(UpdateModel model, String method, List<String> calls) {
        // given
        UpdateFixture f = new UpdateFixture(model);
        f.fault(THROTTLED.forMethod(method).retryAfter(Duration.ofSeconds(75)));
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.tick();
        // then
        assertThat(f.messages())
                .containsExactly(
                        "Backend pool update failed (attempt 1 of 4): HTTP 429 TooManyRequests. Retrying not before"
                                + " 2026-03-01T12:01:45Z.");
        assertThat(f.status(POOL).difference())
                .get()
                .returns(Difference.Reason.PARKED, Difference::reason)
                .satisfies(why -> assertThat(why.until()).contains(FakeTime.START.plusSeconds(105)));
        int callsAtFirst = f.calls().size();
        // when
        f.ticks(2);
        // then
        assertThat(f.calls()).hasSize(callsAtFirst);
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.counted()).containsExactly(0L, 0L, 1L);
        assertThat(f.waiting()).isEqualTo(1);
        // when
        f.tick();
        // then
        assertThat(f.calls()).isEqualTo(calls);
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D03",
            says = "A 429 without a future time requeues for the next tick.",
            source = "design document, Tests 3")
    void throttling_without_an_instant_waits_for_the_next_tick(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(THROTTLED);
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.attempts().get(0).notBefore()).isEmpty();
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    void a_retry_after_of_zero_waits_for_the_next_tick(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(THROTTLED.retryAfter(Duration.ZERO));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    @Rule(
            id = "D04",
            says = "In diff a refusal at the local gate parks the operation until the gate opens and counts as"
                    + " a failed attempt.",
            source = "design document, Tests 4")
    void in_diff_a_refusal_at_the_gate_parks_and_counts() {
        Gate gate = new Gate();
        UpdateFixture f = gate.fixture(UpdateModel.DIFF);
        gate.shutUntil.set(f.time.instant().plusSeconds(80));
        f.want(WEB, POOL, "10.0.0.4");

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.status(POOL).attempts()).isEqualTo(1);
        assertThat(f.engine.nextEligibleAt()).contains(FakeTime.START.plusSeconds(80));
    }

    @Test
    @Rule(
            id = "S1",
            says = "In desired-state a refusal at the local gate, with nothing sent, parks the operation,"
                    + " consumes no retry and emits no event.",
            source = "ours",
            differs = "In Go refusals at the gate use up the retries: updates that never reached ARM are dropped.")
    void in_desired_state_a_refusal_at_the_gate_parks_without_counting() {
        Gate gate = new Gate();
        UpdateFixture f = gate.fixture(UpdateModel.DESIRED_STATE);
        f.want(WEB, POOL, "10.0.0.4");

        for (int i = 0; i < 10; i++) {
            gate.shutUntil.set(f.time.instant().plusSeconds(45));
            f.tick();
        }

        assertThat(f.events.events()).isEmpty();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
        assertThat(f.waiting()).isEqualTo(1);
        assertThat(f.status(POOL).attempts()).isZero();
    }

    @Test
    @Rule(
            id = "D05",
            says = "A refusal at a gate that has since opened falls back to the next tick.",
            source = "design document, Tests 5")
    void a_refusal_at_a_gate_that_opened_meanwhile_waits_for_the_next_tick() {
        Gate gate = new Gate();
        UpdateFixture f = gate.fixture(UpdateModel.DIFF);
        gate.shutUntil.set(f.time.instant());
        f.want(WEB, POOL, "10.0.0.4");

        f.tick();
        gate.shutUntil.set(null);
        f.tick();

        assertThat(f.attempts().get(0).notBefore()).isEmpty();
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    @Rule(
            id = "D07",
            says = "If one operation of a group has to wait, the whole group waits; other groups continue.",
            source = "design document, Tests 7 and Merge Rule")
    void a_parked_operation_parks_its_whole_group_and_no_other() {
        // given
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(THROTTLED.forPool("shop-web").retryAfter(Duration.ofSeconds(100)));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        // when
        f.want(WEB, POOL, "10.0.0.4", "10.0.0.5");
        f.want(API, OTHER_POOL, "10.0.0.6");
        f.tick();
        // then
        assertThat(f.callsTo(POOL)).isEqualTo(1);
        assertThat(f.held(OTHER_POOL)).isEqualTo(AddressSet.of("10.0.0.6"));
        assertThat(f.waiting()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void a_pool_listed_during_its_throttled_attempt_is_still_parked(UpdateModel model) {
        // given
        UpdateFixture f = new UpdateFixture(model);
        f.fault(THROTTLED.retryAfter(Duration.ofSeconds(100)));
        f.want(WEB, POOL, "10.0.0.4");
        f.duringRead(() -> {
            f.duringRead(() -> {});
            f.want(WEB, POOL, "10.0.0.5");
            CompletableFuture<Void> unused = Ticks.of(f.engine);
        });
        // when
        f.tick();
        f.tick();
        // then
        assertThat(f.calls()).containsExactly("GET 429");
        // when
        f.ticks(3);
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.5"));
        assertThat(f.calls()).containsExactly("GET 429", "GET 200", "PUT 200");
    }

    private static final String D08 =
            "Fresh operations for a parked pool are applied after the parked ones, so that the last one decides, also"
                    + " if they came during the attempt that was throttled.";

    @Test
    @Rule(id = "D08", says = D08, source = "design document, Tests 8")
    void parked_operations_are_applied_before_fresh_ones() {
        // given
        UpdateFixture f = parkedInDiff();
        f.tick();
        // when
        f.want(WEB, POOL, "10.0.0.5");
        // then
        assertThatTheLastOneDecides(f);
    }

    @Test
    @Rule(id = "D08", says = D08, source = "design document, Tests 8")
    void a_parked_operation_precedes_one_queued_during_its_attempt() {
        // given
        UpdateFixture f = parkedInDiff();
        f.duringRead(() -> {
            f.duringRead(() -> {});
            f.want(WEB, POOL, "10.0.0.5");
        });
        // when
        f.tick();
        // then
        assertThatTheLastOneDecides(f);
    }

    /** The first read is throttled: what replaces the pool's addresses is parked. */
    private static UpdateFixture parkedInDiff() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(Duration.ofSeconds(40)));
        f.want(WEB, POOL, "10.0.0.4", "10.0.0.5");
        return f;
    }

    private static void assertThatTheLastOneDecides(UpdateFixture f) {
        assertThat(f.waiting()).isEqualTo(2);
        f.ticks(2);
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.5"));
        assertThat(f.calls()).containsExactly("GET 429", "GET 200", "PUT 200");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D18",
            says = "If a Service is deleted while its operation is parked, the operation is dropped silently.",
            source = "design document, Tests 18")
    void a_parked_operation_of_a_deleted_service_is_dropped_without_an_event(UpdateModel model) {
        // given
        UpdateFixture f = new UpdateFixture(model);
        f.fault(THROTTLED.retryAfter(Duration.ofMinutes(5)));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        f.events.clear();
        // when
        f.view.leave(WEB, POOL);
        f.ticks(10);
        // then
        assertThat(f.waiting()).isZero();
        assertThat(f.events.events()).isEmpty();
        assertThat(f.callsTo(POOL)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D20",
            says = "When a Service stops being local, its parked operations are removed immediately too.",
            source = "design document, Tests 20")
    void parked_operations_of_a_service_that_left_are_removed_at_once(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(THROTTLED.retryAfter(Duration.ofHours(1)));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();

        f.view.leave(WEB, POOL);

        assertThat(f.waiting()).isZero();
        assertThat(f.engine.nextEligibleAt()).isEmpty();
    }

    @Test
    @Rule(
            id = "R11.3",
            says = "An operation is eligible again at its nextEligibleAt, not after it.",
            source = "contract, Replay rule 11")
    void an_operation_is_eligible_at_its_instant() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(UpdateFixture.INTERVAL));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @Test
    @Rule(
            id = "S5",
            says = "A Retry-After of more than a day counts as one day.",
            source = "ours",
            differs = "Go waits for the whole Retry-After, however long.")
    void a_retry_after_beyond_a_day_counts_as_a_day() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(Duration.ofSeconds(Long.MAX_VALUE)));
        f.want(WEB, POOL, "10.0.0.4");

        f.tick();

        assertThat(f.engine.nextEligibleAt()).contains(f.time.instant().plus(Duration.ofDays(1)));
    }

    @Test
    @Rule(
            id = "S7",
            says = "With 100 pools, a quota of 10 writes per window and 3 retries, desired-state loses no update and"
                    + " writes each pool once.",
            source = "ours",
            differs = "Go drops 60 of the 100.")
    void a_small_quota_and_many_pools_lose_no_update() {
        // given
        Gate gate = new Gate();
        gate.quota = 10;
        UpdateFixture f = gate.fixture(UpdateModel.DESIRED_STATE);
        List<PoolKey> pools = IntStream.range(0, 100)
                .mapToObj(i -> PoolKey.of("lb-1", "ns-svc" + i))
                .toList();
        for (int i = 0; i < 100; i++) {
            f.cloud.putPool(pools.get(i), AddressSet.empty());
            f.want(new ServiceName("ns", "svc" + i), pools.get(i), "10.0.0.4");
        }
        // when
        for (int window = 0; window < 10; window++) {
            gate.sent = 0;
            f.tick();
        }
        // then
        assertThat(pools).allSatisfy(pool -> assertThat(f.held(pool)).isEqualTo(AddressSet.of("10.0.0.4")));
        assertThat(f.counted()).containsExactly(100L, 0L, 9L);
        assertThat(f.cloud.calls())
                .filteredOn(call -> call.method().equals("PUT"))
                .hasSize(100);
    }

    /**
     * A write gate in front of the cloud, which refuses reads of pools that could not be written, like the adapter's.
     */
    private static final class Gate {
        final AtomicReference<@Nullable Instant> shutUntil = new AtomicReference<>();
        int quota = Integer.MAX_VALUE;
        int sent;

        UpdateFixture fixture(UpdateModel model) {
            return new UpdateFixture(
                    EngineSettings.REFERENCE.withModel(model), UnaryOperator.identity(), this::inFront);
        }

        private BackendPools inFront(BackendPools cloud) {
            return new BackendPools() {
                @Override
                public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                    Instant until = shutUntil.get();
                    if (until != null) {
                        return Reply.failed(Failure.Throttled.atGate(until));
                    }
                    if (sent > quota) {
                        return Reply.failed(Failure.Throttled.atGate(Instant.EPOCH));
                    }
                    return cloud.read(pool, context);
                }

                @Override
                public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                    if (++sent > quota) {
                        return Reply.failed(Failure.ofStatus(429, null, ArmError.of(429, "TooManyRequests")));
                    }
                    return cloud.write(read, addresses, context);
                }
            };
        }
    }
}

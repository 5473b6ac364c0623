package dev.poolkeeper.core.tick;

import static dev.poolkeeper.core.tick.Fixture.API;
import static dev.poolkeeper.core.tick.Fixture.OTHER_POOL;
import static dev.poolkeeper.core.tick.Fixture.POOL;
import static dev.poolkeeper.core.tick.Fixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parking behind {@code Retry-After}. Tests 1 to 5, 7, 8, 18 and 20 of the design document. */
class ThrottlingTest {

    private static final FaultRule THROTTLED =
            FaultRule.always(429).code("TooManyRequests").times(1);

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D01",
            says = "429 with Retry-After on a read parks the operation and tells of the retry; until then ticks change"
                    + " nothing: no call, event, count or metric.",
            source = "design document, Tests 1")
    void a_throttled_read_parks_quietly_until_its_instant(UpdateModel model) {
        throttled(model, "GET", List.of("GET 429", "GET 200", "PUT 200"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D02",
            says = "429 with Retry-After on a write parks in the same way.",
            source = "design document, Tests 2")
    void a_throttled_write_parks_quietly_until_its_instant(UpdateModel model) {
        throttled(model, "PUT", List.of("GET 200", "PUT 429", "GET 200", "PUT 200"));
    }

    private static void throttled(UpdateModel model, String method, List<String> calls) {
        // given
        Fixture f = new Fixture(model);
        f.fault(THROTTLED.forMethod(method).retryAfter(Duration.ofSeconds(75)));
        f.replace(WEB, POOL, "10.0.0.4");
        // when
        f.tick();
        // then
        assertThat(f.messages())
                .containsExactly(
                        "Backend pool update failed (attempt 1 of 4): HTTP 429 TooManyRequests. Retrying not before"
                                + " 1970-01-01T00:01:45Z.");
        int callsAtFirst = f.calls().size();
        // when
        f.ticks(2);
        // then
        assertThat(f.calls()).hasSize(callsAtFirst);
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.counted()).containsExactly(0L, 0L, 1L);
        assertThat(f.queue.size()).isEqualTo(1);
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
            says = "429 without a future instant requeues for the next tick.",
            source = "design document, Tests 3")
    void throttling_without_an_instant_waits_for_the_next_tick(UpdateModel model) {
        Fixture f = new Fixture(model);
        f.fault(THROTTLED);
        f.replace(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.messages().get(0)).endsWith("Retrying on the next update.");
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    void a_retry_after_of_zero_waits_for_the_next_tick() {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(Duration.ZERO));
        f.add(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    @Rule(
            id = "D04",
            says = "In diff a refusal at the local gate parks until the gate opens and counts as a failed attempt.",
            source = "design document, Tests 4")
    void in_diff_a_refusal_at_the_gate_parks_and_counts() {
        Gate gate = new Gate();
        Fixture f = gate.fixture(UpdateModel.DIFF);
        gate.shutUntil.set(f.clock.instant().plusSeconds(80));
        f.add(WEB, POOL, "10.0.0.4");

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.queue.drain().get(0).operations()).singleElement().satisfies(operation -> {
            assertThat(operation.retryCount()).isEqualTo(1);
            assertThat(operation.nextEligibleAt()).isEqualTo(Instant.ofEpochSecond(80));
        });
    }

    @Test
    @Rule(
            id = "S1",
            says = "In desired-state a refusal at the local gate, where nothing was sent, parks and consumes no"
                    + " retry; nobody is told.",
            source = "DESIGN section 2 and 7.3",
            differs = "In Go refusals at the gate use up the retries: updates that never reached ARM are dropped.")
    void in_desired_state_a_refusal_at_the_gate_parks_and_counts_for_nothing() {
        Gate gate = new Gate();
        Fixture f = gate.fixture(UpdateModel.DESIRED_STATE);
        f.replace(WEB, POOL, "10.0.0.4");

        for (int i = 0; i < 10; i++) {
            gate.shutUntil.set(f.clock.instant().plusSeconds(45));
            f.tick();
        }

        assertThat(f.events.events()).isEmpty();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
        assertThat(f.queue.drain().get(0).operations())
                .singleElement()
                .satisfies(operation -> assertThat(operation.retryCount()).isZero());
    }

    @Test
    @Rule(
            id = "D05",
            says = "A refusal at a gate that has opened since falls back to the next tick.",
            source = "design document, Tests 5")
    void a_refusal_at_a_gate_that_opened_meanwhile_waits_for_the_next_tick() {
        Gate gate = new Gate();
        Fixture f = gate.fixture(UpdateModel.DIFF);
        gate.shutUntil.set(f.clock.instant());
        f.add(WEB, POOL, "10.0.0.4");

        f.tick();
        gate.shutUntil.set(null);
        f.tick();

        assertThat(f.messages().get(0)).endsWith("Retrying on the next update.");
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    @Rule(
            id = "D07",
            says = "If one operation of a group has to wait, the whole group waits; other groups go on.",
            source = "design document, Tests 7 and Merge Rule")
    void a_parked_operation_parks_its_whole_group_and_no_other() {
        // given
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.local(API, OTHER_POOL);
        f.fault(THROTTLED.forPool("shop-web").retryAfter(Duration.ofSeconds(100)));
        f.add(WEB, POOL, "10.0.0.4");
        f.tick();
        // when
        f.add(WEB, POOL, "10.0.0.5");
        f.add(API, OTHER_POOL, "10.0.0.6");
        f.tick();
        // then
        assertThat(f.callsTo(POOL)).isEqualTo(1);
        assertThat(f.held(OTHER_POOL)).isEqualTo(AddressSet.of("10.0.0.6"));
        assertThat(f.queue.size()).isEqualTo(2);
    }

    @Test
    @Rule(
            id = "D08",
            says = "Fresh operations for a parked pool are applied after the parked ones, so that the last one"
                    + " decides.",
            source = "design document, Tests 8")
    void parked_operations_are_applied_before_fresh_ones() {
        // given
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(Duration.ofSeconds(40)));
        f.add(WEB, POOL, "10.0.0.4", "10.0.0.5");
        f.tick();
        // when
        f.remove(WEB, POOL, "10.0.0.4");
        f.ticks(2);
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.5"));
        assertThat(f.calls()).containsExactly("GET 429", "GET 200", "PUT 200");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D18",
            says = "A Service that disappears while its operation is parked is dropped quietly.",
            source = "design document, Tests 18")
    void a_parked_operation_of_a_service_that_is_gone_is_dropped_quietly(UpdateModel model) {
        Fixture f = new Fixture(model);
        f.fault(THROTTLED.retryAfter(Duration.ofHours(1)));
        f.replace(WEB, POOL, "10.0.0.4");
        f.tick();
        f.events.clear();

        f.localServices.remove(WEB);
        f.tick();

        assertThat(f.queue.isEmpty()).isTrue();
        assertThat(f.events.events()).isEmpty();
        assertThat(f.callsTo(POOL)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D20",
            says = "Removing a Service's operations removes parked ones too.",
            source = "design document, Tests 20")
    void parked_operations_can_be_removed(UpdateModel model) {
        Fixture f = new Fixture(model);
        f.fault(THROTTLED.retryAfter(Duration.ofHours(1)));
        f.replace(WEB, POOL, "10.0.0.4");
        f.tick();

        f.queue.remove(WEB);

        assertThat(f.queue.isEmpty()).isTrue();
    }

    @Test
    @Rule(
            id = "R11.3",
            says = "An operation is eligible again at its nextEligibleAt, not after it.",
            source = "contract, Replay rule 11")
    void an_operation_is_eligible_at_its_instant() {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(Fixture.INTERVAL));
        f.add(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @Test
    @Rule(
            id = "S5",
            says = "A Retry-After beyond a day counts as a day.",
            source = "DESIGN section 7.5",
            differs = "Go waits for as long as it is told, centuries too.")
    void a_retry_after_beyond_a_day_counts_as_a_day() {
        Fixture f = new Fixture(UpdateModel.DIFF);
        f.fault(THROTTLED.retryAfter(Duration.ofSeconds(Long.MAX_VALUE)));
        f.add(WEB, POOL, "10.0.0.4");

        f.tick();

        assertThat(f.queue.drain().get(0).operations().get(0).nextEligibleAt())
                .isEqualTo(f.clock.instant().plus(Duration.ofDays(1)));
    }

    @Test
    @Rule(
            id = "S7",
            says = "With 100 pools, a quota of 10 writes a window and 3 retries, desired-state loses no update and"
                    + " writes each pool once.",
            source = "DESIGN section 2",
            differs = "Go drops 60 of the 100.")
    void a_small_quota_and_many_pools_lose_no_update() {
        // given
        Gate gate = new Gate();
        gate.quota = 10;
        Fixture f = gate.fixture(UpdateModel.DESIRED_STATE);
        List<PoolKey> pools = java.util.stream.IntStream.range(0, 100)
                .mapToObj(i -> PoolKey.of("lb-1", "ns-svc" + i))
                .toList();
        for (int i = 0; i < 100; i++) {
            f.cloud.putPool(pools.get(i), AddressSet.empty());
            dev.poolkeeper.ports.ServiceName service = new dev.poolkeeper.ports.ServiceName("ns", "svc" + i);
            f.local(service, pools.get(i));
            f.replace(service, pools.get(i), "10.0.0.4");
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

    /** A write gate in front of the cloud: refuses reads of what could not be written, as the adapter's does. */
    private static final class Gate {
        final AtomicReference<@Nullable Instant> shutUntil = new AtomicReference<>();
        int quota = Integer.MAX_VALUE;
        int sent;

        Fixture fixture(UpdateModel model) {
            return new Fixture(model, 3, RetryBudget.ENDLESS, this::inFront);
        }

        private BackendPools inFront(BackendPools cloud) {
            return new BackendPools() {
                @Override
                public Reply<BackendPool> read(PoolKey pool) {
                    Instant until = shutUntil.get();
                    if (until != null) {
                        return Reply.failed(Failure.Throttled.atGate(until));
                    }
                    if (sent > quota) {
                        return Reply.failed(Failure.Throttled.atGate(Instant.EPOCH));
                    }
                    return cloud.read(pool);
                }

                @Override
                public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
                    if (++sent > quota) {
                        return Reply.failed(
                                Failure.ofStatus(429, null, dev.poolkeeper.ports.ArmError.of(429, "TooManyRequests")));
                    }
                    return cloud.write(read, addresses);
                }
            };
        }
    }
}

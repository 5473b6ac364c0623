package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When updates start with the eager pace, and in which order. */
class EagerPaceTest {

    private static final Duration GATHER = Duration.ofSeconds(1);
    private static final Pace.Eager PACE = new Pace.Eager(GATHER, Duration.ofSeconds(120), Duration.ofSeconds(30));
    private static final EngineSettings SETTINGS = EngineSettings.REFERENCE.withPace(PACE);
    private static final ServiceName SHOP = new ServiceName("shop", "shop");
    private static final PoolKey THIRD_POOL = PoolKey.of("lb-1", "shop-shop");

    private final UpdateFixture the = new UpdateFixture(SETTINGS);
    private final Instant start = the.time.instant();

    /** The embedder's loop, which ticks only at the times that the engine requests. */
    private void run(Duration duration) {
        run(the, duration);
    }

    private static void run(UpdateFixture the, Duration duration) {
        Instant end = the.time.instant().plus(duration);
        for (int i = 0; i < 1_000; i++) {
            Instant next = the.engine.nextStart().orElse(end.plusNanos(1));
            if (next.isAfter(end)) {
                the.time.advanceTo(end);
                return;
            }
            the.time.advanceTo(next);
            Ticks.of(the.engine).join();
        }
        throw new AssertionError("an engine that asks to be called for ever");
    }

    private List<String> calls() {
        return the.cloud.calls().stream()
                .map(call -> "%s %s %d at %s"
                        .formatted(
                                call.method(),
                                call.pool().pool(),
                                call.status(),
                                Duration.between(start, call.at()).toString()))
                .toList();
    }

    private List<String> poolsInOrder() {
        return the.cloud.calls().stream()
                .filter(call -> call.method().equals("PUT"))
                .map(Call::pool)
                .map(pool -> pool.pool().toString())
                .toList();
    }

    @Test
    @Rule(
            id = "J1",
            says = "With the eager pace a pool is due a gathering time after its first change that no update"
                    + " has included; later changes do not postpone it, and all of them make one write.",
            source = "ours")
    void changes_are_batched_for_a_second_from_the_first_one() {
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofMillis(900));
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        run(Duration.ofSeconds(10));

        assertThat(calls()).containsExactly("GET shop-web 200 at PT1S", "PUT shop-web 200 at PT1S");
        assertThat(the.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2"));
        assertThat(the.engine.nextStart()).isEmpty();
    }

    @Test
    @Rule(
            id = "J2",
            says = "With the eager pace a change that arrives before the pool has been read is included in the"
                    + " same update; one that arrives during the write waits for its own gathering time.",
            source = "ours")
    void a_change_during_the_read_is_included() {
        the.duringRead(() -> {
            the.duringRead(() -> {});
            the.want(WEB, POOL, "10.0.0.2");
        });
        the.duringWrite(() -> {
            the.duringWrite(() -> {});
            the.want(WEB, POOL, "10.0.0.3");
        });
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofSeconds(10));

        assertThat(calls())
                .containsExactly(
                        "GET shop-web 200 at PT1S",
                        "PUT shop-web 200 at PT1S",
                        "GET shop-web 200 at PT2S",
                        "PUT shop-web 200 at PT2S");
        assertThat(the.held(POOL)).isEqualTo(AddressSet.of("10.0.0.3"));
    }

    @Test
    @Rule(
            id = "J3",
            says = "A free load balancer starts its most urgent pool: first a pool that holds none of its"
                    + " wanted addresses, then the one that misses the larger share, then the rest; of equal"
                    + " ones, the one that changed first.",
            source = "ours")
    void outages_go_first_then_the_larger_missing_share() {
        the.cloud.putPool(THIRD_POOL, AddressSet.empty());
        the.engine.askForListing();
        the.time.advanceTo(the.engine.nextListing());
        the.engine.listIfDue();
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
        the.want(API, OTHER_POOL, "10.0.0.1", "10.0.0.2");
        run(Duration.ofSeconds(5));
        int before = poolsInOrder().size();

        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.5"); // misses one of four
        the.time.advance(Duration.ofMillis(1));
        the.want(API, OTHER_POOL, "10.0.0.1", "10.0.0.3"); // misses one of two
        the.time.advance(Duration.ofMillis(1));
        the.want(SHOP, THIRD_POOL, "10.0.0.1"); // misses all
        the.time.advance(GATHER);
        Ticks.of(the.engine).join();

        assertThat(poolsInOrder().subList(before, before + 3)).containsExactly("shop-shop", "shop-api", "shop-web");
    }

    @Test
    @Rule(
            id = "J4",
            says = "A pool that has waited more than two minutes since its change goes before all others, the"
                    + " longest-waiting first.",
            source = "ours")
    void a_pool_that_has_waited_for_too_long_goes_first() {
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        run(Duration.ofSeconds(5));
        the.want(WEB, POOL, "10.0.0.1");
        the.time.advance(Duration.ofSeconds(121));
        the.want(API, OTHER_POOL, "10.0.0.1");
        the.time.advance(GATHER);
        int before = poolsInOrder().size();
        Ticks.of(the.engine).join();

        assertThat(poolsInOrder().subList(before, before + 2)).containsExactly("shop-web", "shop-api");
    }

    @Test
    @Rule(
            id = "J28",
            says = "Of pools that have waited too long, and equally long, those that hold none of their wanted"
                    + " addresses go first.",
            source = "ours")
    void of_pools_that_have_waited_for_too_long_since_the_same_instant_outages_go_first() {
        the.want(API, OTHER_POOL, "10.0.0.1", "10.0.0.2");
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        run(Duration.ofSeconds(5));
        the.want(API, OTHER_POOL, "10.0.0.1", "10.0.0.3"); // shop-api is before shop-web by name
        the.want(WEB, POOL, "10.0.0.3");
        the.time.advance(Duration.ofSeconds(125));
        int before = poolsInOrder().size();
        Ticks.of(the.engine).join();

        assertThat(poolsInOrder().subList(before, before + 2)).containsExactly("shop-web", "shop-api");
    }

    @Test
    @Rule(
            id = "J5",
            says = "After a failed attempt with the eager pace the whole pool waits, including fresh changes,"
                    + " until the next multiple of the interval, or until the response's Retry-After ends if"
                    + " that is later.",
            source = "ours")
    void a_failed_pool_waits_for_the_next_multiple_of_the_interval() {
        the.fault(FaultRule.always(409).forMethod("PUT").times(1));
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofSeconds(20));
        the.want(WEB, POOL, "10.0.0.2");
        run(Duration.ofSeconds(20));

        assertThat(calls())
                .containsExactly(
                        "GET shop-web 200 at PT1S",
                        "PUT shop-web 409 at PT1S",
                        "GET shop-web 200 at PT30S",
                        "PUT shop-web 200 at PT30S");
        assertThat(the.held(POOL)).isEqualTo(AddressSet.of("10.0.0.2"));
    }

    @Test
    void a_parked_pool_waits_for_its_instant() {
        the.fault(FaultRule.always(429).forMethod("PUT").times(1).retryAfter(Duration.ofSeconds(47)));
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofMinutes(2));

        assertThat(calls().subList(2, 4)).containsExactly("GET shop-web 200 at PT48S", "PUT shop-web 200 at PT48S");
    }

    @Test
    void a_change_after_a_final_failure_waits_too() {
        the.fault(FaultRule.always(400).forMethod("PUT").times(1));
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofSeconds(5));
        assertThat(the.reasons()).containsExactly("shop/web FAILED");
        the.want(WEB, POOL, "10.0.0.2");
        run(Duration.ofMinutes(1));

        assertThat(calls().subList(2, 4)).containsExactly("GET shop-web 200 at PT30S", "PUT shop-web 200 at PT30S");
    }

    @Test
    @Rule(
            id = "J6",
            says = "With the eager pace an unavailable resource lock is requested again every five seconds; in"
                    + " the meantime nothing starts and nothing is counted.",
            source = "ours")
    void a_lock_held_by_another_writer_is_requested_every_five_seconds() {
        the.resourceLock.takeAway();
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofSeconds(12));
        assertThat(calls()).isEmpty();
        assertThat(the.counted()).containsExactly(0L, 0L, 0L);
        the.resourceLock.release();
        run(Duration.ofSeconds(12));

        assertThat(calls()).containsExactly("GET shop-web 200 at PT16S", "PUT shop-web 200 at PT16S");
    }

    @ParameterizedTest
    @CsvSource({"-60, PT6S", "0, PT6S", "2, PT3S", "5, PT6S", "60, PT6S"})
    void a_lock_is_requested_again_when_its_holder_is_done_or_after_five_seconds(int ends, Duration again) {
        UpdateFixture refused = new UpdateFixture(
                SETTINGS,
                builder -> builder.resourceLock(new ResourceLock() {
                    @Override
                    public Optional<Hold> tryAcquire() {
                        return Optional.empty();
                    }

                    @Override
                    public Optional<Holder> holder() {
                        return Optional.of(new Holder(
                                "another", Optional.empty(), start.plus(GATHER).plusSeconds(ends)));
                    }
                }),
                UnaryOperator.identity());
        refused.want(WEB, POOL, "10.0.0.1");
        refused.time.advance(GATHER);
        Ticks.of(refused.engine).join();
        assertThat(refused.engine.nextStart()).contains(start.plus(again));
    }

    @Test
    void a_lock_that_is_acquired_is_not_the_reason_for_what_waits_behind() {
        the.resourceLock.takeAway();
        the.want(WEB, POOL, "10.0.0.1");
        the.want(API, OTHER_POOL, "10.0.0.1");
        run(Duration.ofSeconds(2));
        the.resourceLock.release();
        List<Difference.Reason> reasons = new ArrayList<>();
        the.duringRead(() -> {
            the.duringRead(() -> {});
            the.engine
                    .status()
                    .pools()
                    .forEach(pool -> reasons.add(pool.difference().orElseThrow().reason()));
        });
        run(Duration.ofSeconds(10));
        assertThat(reasons).containsExactlyInAnyOrder(Difference.Reason.IN_PROGRESS, Difference.Reason.QUEUED);
    }

    @Test
    void nothing_starts_on_a_load_balancer_that_is_busy() {
        List<Instant> starts = new ArrayList<>();
        the.duringWrite(() -> {
            the.duringWrite(() -> {});
            the.want(API, OTHER_POOL, "10.0.0.1");
            the.time.advance(GATHER);
            the.engine.nextStart().ifPresent(starts::add);
        });
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofSeconds(10));
        assertThat(starts).isEmpty();
        assertThat(the.held(OTHER_POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    void nothing_starts_in_a_term_that_is_over_although_nobody_said_so() {
        EngineFixture led = new EngineFixture(SETTINGS);
        led.pool("web");
        led.service("web", 1);
        led.lead();
        led.engine.listIfDue();
        assertThat(led.engine.nextStart()).isPresent();
        assertThat(led.engine.isServing()).isTrue();
        led.leader = false;
        assertThat(led.engine.nextStart()).isEmpty();
        assertThat(led.engine.isServing()).isFalse();
    }

    @Test
    void while_the_quota_is_scarce_a_pool_without_an_outage_waits_for_the_update_of_another_load_balancer() {
        PoolKey second = PoolKey.of("lb-2", "shop-api");
        UpdateFixture scarce = new UpdateFixture(
                SETTINGS,
                builder -> builder.quota(() -> WriteQuota.Level.SCARCE).sideBySide(),
                UnaryOperator.identity());
        List.of(POOL, second).forEach(pool -> scarce.cloud.putPool(pool, AddressSet.of("10.0.0.1")));
        scarce.lead();
        List<Long> meanwhile = new ArrayList<>();
        scarce.duringWrite(() -> {
            scarce.duringWrite(() -> {});
            scarce.time.advance(QuotaTurns.BETWEEN);
            Ticks.of(scarce.engine).join();
            meanwhile.add(scarce.callsTo(POOL) + scarce.callsTo(second));
        });
        scarce.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        scarce.want(API, second, "10.0.0.1", "10.0.0.2");
        run(scarce, Duration.ofSeconds(5));
        assertThat(meanwhile).as("calls before the first write").containsExactly(1L);
        assertThat(scarce.calls()).hasSize(4);
    }

    @Test
    @Rule(
            id = "J30",
            says = "The resource lock stops being the reason once no update waits for it: a later update is queued"
                    + " until the lock is refused again.",
            source = "ours")
    void a_lock_that_nothing_waits_for_is_not_the_reason() {
        the.resourceLock.takeAway();
        the.want(WEB, POOL, "10.0.0.1");
        run(Duration.ofSeconds(2));
        assertThat(reason()).contains(Difference.Reason.LOCK_HELD);

        the.view.leave(WEB, POOL);
        run(Duration.ofSeconds(60));
        Ticks.of(the.engine).join();
        the.want(WEB, POOL, "10.0.0.1");
        assertThat(reason()).contains(Difference.Reason.QUEUED);

        run(Duration.ofSeconds(2));
        assertThat(reason()).contains(Difference.Reason.LOCK_HELD);
    }

    private Optional<Difference.Reason> reason() {
        return the.status(POOL).difference().map(Difference::reason);
    }

    @Test
    @Rule(
            id = "J7",
            says = "With the eager pace a held update is due immediately when the guard releases it.",
            source = "ours")
    void a_pool_released_by_a_guard_is_due_at_once() {
        UpdateFixture guarded = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(PACE), UnaryOperator.identity(), UnaryOperator.identity());
        guarded.view.pause(WEB);
        guarded.want(WEB, POOL, "10.0.0.1");
        guarded.time.advance(GATHER);
        Ticks.of(guarded.engine).join();
        assertThat(guarded.calls()).isEmpty();
        assertThat(guarded.engine.nextStart()).isEmpty();

        guarded.time.advance(Duration.ofSeconds(3));
        guarded.view.resume(WEB);
        guarded.want(API, OTHER_POOL, "10.0.0.9");
        assertThat(guarded.engine.nextStart()).contains(guarded.time.instant());
        Ticks.of(guarded.engine).join();
        assertThat(guarded.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    static List<Pace> paces() {
        return List.of(PACE, Pace.TICK);
    }

    @ParameterizedTest
    @MethodSource("paces")
    @Rule(
            id = "J29",
            says = "A held update acquires the resource lock once, and then not until the guard releases it, so that"
                    + " other writers are not kept from it.",
            source = "ours")
    void a_held_pool_acquires_the_resource_lock_only_once(Pace pace) {
        AtomicInteger acquired = new AtomicInteger();
        UpdateFixture guarded = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(pace),
                builder -> builder.resourceLock(() -> {
                    acquired.incrementAndGet();
                    return ResourceLock.NONE.tryAcquire();
                }),
                UnaryOperator.identity());
        guarded.view.pause(WEB);
        guarded.want(WEB, POOL, "10.0.0.1");
        guarded.time.advance(GATHER);
        Ticks.of(guarded.engine).join();
        guarded.ticks(10);
        assertThat(acquired).hasValue(1);

        guarded.view.resume(WEB);
        guarded.tick();
        assertThat(acquired).hasValue(2);
        assertThat(guarded.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    void a_service_that_left_while_its_pool_was_written_does_not_wait_for_a_guard() {
        UpdateFixture guarded = new UpdateFixture(
                EngineSettings.DEFAULT
                        .withPace(PACE)
                        .withGuards(GuardSettings.DEFAULT.withBrake(
                                new BrakeSettings(50, 1, Duration.ofMinutes(5), Duration.ofMinutes(1)))),
                UnaryOperator.identity(),
                UnaryOperator.identity());
        AddressSet before = AddressSet.of("10.0.0.5", "10.0.0.6", "10.0.0.7", "10.0.0.8", "10.0.0.9");
        guarded.cloud.putPool(POOL, before);
        guarded.lead();
        guarded.want(WEB, POOL, "10.0.0.1");
        guarded.want(API, POOL, "10.0.0.2");
        guarded.duringWrite(() -> guarded.view.leave(API, POOL));
        guarded.time.advance(GATHER);
        Ticks.of(guarded.engine).join();
        guarded.time.advance(GATHER);
        Ticks.of(guarded.engine).join();

        assertThat(guarded.held(POOL)).isEqualTo(before.union(AddressSet.of("10.0.0.1")));
        assertThat(guarded.status(POOL).difference().map(Difference::reason)).contains(Difference.Reason.HELD);
        assertThat(guarded.waiting())
                .as("the removal of the Service that stayed")
                .isEqualTo(1);
    }

    @Test
    void a_resumed_pool_does_not_wait_for_a_listing() {
        // given
        EngineFixture live = new EngineFixture(EngineSettings.DEFAULT.withPace(PACE));
        live.pool("web", 1);
        live.service("web", 1);
        live.lead();
        live.tick();
        live.put("web", true, 0);
        live.tick();
        live.endpoints("web", 2);
        live.tick();
        assertThat(live.status("web").difference().orElseThrow().why())
                .isInstanceOfSatisfying(
                        Why.OnHold.class, why -> assertThat(why.held().by()).isEqualTo(HoldCause.By.SERVICE_PAUSE));
        live.listingFailure = new Failure.Cancelled("Azure does not answer");
        live.time.advance(Duration.ofSeconds(1));
        // when
        live.put("web", false, 0);
        live.engine.listIfDue();
        // then
        assertThat(live.engine.nextStart()).contains(live.time.instant());
        Ticks.of(live.engine).join();
        assertThat(live.held("web")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    void an_addition_during_a_write_does_not_wait_with_a_removal_held_by_the_brake() {
        // given
        UpdateFixture guarded = new UpdateFixture(EngineSettings.DEFAULT
                .withPace(PACE)
                .withGuards(GuardSettings.DEFAULT.withBrake(
                        new BrakeSettings(50, 0, Duration.ofMinutes(10), Duration.ofSeconds(30)))));
        AddressSet before = AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.6", "10.0.0.7");
        guarded.cloud.putPool(POOL, before);
        guarded.engine.askForListing();
        guarded.engine.listIfDue();
        guarded.duringWrite(() -> {
            guarded.duringWrite(() -> {});
            guarded.want(WEB, POOL, "10.0.0.4", "10.0.0.5");
            CompletableFuture<Void> unused =
                    Ticks.of(guarded.engine); // requested by the change; the load balancer is busy
        });
        guarded.want(WEB, POOL, "10.0.0.4");
        // when
        run(guarded, Duration.ofSeconds(3));
        // then
        assertThat(guarded.held(POOL)).isEqualTo(before.union(AddressSet.of("10.0.0.4", "10.0.0.5")));
        assertThat(guarded.cloud.calls().stream()
                        .filter(call -> call.method().equals("PUT"))
                        .count())
                .as("and nothing more, until the brake lets go")
                .isEqualTo(2);
    }

    @Test
    void a_listing_that_ends_what_holds_a_pool_makes_it_due_at_once() {
        UpdateFixture guarded = new UpdateFixture(EngineSettings.DEFAULT.withPace(PACE));
        guarded.view.pause(WEB);
        guarded.want(WEB, POOL, "10.0.0.1");
        guarded.time.advance(GATHER);
        Ticks.of(guarded.engine).join();
        assertThat(guarded.engine.nextStart()).isEmpty();
        guarded.time.advanceTo(guarded.engine.nextListing());
        guarded.engine.listIfDue();
        assertThat(guarded.engine.nextStart()).contains(guarded.time.instant());
        Ticks.of(guarded.engine).join();
        assertThat(guarded.engine.nextStart()).as("it is held still").isEmpty();
    }

    @Test
    void a_held_pool_whose_service_leaves_causes_no_calls() {
        UpdateFixture guarded = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(PACE), UnaryOperator.identity(), UnaryOperator.identity());
        guarded.view.pause(WEB);
        guarded.want(WEB, POOL, "10.0.0.1");
        guarded.time.advance(GATHER);
        Ticks.of(guarded.engine).join();
        guarded.view.leave(WEB, POOL);
        assertThat(guarded.engine.status().work().operations()).isZero();
        Ticks.of(guarded.engine).join();
        assertThat(guarded.engine.nextStart()).isEmpty();
    }

    @Test
    void a_pause_of_all_writes_causes_no_calls() {
        UpdateFixture guarded = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(PACE), UnaryOperator.identity(), UnaryOperator.identity());
        guarded.want(WEB, POOL, "10.0.0.1");
        guarded.engine.pause(true);
        assertThat(guarded.engine.nextStart()).isEmpty();
        guarded.engine.pause(false);
        assertThat(guarded.engine.nextStart()).isPresent();
    }

    @Test
    void changes_wake_its_caller() {
        boolean[] woken = {false};
        the.engine.onWake(() -> woken[0] = true);
        the.engine.step();
        the.want(WEB, POOL, "10.0.0.1");
        assertThat(woken[0]).isTrue();
    }

    @Test
    void a_thousand_pools_in_one_lane_do_not_recurse() throws InterruptedException {
        for (int i = 0; i < 1_000; i++) {
            the.want(new ServiceName("many", "s" + i), PoolKey.of("lb-1", "many-s" + i));
        }
        // a stack that a thousand levels would overflow
        Thread small = new Thread(null, () -> run(Duration.ofSeconds(2)), "small stack", 64 * 1024);
        small.start();
        small.join();
        assertThat(the.waiting()).isZero();
    }

    @Test
    void the_diff_model_supports_ticks_only() {
        assertThat(SETTINGS.withModel(UpdateModel.DIFF).pace()).isEqualTo(Pace.TICK);
        assertThatThrownBy(() ->
                        EngineSettings.REFERENCE.withModel(UpdateModel.DIFF).withPace(PACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the model diff supports only the pace tick");
    }
}

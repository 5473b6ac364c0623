package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.ForwardingTime;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Engine#step}, the one way to drive an engine. */
class StepTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final ServiceState web = new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4"));
    private final List<Fact> facts = new ArrayList<>();
    private final List<Instant> ticks = new ArrayList<>();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private Time clock = time;
    private ServiceEvents events = event -> {};
    private boolean synced = true;
    private Runnable onSynced = () -> {};

    /** Whenever the view looks at its clock. */
    private Runnable onLook = () -> {};

    private final EndpointIndex index = new EndpointIndex(() -> {
        onLook.run();
        return time.instant();
    });
    private int listings;

    private Engine engine(EngineSettings settings, Executor executor) {
        cloud.putPool(POOL, AddressSet.empty());
        Engine engine = Engine.builder(
                        index,
                        cloud,
                        () -> {
                            listings++;
                            return cloud.list();
                        },
                        clock)
                .settings(settings)
                .executor(executor)
                .events(event -> events.emit(event))
                .ticks(tick -> {
                    ticks.add(time.instant());
                    return tick.get();
                })
                .facts(facts::add)
                .hasSynced(() -> {
                    onSynced.run();
                    return synced;
                })
                .build();
        index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.1")));
        index.serviceChanged(web);
        index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n1")));
        engine.startLeading(Term.untilEnded());
        return engine;
    }

    /** A clock that stands still between two looks would hide what comes between them. */
    private final class MovingTime extends ForwardingTime {
        MovingTime() {
            super(time);
        }

        @Override
        public Instant instant() {
            time.advance(Duration.ofNanos(1));
            return time.instant();
        }

        @Override
        public long nanoTime() {
            time.advance(Duration.ofNanos(1));
            return time.nanoTime();
        }
    }

    /** The Service's pods run on the first of these nodes. */
    private void endpoints(int nodes) {
        List<String> names =
                IntStream.rangeClosed(1, nodes).mapToObj(i -> "n" + i).toList();
        names.forEach(name -> index.nodeChanged(new NodeState(name, Map.of(), List.of("10.0.0." + name.substring(1)))));
        index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", names));
    }

    @Test
    void an_update_is_released_at_once_by_a_clock_that_moves() {
        clock = new MovingTime();
        Engine engine = engine();
        endpoints(25);
        drive(engine, Duration.ofMinutes(1));
        endpoints(1);
        drive(engine, Duration.ofSeconds(3));
        assertThat(held().size()).as("held by the brake").isEqualTo(25);

        engine.agreeToRemovals(Set.of(SafetyBrake.ALL));
        drive(engine, Duration.ofSeconds(3));

        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    private Engine engine() {
        return engine(EngineSettings.DEFAULT, Runnable::run);
    }

    private AddressSet held() {
        return cloud.addresses(POOL).orElseThrow();
    }

    /** Obeys the engine for a while. */
    private void drive(Engine engine, Duration duration) {
        Instant end = time.instant().plus(duration);
        int steps = 0;
        for (Instant next = engine.step(); !next.isAfter(end); next = engine.step()) {
            time.advanceTo(next);
            assertThat(++steps).as("steps").isLessThan(1_000);
        }
        time.advanceTo(end);
    }

    @Test
    @Rule(
            id = "J41",
            says = "An engine is driven by one call, step(), that says when it wants to be called next, an interval"
                    + " from now at the latest, and one callback that says sooner. Whoever obeys it has each"
                    + " change written within its gathering second and the write.",
            source = "ours")
    void an_embedder_who_obeys_has_changes_written_in_time() {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(1));
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(engine.step())
                .isAfter(time.instant())
                .isBeforeOrEqualTo(time.instant().plus(INTERVAL));

        boolean[] woken = {false};
        engine.onWake(() -> woken[0] = true);
        index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")));
        assertThat(woken[0]).isTrue();
        drive(engine, Duration.ofSeconds(1));
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.2"));
    }

    @Test
    void nothing_is_listed_before_the_feed_has_synced_and_it_is_asked_again_soon() {
        synced = false;
        Engine engine = engine();
        assertThat(engine.step()).isEqualTo(time.instant().plusMillis(50));
        drive(engine, Duration.ofSeconds(10));
        assertThat(listings).isZero();
        synced = true;
        drive(engine, Duration.ofSeconds(2));
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    void a_step_that_lists_asks_for_the_next_one_at_once_and_ticks_follow_it() {
        Engine engine = engine();
        assertThat(engine.step()).isEqualTo(time.instant());
        assertThat(listings).isEqualTo(1);
        assertThat(ticks).isEmpty();
        engine.step();
        assertThat(ticks).containsExactly(time.instant());
    }

    @Test
    void one_listing_at_a_time_is_in_progress_and_ticks_do_not_wait_for_it() {
        Engine engine = engine(EngineSettings.DEFAULT, tasks::add);
        engine.step();
        for (int i = 0; i < 100; i++) {
            time.advance(INTERVAL);
            engine.step();
        }
        assertThat(tasks).hasSize(1);
        assertThat(ticks).hasSize(100);
        boolean[] woken = {false};
        engine.onWake(() -> woken[0] = true);
        tasks.remove().run();
        assertThat(woken[0]).as("when it ends").isTrue();
        assertThat(listings).isEqualTo(1);
    }

    @Test
    void an_executor_that_rejects_a_listing_is_a_failed_listing() {
        failsToStartAListing(() -> {
            throw new RejectedExecutionException("full");
        });
    }

    @Test
    void an_executor_without_a_thread_for_a_listing_is_a_failed_listing() {
        failsToStartAListing(() -> {
            throw new InternalError("unable to create native thread");
        });
    }

    private void failsToStartAListing(Runnable thrower) {
        boolean[] full = {true};
        Engine engine = engine(EngineSettings.DEFAULT, task -> {
            if (full[0]) {
                thrower.run();
            }
            task.run();
        });
        drive(engine, Duration.ofSeconds(10));
        assertThat(engine.status().listing().failure()).isPresent();
        full[0] = false;
        drive(engine, Duration.ofSeconds(10));
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    void ticks_are_at_multiples_of_the_interval_however_late_a_step_is() {
        Engine engine = engine(EngineSettings.REFERENCE, Runnable::run);
        engine.step();
        engine.step();
        Instant first = time.instant();
        time.advance(INTERVAL.multipliedBy(3).plusSeconds(7));
        assertThat(engine.step()).isEqualTo(first.plus(INTERVAL.multipliedBy(4)));
        time.advance(Duration.ofSeconds(22));
        engine.step();
        time.advance(Duration.ofSeconds(1));
        engine.step();
        assertThat(ticks)
                .containsExactly(
                        first,
                        first.plus(INTERVAL.multipliedBy(3)).plusSeconds(7),
                        first.plus(INTERVAL.multipliedBy(4)));
    }

    @Test
    void a_step_from_a_listener_returns_at_once_and_the_outer_one_goes_on() {
        Engine engine = engine();
        List<Instant> inner = new ArrayList<>();
        events = event -> inner.add(engine.step());
        drive(engine, Duration.ofSeconds(2));
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(inner).hasSize(1).allMatch(time.instant()::isBefore);
    }

    @Test
    void the_owner_is_woken_once_until_the_next_step_and_again_after_a_step_that_came_between() {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(2));
        int[] woken = {0};
        engine.onWake(() -> woken[0]++);
        index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")));
        index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.3")));
        assertThat(woken[0]).isEqualTo(1);
        events = event -> engine.step();
        time.advance(Duration.ofSeconds(1));
        engine.step();
        assertThat(woken[0])
                .as("the inner step may have been meant for something new")
                .isGreaterThan(1);
        drive(engine, Duration.ofMinutes(1));
        events = event -> {};
        woken[0] = 0;
        engine.step();
        assertThat(woken[0]).as("nothing came between").isZero();
    }

    /** What may make a step due sooner than the last one said. */
    private enum Sooner {
        A_LISTING_IS_ASKED_FOR((the, engine) -> engine.askForListing()),
        ANOTHER_TERM_BEGINS((the, engine) -> engine.startLeading(Term.untilEnded())),
        A_NODE_CHANGES((the, engine) -> the.index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")))),
        A_SLICE_NAMES_AN_UNKNOWN_NODE((the, engine) ->
                the.index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n1", "n9")))),
        NODES_ARE_KNOWN_AGAIN((the, engine) -> the.index.nodesInStep(true)),
        A_SERVICE_IS_EDITED((the, engine) -> the.index.serviceChanged(the.web)),
        A_SERVICE_IS_PAUSED((the, engine) ->
                the.index.serviceChanged(the.web.withAnnotations(Map.of(ServiceState.PAUSED_ANNOTATION, "true")))),
        A_SERVICE_IS_DELETED((the, engine) -> the.index.serviceDeleted(WEB)),
        ALL_WRITES_ARE_PAUSED((the, engine) -> engine.pause(true)),
        REMOVALS_ARE_APPROVED((the, engine) -> engine.agreeToRemovals(Set.of())),
        THE_BRAKE_LETS_MORE_GO((the, engine) -> engine.setBrakePercent(100));

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
        private final BiConsumer<StepTest, Engine> cause;

        Sooner(BiConsumer<StepTest, Engine> cause) {
            this.cause = cause;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatever_may_make_a_step_due_sooner_wakes_the_owner_under_no_lock(Sooner sooner) {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(2));
        List<Boolean> locked = new ArrayList<>();
        engine.onWake(() -> locked.add(Thread.holdsLock(index)));
        sooner.cause.accept(this, engine);
        assertThat(locked).containsExactly(false);
    }

    @Test
    void an_event_of_a_service_whose_update_failed_wakes_the_owner() {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(2));
        cloud.faults().add(FaultRule.always(400).forMethod("PUT").times(1));
        index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")));
        drive(engine, Duration.ofSeconds(2));
        int[] woken = {0};
        engine.onWake(() -> woken[0]++);
        index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n1")));
        assertThat(woken[0]).isEqualTo(1);
        drive(engine, INTERVAL);
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.2"));
        index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n1")));
        assertThat(engine.status().work().operations())
                .as("an event that changes nothing, after the update succeeded")
                .isZero();
    }

    @Test
    void an_owner_that_comes_later_is_told_of_the_next_cause_too() {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(2));
        int[] woken = {0, 0};
        engine.onWake(() -> woken[0]++);
        engine.askForListing();
        engine.onWake(() -> woken[1]++);
        engine.askForListing();
        assertThat(woken).containsExactly(1, 1);
    }

    @Test
    void the_next_step_is_due_when_the_wait_for_an_unknown_node_ends() {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(5));
        index.sliceChanged(new EndpointSliceState("shop", "web-1", WEB, "IPv4", List.of("n1", "n9")));
        Instant end = index.nextEnd().orElseThrow();
        Instant next = engine.step();
        for (; next.isBefore(end); next = engine.step()) {
            time.advanceTo(next);
        }
        assertThat(next).isEqualTo(end);
    }

    @Test
    void what_a_watch_thread_has_to_say_is_said_by_the_next_step() {
        Engine engine = engine();
        drive(engine, Duration.ofSeconds(2));
        index.serviceChanged(web.withAnnotations(Map.of(ServiceState.PAUSED_ANNOTATION, "true")));
        index.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")));
        drive(engine, Duration.ofSeconds(2));
        index.serviceDeleted(WEB);
        engine.stopLeading();
        assertThat(facts).noneMatch(Fact.HoldEnded.class::isInstance);
        engine.step();
        assertThat(facts).filteredOn(Fact.HoldEnded.class::isInstance).hasSize(1);
    }

    /** A clock that throws once during each step. */
    private void throwInSteps(Throwable thrown) {
        boolean[] isNext = {false};
        onSynced = () -> isNext[0] = true;
        clock = new ForwardingTime(time) {
            @Override
            public long nanoTime() {
                if (isNext[0]) {
                    isNext[0] = false;
                    sneak(thrown);
                }
                return time.nanoTime();
            }
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void a_step_that_throws_whatever_it_is_says_when_the_next_one_is_due_which_goes_on() {
        for (Throwable thrown : List.of(
                new NullPointerException(),
                new UncheckedIOException(new IOException()),
                new AssertionError(),
                new NoClassDefFoundError(),
                new StackOverflowError())) {
            throwInSteps(thrown);
            Engine engine = engine();
            assertThat(engine.step()).isEqualTo(time.instant().plus(INTERVAL));
            onSynced = () -> {};
            drive(engine, Duration.ofSeconds(2));
            assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
        }
    }

    @Test
    void a_step_hides_no_error_of_the_jvm_and_the_next_one_goes_on() {
        throwInSteps(new InternalError("planted"));
        Engine engine = engine();
        assertThatThrownBy(engine::step).isInstanceOf(InternalError.class);
        onSynced = () -> {};
        drive(engine, Duration.ofSeconds(2));
        assertThat(held()).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    void a_shutdown_before_a_listing_is_sent_sends_and_reports_none() {
        Engine engine = engine();
        engine.shutdown();
        engine.listIfDue();
        assertThat(engine.status().listing().failure()).isEmpty();
        assertThat(listings).isZero();
    }

    @Test
    void a_shutdown_after_a_listing_was_due_sends_none() {
        Engine engine = engine();
        onSynced = engine::shutdown;
        engine.listIfDue();
        assertThat(listings).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void after_a_shutdown_steps_do_nothing(boolean atOnce) {
        Engine engine = engine();
        if (atOnce) {
            engine.shutdownNow();
        } else {
            engine.shutdown();
        }
        drive(engine, Duration.ofMinutes(10));
        assertThat(listings).isZero();
        assertThat(ticks).isEmpty();
    }

    @Test
    void with_a_refresh_of_zero_load_balancers_are_listed_once_a_term() {
        Engine engine = engine(
                EngineSettings.DEFAULT.withDirectoryRefresh(Duration.ZERO).withResync(Duration.ZERO), Runnable::run);
        drive(engine, Duration.ofHours(1));
        index.serviceChanged(
                new ServiceState(new ServiceName("shop", "other"), "LoadBalancer", "Local", List.of("IPv4")));
        drive(engine, Duration.ofHours(1));
        assertThat(listings).isEqualTo(1);
        engine.startLeading(Term.untilEnded());
        drive(engine, Duration.ofHours(1));
        assertThat(listings).isEqualTo(2);
    }
}

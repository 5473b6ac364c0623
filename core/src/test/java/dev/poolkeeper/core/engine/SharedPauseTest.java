package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A paused Service in a pool that a Service of another namespace shares. */
class SharedPauseTest {

    private static final ServiceName WEB = new ServiceName("prod", "shop-web");
    private static final ServiceName PAUSED = new ServiceName("prod-shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "prod-shop-web");

    private EngineFixture the = new EngineFixture();
    private boolean isEager;

    static Stream<EngineSettings> settings() {
        return Stream.of(
                EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT).withResync(Duration.ZERO),
                EngineSettings.DEFAULT.withPace(Pace.TICK).withResync(Duration.ZERO),
                EngineSettings.DEFAULT
                        .withPace(Pace.TICK)
                        .withModel(UpdateModel.DIFF)
                        .withResync(Duration.ZERO));
    }

    private void share(EngineSettings settings, int... nodes) {
        start(settings);
        the.cloud.putPool(POOL, EngineFixture.addresses(1, 2, 3));
        the.put(WEB, false, 0);
        the.put(PAUSED, false, 0);
        the.endpoints(WEB, 1, 2);
        the.endpoints(PAUSED, nodes);
        the.lead();
        the.tick();
        the.tick();
        assertThat(held()).isEqualTo(EngineFixture.addresses(1, 2, 3));
    }

    private void start(EngineSettings settings) {
        the = new EngineFixture(settings);
        isEager = settings.pace() instanceof Pace.Eager;
    }

    private AddressSet held() {
        return the.cloud.addresses(POOL).orElseThrow();
    }

    /** Until the change is written: one gathering time, or one tick. */
    private void go() {
        if (isEager) {
            the.time.advance(Pace.Eager.DEFAULT.gather());
            assertThat(the.engine.nextStart()).contains(the.time.instant());
            Ticks.of(the.engine).join();
        } else {
            the.tick();
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    @Rule(
            id = "C81",
            says = "In a shared pool a paused Service holds back its own changes only: another Service's additions and"
                    + " removals are written as usual. What the paused one wanted when its pause began stays.",
            source = "contract, Replay rule 8")
    void the_changes_of_another_service_are_written(EngineSettings settings) {
        share(settings, 3);
        the.put(PAUSED, true, 1);
        the.endpoints(PAUSED, 4);
        the.tick();
        assertThat(held()).as("its own wait").isEqualTo(EngineFixture.addresses(1, 2, 3));

        the.endpoints(WEB, 2, 5);
        go();
        assertThat(held()).isEqualTo(EngineFixture.addresses(2, 3, 5));
        the.endpoints(WEB, 6);
        go();
        assertThat(held()).isEqualTo(EngineFixture.addresses(3, 6));
        the.endpoints(WEB);
        go();
        assertThat(held()).as("its last address too").isEqualTo(EngineFixture.addresses(3));

        the.endpoints(WEB, 7);
        go();
        the.put(PAUSED, false, 2);
        the.engine.listIfDue();
        the.tick();
        assertThat(held()).isEqualTo(EngineFixture.addresses(4, 7));
    }

    @ParameterizedTest
    @MethodSource("settings")
    @Rule(
            id = "C99",
            says = "A comparison counts on no update of a paused Service: what another Service lacks in a shared"
                    + " pool, or what no Service wants there, is written though an update of the paused one would do"
                    + " the same.",
            source = "contract, Replay rule 8")
    void a_comparison_counts_on_no_update_of_a_paused_service(EngineSettings settings) {
        share(settings, 3);
        the.put(PAUSED, true, 1);
        the.endpoints(PAUSED, 2, 3, 4);
        the.tick();
        the.cloud.putPool(POOL, EngineFixture.addresses(1, 3, 9));
        the.put(WEB, false, 1);
        the.engine.listIfDue();
        the.tick();
        the.tick();
        assertThat(held()).isEqualTo(EngineFixture.addresses(1, 2, 3));
        int reads = the.cloud.calls().size();
        the.put(WEB, false, 2);
        the.engine.listIfDue();
        the.tick();
        assertThat(the.cloud.calls()).as("once").hasSize(reads);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void a_service_that_is_paused_when_the_process_starts_keeps_what_it_wanted_then(EngineSettings settings) {
        start(settings);
        the.cloud.putPool(POOL, EngineFixture.addresses(1, 3));
        the.put(WEB, false, 0);
        the.put(PAUSED, true, 0);
        the.endpoints(WEB, 1);
        the.endpoints(PAUSED, 3, 4);
        the.lead();
        the.tick();
        the.tick();
        assertThat(held()).as("nothing of it is added").isEqualTo(EngineFixture.addresses(1, 3));
        the.endpoints(PAUSED, 5);
        the.endpoints(WEB, 2);
        go();
        assertThat(held()).isEqualTo(EngineFixture.addresses(2, 3));
    }

    @ParameterizedTest
    @MethodSource("settings")
    @Rule(
            id = "C82",
            says = "A pause that holds changes of a shared pool is reported on each Service that shares it, once"
                    + " until it ends; a pause of a pool of one's own is not.",
            source = "ours")
    void each_service_that_shares_the_pool_gets_an_event(EngineSettings settings) {
        share(settings, 3);
        the.put(PAUSED, true, 1);
        the.endpoints(PAUSED, 4);
        the.tick();
        the.endpoints(WEB, 2);
        the.tick();
        the.tick();
        assertThat(the.reasons())
                .filteredOn(reason -> reason.endsWith("HELD"))
                .containsExactlyInAnyOrder(WEB + " HELD", PAUSED + " HELD");
        assertThat(the.events.events())
                .filteredOn(event -> event.service().equals(WEB))
                .first()
                .satisfies(event -> assertThat(event.message())
                        .isEqualTo("Service prod-shop/web is paused by its annotation. It shares this pool: its changes"
                                + " wait, and what it wanted before stays. Remove the annotation poolkeeper.dev/paused"
                                + " to resume."));
        the.put(PAUSED, false, 2);
        the.engine.listIfDue();
        the.tick();
        the.put(PAUSED, true, 3);
        the.endpoints(PAUSED, 5);
        the.tick();
        assertThat(the.reasons()).filteredOn(reason -> reason.endsWith("HELD")).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void without_guards_no_service_is_paused(EngineSettings settings) {
        share(settings.withoutGuards(), 3);
        the.put(PAUSED, true, 1);
        the.endpoints(PAUSED, 4);
        the.tick();
        the.endpoints(WEB, 2);
        go();
        assertThat(held()).isEqualTo(EngineFixture.addresses(2, 4));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void what_was_not_written_before_a_pause_is_not_written_when_the_others_empty_the_pool(EngineSettings settings) {
        share(settings, 3);
        the.endpoints(PAUSED, 4);
        the.put(PAUSED, true, 1);
        the.endpoints(WEB);
        go();
        assertThat(held())
                .as("its own removal waits, too, where it is an operation of its own")
                .isEqualTo(settings.model() == UpdateModel.DIFF ? EngineFixture.addresses(3) : AddressSet.empty());
        assertThat(the.engine.status().pools())
                .singleElement()
                .satisfies(pool -> assertThat(pool.difference())
                        .hasValueSatisfying(why -> assertThat(why)
                                .returns(Difference.Reason.HELD, Difference::reason)
                                .returns("Service prod-shop/web is paused by its annotation.", Difference::text)));
        the.put(PAUSED, false, 2);
        go();
        assertThat(held()).isEqualTo(EngineFixture.addresses(4));
    }

    /** One's operation waited for Azure and then for the end of its pause; the other's waits for Azure now. */
    @ParameterizedTest
    @MethodSource("settings")
    void a_shared_pool_is_parked_until_the_last_of_its_operations_may_be_tried(EngineSettings settings) {
        // given
        share(settings, 3);
        the.fault(FaultRule.always(429).retryAfter(Duration.ofMinutes(2)).times(1));
        the.endpoints(PAUSED, 4);
        the.tick();
        the.put(PAUSED, true, 1);
        the.run(Duration.ofMinutes(3));
        // when
        the.fault(FaultRule.always(429).retryAfter(Duration.ofMinutes(2)).times(1));
        the.endpoints(WEB, 1);
        go();
        // then
        Instant end = the.time.instant().plus(Duration.ofMinutes(2));
        Difference difference = the.engine.pool(POOL).orElseThrow().difference().orElseThrow();
        assertThat(difference.reason()).isEqualTo(Difference.Reason.PARKED);
        assertThat(difference.until()).contains(end);
        assertThat(the.engine.status().work().lastEligibleAt()).contains(end);
    }

    @Test
    @Rule(
            id = "C121",
            says = "An update that ends without a write because the resource lock was lost is tried again as soon as"
                    + " the lock is available, also if changes of a paused Service of the pool are held.",
            source = "contract, Replay rule 8; section 5, eager, rule 5")
    void a_lost_resource_lock_does_not_hold_the_changes_of_another_service() {
        share(EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT).withResync(Duration.ZERO), 3);
        the.put(PAUSED, true, 1);
        the.endpoints(PAUSED, 4);
        the.tick();
        the.endpoints(WEB, 1, 2, 5);
        the.onRead = the.resourceLock::takeAway;
        go();
        assertThat(held()).isEqualTo(EngineFixture.addresses(1, 2, 3));

        the.onRead = () -> {};
        the.resourceLock.release();
        Instant end = the.time.instant().plusSeconds(6);
        for (int tries = 0;
                tries < 10
                        && the.engine.nextStart().filter(at -> !at.isAfter(end)).isPresent();
                tries++) {
            the.time.advanceTo(the.engine.nextStart().orElseThrow());
            Ticks.of(the.engine).join();
        }
        assertThat(held()).isEqualTo(EngineFixture.addresses(1, 2, 3, 5));
    }

    @Test
    @Rule(
            id = "C124",
            says = "In diff, of many operations that wait for a pool what later ones of the same Service make redundant"
                    + " is dropped: their number depends on the addresses in them, not on the number of changes.",
            source = "ours")
    void a_paused_service_that_changes_for_ever_queues_a_bounded_number_of_operations() {
        share(
                EngineSettings.DEFAULT
                        .withPace(Pace.TICK)
                        .withModel(UpdateModel.DIFF)
                        .withResync(Duration.ZERO),
                3);
        the.put(PAUSED, true, 1);
        for (int i = 0; i < 2_000; i++) {
            the.endpoints(PAUSED, i % 2 == 0 ? 4 : 3, 6 + i % 3);
            if (i % 100 == 0) {
                the.tick();
            }
        }
        assertThat(the.waiting()).isLessThan(100);

        the.endpoints(WEB, 2, 5);
        the.tick();
        assertThat(held()).isEqualTo(EngineFixture.addresses(2, 3, 5));
        the.put(PAUSED, false, 2);
        the.tick();
        assertThat(held()).isEqualTo(EngineFixture.addresses(2, 3, 5, 7));
        assertThat(the.waiting()).isZero();
    }
}

package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which removals the safety brake counts, and how long it holds them. Mostly ten pools of six addresses. */
class BrakeShareTest {

    private final EngineFixture the = new EngineFixture();

    private static String name(int pool) {
        return "p" + pool;
    }

    private static int[] nodesOf(int pool) {
        return EngineFixture.range(6 * pool + 1, 6 * pool + 6);
    }

    private void tenPoolsOfSix() {
        for (int pool = 0; pool < 10; pool++) {
            the.pool(name(pool), nodesOf(pool));
            the.service(name(pool), nodesOf(pool));
        }
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();
    }

    /** Each of the ten pools wants its first address and those of these nodes. */
    private void allButOne(int... more) {
        for (int pool = 0; pool < 10; pool++) {
            the.endpoints(name(pool), EngineFixture.all(more, 6 * pool + 1));
        }
    }

    private void emptied(int pools) {
        for (int pool = 0; pool < pools; pool++) {
            the.endpoints(name(pool));
        }
    }

    @Test
    @Rule(
            id = "C20",
            says = "The brake's share is what pools lose by addresses that are to be removed, being removed, or were"
                    + " removed within the window (30 s), divided by what all pools held when the window began: of 60"
                    + " addresses, a tick may lose 30 but not 31.",
            source = "ours")
    void half_of_all_addresses_may_be_removed_at_once() {
        tenPoolsOfSix();
        emptied(4);
        the.tick();
        assertThat(the.heldInAll()).isEqualTo(36);
        the.run(Duration.ofMinutes(1));
        for (int pool = 0; pool < 10; pool++) {
            the.endpoints(name(pool), nodesOf(pool));
        }
        the.run(Duration.ofMinutes(1));
        assertThat(the.heldInAll()).isEqualTo(60);

        emptied(5);
        the.tick();
        assertThat(the.heldInAll()).isEqualTo(30);
        assertThat(the.braked()).isEmpty();
    }

    @Test
    @Rule(
            id = "C38",
            says = "A held removal states what was counted: how many addresses all pools, or those of a namespace,"
                    + " would have lost within the window and how many of them by it, or that no address is wanted any"
                    + " longer.",
            source = "ours")
    void a_held_removal_reports_the_counted_addresses() {
        tenPoolsOfSix();
        emptied(5);
        the.tick();
        the.time.advance(Duration.ofSeconds(5));
        the.endpoints(name(9), EngineFixture.range(55, 59));
        Ticks.of(the.engine).join();
        the.endpoints(name(8), EngineFixture.range(50, 53));
        Ticks.of(the.engine).join();

        assertThat(the.braked())
                .extracting(removal -> HoldTexts.text(removal.loss()))
                .containsExactly(
                        "Removal held back by the safety brake: the load balancers would lose 31 of 60 addresses within"
                                + " 30 s, 1 of them by this removal; more than 50 % may not.",
                        "Removal held back by the safety brake: the load balancers would lose 32 of 60 addresses within"
                                + " 30 s, 2 of them by this removal; more than 50 % may not.");
    }

    @Test
    void a_removal_of_all_addresses_is_reported_as_such() {
        tenPoolsOfSix();
        emptied(10);
        the.tick();

        assertThat(the.braked())
                .extracting(removal -> HoldTexts.text(removal.loss()))
                .containsExactly("Removal held back by the safety brake: no address is wanted in any pool; it"
                        + " would remove 60 of 60 addresses.");
    }

    @Test
    void a_removal_of_one_more_than_half_is_held_entirely() {
        tenPoolsOfSix();
        emptied(5);
        the.endpoints(name(9), EngineFixture.range(55, 59));
        the.tick();
        assertThat(the.heldInAll()).isEqualTo(60);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(31L);
        assertThat(the.braked()).extracting(BrakedRemoval::all).containsExactly(60L);
    }

    @Test
    void removals_within_the_window_count() {
        tenPoolsOfSix();
        emptied(3);
        the.tick();
        assertThat(the.heldInAll()).isEqualTo(42);

        the.endpoints(name(5));
        the.endpoints(name(6));
        the.endpoints(name(7), 43);
        Ticks.of(the.engine).join();
        assertThat(the.heldInAll()).isEqualTo(42);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(17L);
        assertThat(the.braked()).extracting(BrakedRemoval::all).containsExactly(60L);
    }

    @Test
    void removals_before_the_window_do_not_count() {
        tenPoolsOfSix();
        emptied(3);
        the.tick();
        the.endpoints(name(5));
        the.endpoints(name(6));
        the.endpoints(name(7), 43);
        the.tick();
        assertThat(the.heldInAll()).isEqualTo(25);
    }

    @Test
    @Rule(
            id = "C21",
            says = "A held removal stays held, with its id and its approval, while its pools are throttled.",
            source = "ours")
    void a_throttled_tick_does_not_release_the_brake() {
        tenPoolsOfSix();
        allButOne();
        the.tick();
        BrakedRemoval held = the.braked().get(0);
        assertThat(held.removed()).isEqualTo(50);

        the.fault(FaultRule.always(429).forMethod("GET").times(9).retryAfter(Duration.ofMinutes(4)));
        allButOne(61);
        the.run(Duration.ofMinutes(2));
        assertThat(the.calls().stream().filter("GET shop-p9"::equals)).hasSize(1);
        assertThat(the.heldInAll()).isEqualTo(61);
        assertThat(the.braked()).containsExactly(held);

        the.engine.agreeToRemovals(Set.of(held.id()));
        the.run(Duration.ofMinutes(4));
        assertThat(the.heldInAll()).isEqualTo(20);
    }

    @Test
    @Rule(
            id = "C22",
            says = "The hold of a removal starts once: it ends after ten minutes however often its pools are throttled,"
                    + " and each Service gets one event.",
            source = "ours")
    void throttled_ticks_do_not_prolong_a_hold() {
        tenPoolsOfSix();
        allButOne();
        the.tick();
        Instant until = the.braked().get(0).until();
        the.run(Duration.ofMinutes(8));
        the.fault(FaultRule.always(429).forMethod("GET").times(9).retryAfter(Duration.ofSeconds(20)));
        allButOne(61);
        the.run(Duration.ofSeconds(90));
        assertThat(the.braked()).extracting(BrakedRemoval::until).containsExactly(until);
        assertThat(the.heldInAll()).isEqualTo(70);

        the.run(Duration.ofMinutes(1));
        assertThat(the.heldInAll()).isEqualTo(20);
        assertThat(the.braked()).isEmpty();
        assertThat(the.reasons()).filteredOn(reason -> reason.endsWith("HELD")).hasSize(10);
    }

    @Test
    @Rule(
            id = "C23",
            says = "Operations that a slow lane is processing count: a tick in between releases nothing.",
            source = "ours")
    void a_slow_lane_does_not_release_the_brake() {
        tenPoolsOfSix();
        the.onRead = () -> the.takes(Duration.ofSeconds(11)); // a tick occurs during the third read
        allButOne(61);
        the.tick();
        the.run(Duration.ofMinutes(2));

        assertThat(the.heldInAll()).isEqualTo(70);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(50L);
        assertThat(the.reasons()).filteredOn(reason -> reason.endsWith("HELD")).hasSize(10);
    }

    @Test
    @Rule(
            id = "C26",
            says = "Removals held by another guard, such as a pause, do not count until that guard releases them.",
            source = "ours")
    void a_paused_removal_does_not_count() {
        int[] forty = EngineFixture.range(1, 40);
        int[] ten = EngineFixture.range(41, 50);
        the.pool("web", forty);
        the.pool("api", ten);
        the.service("web", forty);
        the.service("api", ten);
        the.lead();
        the.tick();
        the.put("web", true, 1);
        the.endpoints("web", 1);
        the.endpoints("api", EngineFixture.range(42, 50));
        the.tick();
        assertThat(the.held("api")).hasSize(9);
        assertThat(the.held("web")).hasSize(40);
        assertThat(the.braked()).isEmpty();

        the.put("web", false, 2);
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).hasSize(40);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(39L);
    }

    @Test
    void a_write_in_progress_counts_although_its_service_is_paused_meanwhile() {
        EngineFixture lanes = new EngineFixture(EngineSettings.DEFAULT.withPace(Pace.TICK), EngineBuilder::sideBySide);
        PoolKey api = PoolKey.of("lb-2", "shop-api");
        lanes.pool("web", EngineFixture.range(1, 40));
        lanes.cloud.putPool(api, EngineFixture.addresses(EngineFixture.range(41, 60)));
        lanes.service("web", EngineFixture.range(1, 40));
        lanes.service("api", EngineFixture.range(41, 60));
        lanes.lead();
        lanes.tick();
        lanes.onWrite = () -> {
            lanes.onWrite = () -> {};
            lanes.put("web", true, 1);
            lanes.endpoints("api", EngineFixture.range(57, 60));
            lanes.takes(Duration.ofSeconds(40));
        };
        lanes.endpoints("web", EngineFixture.range(16, 40));
        lanes.run(Duration.ofMinutes(2));
        assertThat(lanes.held("web")).hasSize(25);
        assertThat(lanes.cloud.addresses(api).orElseThrow()).hasSize(20);
        assertThat(lanes.braked()).extracting(BrakedRemoval::removed).containsExactly(16L);
    }

    @Test
    void a_pause_neither_releases_nor_prolongs_a_hold() {
        tenPoolsOfSix();
        allButOne();
        the.tick();
        BrakedRemoval held = the.braked().get(0);
        the.put(name(0), true, 1);
        the.run(Duration.ofMinutes(2));
        assertThat(the.braked()).containsExactly(held);
        the.put(name(0), false, 2);
        the.engine.agreeToRemovals(Set.of(held.id()));
        the.tick();
        assertThat(the.heldInAll()).isEqualTo(10);
    }

    @Test
    @Rule(
            id = "C27",
            says = "Held removals cost no call, and additions are written immediately, even on the same load"
                    + " balancer and in the same pool.",
            source = "ours")
    void held_removals_cost_no_call_and_delay_no_addition() {
        List<String> pools =
                IntStream.range(0, 300).mapToObj(BrakeShareTest::name).toList();
        pools.forEach(name -> {
            the.pool(name, 1, 2, 3);
            the.service(name, 1, 2, 3);
        });
        the.onRead = () -> the.takes(Duration.ofMillis(250));
        the.lead();
        the.tick();
        pools.forEach(name -> the.endpoints(name, 1));
        the.run(Duration.ofMinutes(9));
        assertThat(the.calls()).isEmpty();
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(600L);

        the.pool("fresh");
        the.service("fresh", 5);
        the.endpoints(name(7), 1, 9);
        the.run(Duration.ofSeconds(31));
        assertThat(the.calls())
                .containsExactlyInAnyOrder("GET shop-fresh", "PUT shop-fresh", "GET shop-p7", "PUT shop-p7");
        assertThat(the.held("fresh")).isEqualTo(EngineFixture.addresses(5));
        assertThat(the.held(name(7))).isEqualTo(EngineFixture.addresses(1, 2, 3, 9));
    }

    private void sandbox() {
        the.pool("web", 1, 2, 3);
        the.pool("api", 1, 2, 3);
        the.pool("cart", 1, 2);
        the.service("web", 1, 2, 3);
        the.service("api", 1, 2, 3);
        the.service("cart", 1, 2);
        the.lead();
        the.tick();
    }

    @Test
    @Rule(
            id = "C28",
            says = "Emptying all pools, if at least two held an address when the window began, is held regardless of"
                    + " their size.",
            source = "ours")
    void emptying_all_pools_of_a_small_cluster_is_held() {
        sandbox();
        for (int node = 1; node <= 3; node++) {
            the.exclude(node);
        }
        the.run(Duration.ofMinutes(5));
        assertThat(the.heldInAll()).isEqualTo(8);
        assertThat(the.reasons()).containsExactlyInAnyOrder("shop/web HELD", "shop/api HELD", "shop/cart HELD");
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(8L);
        assertThat(the.braked()).extracting(BrakedRemoval::all).containsExactly(8L);

        the.run(Duration.ofMinutes(6));
        assertThat(the.heldInAll()).isZero();
    }

    @Test
    void emptying_all_pools_node_by_node_is_held_at_the_last_node() {
        sandbox();
        for (int node = 1; node <= 3; node++) {
            the.exclude(node);
            the.tick();
        }
        the.run(Duration.ofMinutes(1));
        assertThat(the.heldInAll()).isEqualTo(2);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(2L);
    }

    @Test
    void emptying_the_last_pool_is_held_while_another_was_emptied_within_the_window() {
        the.pool("web", 1);
        the.pool("api", 2);
        the.service("web", 1);
        the.service("api", 2);
        the.lead();
        the.tick();
        the.exclude(1);
        the.tick();
        assertThat(the.held("web")).isEmpty();
        the.exclude(2);
        the.time.advance(Duration.ofSeconds(10));
        Ticks.of(the.engine).join();
        assertThat(the.held("api")).hasSize(1);
        assertThat(the.braked()).hasSize(1);
    }

    @Test
    void emptying_the_only_pool_that_holds_an_address_is_not_held() {
        the.pool("web", 1);
        the.pool("api");
        the.service("web", 1);
        the.service("api");
        the.lead();
        the.tick();
        the.exclude(1);
        the.tick();
        assertThat(the.held("web")).isEmpty();
    }

    @Test
    void a_former_leader_holds_nothing() {
        // given
        tenPoolsOfSix();
        emptied(10);
        the.tick();
        assertThat(the.braked()).hasSize(1);
        // when
        the.engine.stopLeading();
        // then
        assertThat(the.braked()).isEmpty();
    }

    @Test
    void a_removal_held_in_an_ended_term_is_held_again_in_the_next() {
        // given
        tenPoolsOfSix();
        emptied(10);
        the.tick();
        Instant before = the.braked().get(0).until();
        the.engine.stopLeading();
        the.run(Duration.ofMinutes(1));
        // when
        the.lead();
        the.tick();
        // then
        assertThat(the.heldInAll()).isEqualTo(60);
        assertThat(the.braked())
                .singleElement()
                .satisfies(held -> assertThat(held.until()).isAfter(before));
    }
}

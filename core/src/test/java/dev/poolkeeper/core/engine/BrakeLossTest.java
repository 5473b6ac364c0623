package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the brake takes for a loss, in one namespace and in several. */
class BrakeLossTest {

    private final EngineFixture the = new EngineFixture(
            EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT).withResync(Duration.ZERO));

    private final EngineFixture ticks = new EngineFixture();

    private static ServiceName service(String namespace, String name) {
        return new ServiceName(namespace, name);
    }

    private void lead() {
        the.lead();
        the.engine.listIfDue();
        run(Duration.ofSeconds(31));
        assertThat(the.calls()).isEmpty();
    }

    private void run(Duration duration) {
        Instant end = the.time.instant().plus(duration);
        while (the.engine.nextStart().filter(next -> !next.isAfter(end)).isPresent()) {
            the.time.advanceTo(the.engine.nextStart().orElseThrow());
            Ticks.of(the.engine).join();
        }
        the.time.advanceTo(end);
        Ticks.of(the.engine).join();
    }

    @Test
    @Rule(
            id = "C75",
            says = "The brake counts what is lost, not what is replaced: a pool's loss is how much smaller it would be"
                    + " than when the window began. A pool that does not shrink is not held, does not wait, and is"
                    + " written once.",
            source = "ours")
    void a_roll_of_the_whole_cluster_goes_unnoticed() {
        for (int pool = 0; pool < 40; pool++) {
            the.inStep(service("shop", "s" + pool), pool + 1, pool + 2, pool + 3, pool + 4);
        }
        lead();
        for (int pool = 0; pool < 40; pool++) {
            the.endpoints("s" + pool, pool + 51, pool + 52, pool + 53, pool + 54);
        }
        run(Duration.ofSeconds(5));
        for (int pool = 0; pool < 40; pool++) {
            assertThat(the.held("s" + pool))
                    .isEqualTo(EngineFixture.addresses(pool + 51, pool + 52, pool + 53, pool + 54));
        }
        assertThat(the.writes()).isEqualTo(40);
        assertThat(the.reasons()).allMatch(reason -> reason.endsWith("UPDATED"));
    }

    @Test
    void of_a_pool_that_shrinks_only_what_is_lost_waits_for_a_wave() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 50));
        lead();
        the.endpoints("web", EngineFixture.range(51, 80));
        run(Duration.ofSeconds(5));
        assertThat(the.held("web")).as("20 of 50 wait").hasSize(50);
        run(Duration.ofSeconds(30));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(51, 80)));
        assertThat(the.braked()).isEmpty();
    }

    @Test
    void a_failed_pool_is_repaired_while_its_removal_is_held() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 40));
        lead();
        UnaryOperator<BackendPool> failed = pool -> new BackendPool(
                pool.key(), pool.addresses(), pool.etag(), null, ProvisioningState.FAILED, Optional.empty());
        the.listedAs = failed;
        the.readAs = failed;
        the.onWrite = () -> the.readAs = pool -> pool;
        the.engine.askForListing();
        the.engine.listIfDue();

        the.endpoints("web", 1);
        run(Duration.ofSeconds(40));

        assertThat(the.calls()).containsExactly("GET shop-web", "PUT shop-web");
        assertThat(the.held("web")).hasSize(40);
        assertThat(the.braked()).hasSize(1);
        run(Duration.ofMinutes(5));
        assertThat(the.calls()).hasSize(2);
    }

    @Test
    void a_pool_that_no_longer_shrinks_is_no_longer_held() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        the.inStep(service("shop", "api"), EngineFixture.range(1, 30));
        lead();
        the.endpoints("web", 1, 2);
        the.endpoints("api", 1, 2);
        run(Duration.ofMinutes(5));
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(56L);

        the.endpoints("web", EngineFixture.range(31, 60));
        run(Duration.ofSeconds(5));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(31, 60)));
    }

    @Test
    void a_removal_that_was_let_through_and_failed_for_good_is_not_held_again() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        lead();
        the.endpoints("web", 1, 2);
        run(Duration.ofMinutes(9));
        assertThat(the.braked()).hasSize(1);
        the.fault(FaultRule.always(400).times(1));
        run(Duration.ofMinutes(2));
        assertThat(the.reasons().getLast()).endsWith("FAILED");

        the.endpoints("web", 1, 2, 3);
        run(Duration.ofSeconds(5));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2, 3));
    }

    @Test
    @Rule(
            id = "C102",
            says = "A removal that was let through is not held again because the update that was to do it failed for"
                    + " good, or was dropped because its pool could not be found: it is remembered as long as the pool"
                    + " is listed with what is not wanted.",
            source = "ours")
    void a_removal_that_was_let_through_and_whose_pool_was_not_found_is_not_held_again() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        PoolKey neighbour = the.inStep(service("other", "api"), EngineFixture.range(1, 30));
        lead();
        the.endpoints("web", 1, 2);
        run(Duration.ofMinutes(9));
        assertThat(the.braked()).hasSize(1);
        the.fault(FaultRule.always(404).times(1));
        run(Duration.ofMinutes(2));
        assertThat(the.held("web")).as("the update was dropped").hasSize(30);

        the.put("web", false, 1); // the next listing compares it
        the.engine.listIfDue();
        the.endpoints(service("other", "api"), 1, 2);
        run(Duration.ofSeconds(5));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
        assertThat(the.size(neighbour)).as("a removal of its own").isEqualTo(30);
    }

    @Test
    void a_removal_from_a_shared_pool_is_remembered_whichever_service_changes_after_the_404() {
        ServiceName one = service("a", "b-c");
        ServiceName other = service("a-b", "c");
        PoolKey shared = the.inStep(one, EngineFixture.range(1, 30));
        the.inStep(other, EngineFixture.range(1, 30));
        lead();
        the.endpoints(one, 1, 2);
        the.endpoints(other, 1, 2);
        run(Duration.ofMinutes(9));
        assertThat(the.braked()).hasSize(1);
        the.fault(FaultRule.always(404).times(1));
        run(Duration.ofMinutes(2));
        assertThat(the.size(shared)).as("the update was dropped").isEqualTo(30);

        the.endpoints(other, 1, 2, 3);
        run(Duration.ofSeconds(5));
        assertThat(the.cloud.addresses(shared)).contains(EngineFixture.addresses(1, 2, 3));
    }

    @Test
    void a_pool_whose_pause_ends_while_the_brake_would_hold_it_is_reported() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        lead();
        the.put("web", true, 1);
        the.endpoints("web", 1, 2);
        run(Duration.ofMinutes(1));
        assertThat(the.reasons()).as("an operator holds it").isEmpty();
        the.put("web", false, 2);
        run(Duration.ofSeconds(5));
        assertThat(the.reasons()).containsExactly("shop/web HELD");
        run(Duration.ofMinutes(1));
        assertThat(the.reasons()).hasSize(1);
    }

    @Test
    void an_addition_to_a_held_pool_does_not_wait_for_a_tick() {
        the.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        lead();
        the.endpoints("web", 1, 2);
        run(Duration.ofMinutes(5));
        the.endpoints("web", 1, 2, 40);
        the.time.advance(Duration.ofSeconds(1));
        assertThat(the.engine.nextStart()).contains(the.time.instant());
        Ticks.of(the.engine).join();
        assertThat(the.held("web"))
                .isEqualTo(EngineFixture.addresses(EngineFixture.all(EngineFixture.range(1, 30), 40)));
        assertThat(the.writes()).isEqualTo(1);
    }

    @Test
    @Rule(
            id = "C76",
            says = "The share is judged in each namespace with at least safetyBrake.minAddresses addresses, and in all"
                + " pools together. Only removals in a namespace that loses more than the share of its own addresses"
                + " are held: a namespace that scales to nothing and back holds nothing else up.",
            source = "ours")
    void a_tenant_that_scales_to_nothing_and_back_holds_no_one_else_up() {
        ServiceName one = service("tenant", "one");
        ServiceName two = service("tenant", "two");
        ticks.inStep(one, EngineFixture.range(1, 30));
        ticks.inStep(two, EngineFixture.range(1, 30));
        PoolKey pool = ticks.inStep(service("shop", "web"), EngineFixture.range(1, 6));
        ticks.lead();
        ticks.tick();
        for (int round = 0; round < 6; round++) {
            ticks.endpoints(one);
            ticks.endpoints(two);
            ticks.endpoints("web", EngineFixture.range(1, 5));
            ticks.tick();
            assertThat(ticks.size(pool)).as("in the same tick, round %d", round).isEqualTo(5);
            assertThat(ticks.braked()).extracting(BrakedRemoval::removed).containsExactly(60L);
            for (int minute = 1; minute <= 9; minute++) {
                ticks.endpoints("web", EngineFixture.range(1, minute % 2 == 0 ? 5 : 6));
                ticks.run(Duration.ofMinutes(1));
                assertThat(ticks.size(pool)).isEqualTo(minute % 2 == 0 ? 5 : 6);
            }
            ticks.endpoints(one, EngineFixture.range(1, 30));
            ticks.endpoints(two, EngineFixture.range(1, 30));
            ticks.tick();
        }
        assertThat(ticks.reasons()).doesNotContain("shop/web HELD");
    }

    @Test
    void a_large_tenant_does_not_dilute_the_loss_of_a_small_one() {
        ticks.inStep(service("tenant", "big"), EngineFixture.range(1, 100));
        PoolKey pool = ticks.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        ticks.lead();
        ticks.tick();
        ticks.endpoints("web");
        ticks.tick();
        assertThat(ticks.size(pool)).isEqualTo(30);
        assertThat(ticks.braked())
                .extracting(removal -> HoldTexts.text(removal.loss()))
                .containsExactly(
                        "Removal held back by the safety brake: the pools of namespace shop would lose 30 of 30"
                                + " addresses within 30 s, 30 of them by this removal; more than 50 % may not.");
        assertThat(ticks.braked()).extracting(BrakedRemoval::all).containsExactly(30L);
    }

    @Test
    @Rule(
            id = "C77",
            says = "Namespaces too small to be judged by themselves are held when they together lose too much,"
                    + " each only if it loses more than the share of its own addresses.",
            source = "ours")
    void small_namespaces_are_held_when_all_together_lose_too_much() {
        List<PoolKey> pools = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pools.add(ticks.inStep(service("ns" + i, "web"), EngineFixture.range(1, 10)));
        }
        ticks.lead();
        ticks.tick();
        IntStream.range(0, 3).forEach(i -> ticks.endpoints(service("ns" + i, "web")));
        ticks.tick();
        assertThat(ticks.heldInAll()).as("half of all").isEqualTo(30);

        ticks.run(Duration.ofMinutes(1));
        ticks.endpoints(service("ns3", "web"));
        ticks.endpoints(service("ns4", "web"), 1, 2, 3);
        ticks.endpoints(service("ns5", "web"), EngineFixture.range(1, 6));
        ticks.tick();
        assertThat(pools.stream().map(ticks::size)).containsExactly(0, 0, 0, 10, 10, 6);
        assertThat(ticks.braked()).extracting(BrakedRemoval::removed).containsExactly(17L);
        assertThat(HoldTexts.text(ticks.braked().get(0).loss()))
                .contains("the load balancers would lose 21 of 30 addresses");
    }

    @Test
    @Rule(
            id = "C79",
            says = "A cluster that removes an address a minute after one mass removal: each of these is written at"
                    + " once, and the brake is idle after the one hold.",
            source = "ours")
    void a_busy_hour_after_a_mass_removal() {
        the.inStep(service("shop", "gone"), EngineFixture.range(1, 60));
        the.inStep(service("shop", "busy"), EngineFixture.range(1, 40));
        lead();
        Instant removed = the.time.instant();
        the.endpoints("gone");
        run(Duration.ofSeconds(3));
        String first = the.braked().get(0).id();
        for (int minute = 1; minute <= 60; minute++) {
            int[] nodes = minute % 2 == 0
                    ? EngineFixture.range(1, 40)
                    : EngineFixture.all(EngineFixture.range(2, 40), 41 + minute % 50);
            the.endpoints("busy", minute % 4 == 3 ? EngineFixture.range(3, 40) : nodes);
            run(Duration.ofSeconds(5));
            assertThat(the.held("busy"))
                    .as("minute %d", minute)
                    .isEqualTo(EngineFixture.addresses(minute % 4 == 3 ? EngineFixture.range(3, 40) : nodes));
            boolean isOver = !the.time
                    .instant()
                    .isBefore(removed.plus(Duration.ofMinutes(10)).plusSeconds(3));
            assertThat(the.braked()).extracting(BrakedRemoval::id).isEqualTo(isOver ? List.of() : List.of(first));
            run(Duration.ofSeconds(55));
        }
        assertThat(the.held("gone")).isEmpty();
        assertThat(the.reasons()).filteredOn(reason -> reason.endsWith("HELD")).hasSize(1);
    }

    /** How a pool leaves the sight of the brake, and how it comes back. */
    private enum Absence {
        NONE,
        DELETED,
        NOT_LOCAL,
        ANOTHER_LEADER
    }

    @ParameterizedTest
    @EnumSource
    void what_a_pool_lost_within_the_window_still_counts_when_it_comes_back(Absence absence) {
        // given: a third of its addresses is removed, with a window of many ticks
        ServiceName web = service("shop", "web");
        BrakeSettings brake = new BrakeSettings(50, 20, Duration.ofMinutes(10), Duration.ofMinutes(10));
        EngineFixture wide = new EngineFixture(
                EngineSettings.DEFAULT.withPace(Pace.TICK).withGuards(GuardSettings.DEFAULT.withBrake(brake)));
        PoolKey pool = wide.inStep(web, EngineFixture.range(1, 60));
        wide.lead();
        wide.tick();
        wide.endpoints(web, EngineFixture.range(21, 60));
        wide.tick();
        assertThat(wide.size(pool)).isEqualTo(40);
        // when
        switch (absence) {
            case NONE -> {}
            case DELETED -> wide.cluster.deleteService(web);
            case NOT_LOCAL -> wide.cluster.put(new ServiceState(web, "LoadBalancer", "Cluster", List.of("IPv4")));
            case ANOTHER_LEADER -> wide.engine.stopLeading();
        }
        wide.tick();
        if (absence == Absence.ANOTHER_LEADER) {
            wide.lead();
        }
        wide.put(web, false, 0);
        wide.tick();
        wide.endpoints(web, EngineFixture.range(39, 60));
        wide.tick();
        // then: it is more than half of what it held when the window began
        assertThat(wide.size(pool)).isEqualTo(40);
        assertThat(wide.braked()).extracting(BrakedRemoval::removed).containsExactly(18L);
    }

    @Test
    @Rule(
            id = "C104",
            says = "Addresses of a family that the pool's Services do not have there are neither counted nor held by"
                    + " the brake, nor do they wait for a wave: a pool is never written with both families.",
            source = "ours")
    void addresses_of_the_other_family_are_neither_counted_nor_held() {
        PoolKey pool = the.inStep(service("shop", "web"), EngineFixture.range(1, 30));
        PoolKey neighbour = the.inStep(service("other", "api"), EngineFixture.range(1, 30));
        lead();
        String[] dropped =
                IntStream.rangeClosed(1, 40).mapToObj(i -> "fd00::" + i).toArray(String[]::new);
        AddressSet served = EngineFixture.addresses(EngineFixture.range(1, 30));
        the.cloud.putPool(pool, served.union(AddressSet.of(dropped)));
        the.endpoints("web", 1, 2, 40);
        the.endpoints(service("other", "api"), EngineFixture.range(1, 29));
        run(Duration.ofMinutes(1));
        assertThat(the.cloud.addresses(pool)).as("held").contains(served.union(EngineFixture.addresses(40)));
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(28L);
        assertThat(the.size(neighbour)).isEqualTo(29);
    }

    @Test
    @Rule(
            id = "C105",
            says = "A namespace that is judged by itself does not count when the smaller ones are judged together: its"
                    + " loss holds none of their removals, and its size hides no loss of theirs.",
            source = "ours")
    void a_namespace_that_loses_all_does_not_hold_a_smaller_one() {
        ServiceName tenant = service("tenant", "all");
        ticks.inStep(tenant, EngineFixture.range(1, 60));
        PoolKey pool = ticks.inStep(service("shop", "web"), 1, 2, 3);
        ticks.lead();
        ticks.tick();
        ticks.endpoints(tenant);
        ticks.endpoints("web", 1);
        ticks.tick();
        assertThat(ticks.size(pool)).isEqualTo(1);
        assertThat(ticks.braked()).extracting(BrakedRemoval::removed).containsExactly(60L);
        assertThat(ticks.reasons()).doesNotContain("shop/web HELD");
    }

    @Test
    void a_namespace_that_loses_all_does_not_hide_that_smaller_ones_do() {
        ServiceName large = service("large", "all");
        ticks.inStep(large, EngineFixture.range(1, 60));
        for (int i = 0; i < 4; i++) {
            ticks.inStep(service("ns" + i, "web"), EngineFixture.range(1, 10));
        }
        ticks.lead();
        ticks.tick();
        ticks.endpoints(large);
        IntStream.range(0, 3).forEach(i -> ticks.endpoints(service("ns" + i, "web")));
        ticks.tick();
        assertThat(ticks.heldInAll()).isEqualTo(100);
        assertThat(ticks.braked()).extracting(BrakedRemoval::removed).containsExactly(90L);
    }
}

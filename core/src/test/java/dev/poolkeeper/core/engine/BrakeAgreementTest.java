package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One pool of 60 addresses and a small one: the scope of an id, an approval and a hold. */
class BrakeAgreementTest {

    private static final int[] SIXTY = EngineFixture.range(1, 60);

    private final EngineFixture the = new EngineFixture();

    private void inStep() {
        the.pool("web", SIXTY);
        the.pool("api", 70);
        the.service("web", SIXTY);
        the.service("api", 70);
        the.lead();
        the.tick();
    }

    @Test
    @Rule(
            id = "C24",
            says = "The id of a held removal covers the addresses that it had when it was held: further removals"
                    + " that lose too much form another removal with its own id and its own ten minutes.",
            source = "ours")
    void an_approval_covers_only_the_approved_removal() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        BrakedRemoval first = the.braked().get(0);
        assertThat(first.removed()).isEqualTo(35);

        the.engine.agreeToRemovals(Set.of(first.id()));
        the.run(Duration.ofMinutes(1));
        the.endpoints("web"); // everything vanishes
        the.run(Duration.ofMinutes(2));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(36, 60)));
        assertThat(the.braked()).singleElement().satisfies(second -> {
            assertThat(second.id()).isNotEqualTo(first.id());
            assertThat(second.removed()).isEqualTo(25);
            assertThat(second.since()).isEqualTo(first.since().plusSeconds(90));
        });
    }

    @Test
    @Rule(
            id = "C70",
            says = "What is held is set aside: further removals are judged as if it stayed, with what was written"
                    + " within the window. They go if they lose no more than the share; those that lose more form a"
                    + " further removal.",
            source = "ours")
    void each_removal_is_held_for_its_own_ten_minutes() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.run(Duration.ofMinutes(4));
        the.endpoints("web", EngineFixture.range(37, 60));
        the.tick();
        assertThat(the.held("web")).as("judged by itself").hasSize(59);

        the.pool("cart", EngineFixture.range(1, 70));
        the.service("cart", EngineFixture.range(1, 70));
        the.run(Duration.ofMinutes(1));
        the.endpoints("cart");
        the.tick();
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(35L, 70L);

        the.run(Duration.ofMinutes(5));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(37, 60)));
        assertThat(the.held("cart")).hasSize(70);
        the.run(Duration.ofMinutes(5));
        assertThat(the.held("cart")).isEmpty();
    }

    @Test
    @Rule(
            id = "C25",
            says = "An address that is wanted again leaves its held removal, whose id and end stay the same.",
            source = "ours")
    void an_address_wanted_again_is_dropped_from_its_removal() {
        inStep();
        the.endpoints("web", EngineFixture.range(41, 60));
        the.tick();
        BrakedRemoval all = the.braked().get(0);
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        BrakedRemoval less = the.braked().get(0);
        assertThat(less.removed()).isEqualTo(35);
        assertThat(less.id()).isEqualTo(all.id());
        assertThat(less.until()).isEqualTo(all.until());

        the.endpoints("web", EngineFixture.range(41, 60));
        the.tick();
        assertThat(the.held("web"))
                .as("a further one by itself")
                .isEqualTo(EngineFixture.addresses(
                        EngineFixture.all(EngineFixture.range(1, 35), EngineFixture.range(41, 60))));
        the.engine.agreeToRemovals(Set.of(all.id()));
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(41, 60)));
    }

    @Test
    @Rule(
            id = "C71",
            says = "A hold ends when so many of its addresses are wanted again that the rest would not have been held.",
            source = "ours")
    void a_hold_ends_when_what_remains_is_no_longer_too_much() {
        inStep();
        the.endpoints("web", EngineFixture.range(41, 60));
        the.tick();
        the.endpoints("web", EngineFixture.range(31, 60));
        the.tick();
        assertThat(the.braked()).isEmpty();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(31, 60)));
        assertThat(the.reasons()).containsExactly("shop/web HELD", "shop/web UPDATED");
    }

    @Test
    @Rule(
            id = "C72",
            says = "The rest of a hold that ended is judged with what else goes: if that is too much, it stays held"
                    + " under its id, no longer than until its end.",
            source = "ours")
    void the_rest_of_a_hold_stays_held_while_too_much_goes_already() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        BrakedRemoval first = the.braked().get(0);
        the.endpoints("web", EngineFixture.range(19, 35));
        the.tick();
        assertThat(the.held("web")).as("the others go").isEqualTo(EngineFixture.addresses(EngineFixture.range(1, 35)));
        assertThat(the.braked()).singleElement().satisfies(rest -> {
            assertThat(rest.id()).isEqualTo(first.id());
            assertThat(rest.removed()).isEqualTo(18);
        });
        the.tick();
        assertThat(the.braked()).as("the window is over").isEmpty();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(19, 35)));
    }

    @Test
    @Rule(
            id = "C73",
            says = "An operator approves several held removals by their ids, or all that are held when the key changes"
                    + " to all; later ones are held again.",
            source = "ours")
    void all_held_removals_can_be_approved() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.engine.agreeToRemovals(Set.of(SafetyBrake.ALL));
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).hasSize(25);

        the.endpoints("web");
        the.tick();
        the.engine.agreeToRemovals(Set.of(SafetyBrake.ALL)); // read again, unchanged
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).hasSize(25);
        the.engine.agreeToRemovals(
                Set.of("removal-of-yesterday", the.braked().get(0).id()));
        the.tick();
        assertThat(the.held("web")).isEmpty();
    }

    @Test
    @Rule(
            id = "C74",
            says = "safetyBrake.percent takes effect without a restart, also for what is held.",
            source = "ours")
    void the_share_changes_without_a_restart() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        assertThat(the.braked()).hasSize(1);
        the.engine.setBrakePercent(60);
        the.tick();
        assertThat(the.braked()).isEmpty();
        assertThat(the.held("web")).hasSize(25);

        the.run(Duration.ofMinutes(1));
        the.engine.setBrakePercent(10);
        the.endpoints("web", EngineFixture.range(39, 60));
        the.tick();
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(3L);
        the.engine.setBrakePercent(100);
        the.tick();
        assertThat(the.held("web")).hasSize(22);
    }

    @Test
    void a_released_removal_does_not_count_against_later_ones() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.engine.agreeToRemovals(Set.of(the.braked().get(0).id()));
        the.tick();
        assertThat(the.held("web")).hasSize(25);
        the.endpoints("web", EngineFixture.range(51, 60));
        Ticks.of(the.engine).join();
        assertThat(the.held("web")).hasSize(10);
        assertThat(the.braked()).isEmpty();
    }

    @Test
    void a_pool_that_is_held_again_is_reported_again() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.endpoints("web", SIXTY);
        the.tick();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.run(Duration.ofMinutes(1));
        assertThat(the.reasons()).containsExactly("shop/web HELD", "shop/web HELD");
    }

    static Stream<Arguments> takenBack() {
        List<Function<String, Set<String>>> passed =
                List.of(id -> Set.of(SafetyBrake.ALL), Set::of, id -> Set.of(id, "removal-of-yesterday"));
        List<Set<String>> instead = List.of(Set.of(), Set.of("removal-of-yesterday"));
        return passed.stream().flatMap(ids -> instead.stream().map(others -> Arguments.of(ids, others)));
    }

    @ParameterizedTest
    @MethodSource("takenBack")
    void an_approval_that_is_taken_back_holds_again_and_can_be_given_again(
            Function<String, Set<String>> passed, Set<String> instead) {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        Set<String> ids = passed.apply(the.braked().get(0).id());
        // when
        the.engine.agreeToRemovals(ids);
        the.engine.agreeToRemovals(instead); // before the next tick
        the.run(Duration.ofMinutes(1));
        // then
        assertThat(the.held("web")).hasSize(60);
        the.engine.agreeToRemovals(ids);
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).hasSize(25);
    }

    @Test
    void all_is_approved_again_once_it_was_taken_back() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.engine.agreeToRemovals(Set.of(SafetyBrake.ALL));
        the.run(Duration.ofMinutes(1));
        // when
        the.engine.agreeToRemovals(Set.of());
        the.endpoints("web");
        the.tick();
        // then
        assertThat(the.held("web")).hasSize(25);
        the.engine.agreeToRemovals(Set.of(SafetyBrake.ALL));
        the.tick();
        assertThat(the.held("web")).isEmpty();
    }
}

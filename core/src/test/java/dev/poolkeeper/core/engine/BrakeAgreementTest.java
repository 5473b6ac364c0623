package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.AddressSet;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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

    private static int[] without(int... gone) {
        return IntStream.of(SIXTY)
                .filter(node -> IntStream.of(gone).noneMatch(other -> other == node))
                .toArray();
    }

    @Test
    @Rule(
            id = "C24",
            says = "The id of a held removal covers the addresses that it had when it was held: further"
                    + " removals during the hold form another removal with its own id and its own ten minutes.",
            source = "ours")
    void an_approval_covers_only_the_approved_removal() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        BrakedRemoval first = the.braked().get(0);
        assertThat(first.removed()).isEqualTo(35);

        the.engine.agreeToRemoval(first.id());
        the.endpoints("web"); // everything vanishes before the next tick
        the.run(Duration.ofMinutes(2));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(36, 60)));
        assertThat(the.braked()).singleElement().satisfies(second -> {
            assertThat(second.id()).isNotEqualTo(first.id());
            assertThat(second.removed()).isEqualTo(25);
            assertThat(second.since()).isEqualTo(first.since().plus(EngineFixture.TICK));
        });
    }

    @Test
    void each_removal_is_held_for_its_own_ten_minutes() {
        inStep();
        the.endpoints("web", without(EngineFixture.range(1, 35)));
        the.tick();
        the.run(Duration.ofMinutes(9));
        the.endpoints("web", without(EngineFixture.range(19, 60)));
        the.tick();
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(17L, 25L);

        the.run(Duration.ofMinutes(5));
        AddressSet held = the.held("web");
        assertThat(held).isEqualTo(EngineFixture.addresses(without(EngineFixture.range(19, 35))));

        the.run(Duration.ofMinutes(5));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(1, 18)));
    }

    @Test
    @Rule(
            id = "C25",
            says = "An address that is wanted again leaves its held removal, whose id and end stay the same.",
            source = "ours")
    void an_address_wanted_again_is_dropped_from_its_removal() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        BrakedRemoval all = the.braked().get(0);
        the.endpoints("web", EngineFixture.range(11, 60));
        the.tick();
        BrakedRemoval less = the.braked().get(0);
        assertThat(less.removed()).isEqualTo(10);
        assertThat(less.id()).isEqualTo(all.id());
        assertThat(less.until()).isEqualTo(all.until());

        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(10L, 25L);
        the.engine.agreeToRemoval(all.id());
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(11, 60)));
    }

    @Test
    void a_released_removal_does_not_count_against_later_ones() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.engine.agreeToRemoval(the.braked().get(0).id());
        the.tick();
        assertThat(the.held("web")).hasSize(25);
        the.endpoints("web", EngineFixture.range(51, 60));
        the.engine.tick().join();
        assertThat(the.held("web")).hasSize(10);
        assertThat(the.braked()).isEmpty();
    }

    @Test
    void a_pool_that_is_held_again_is_reported_again() {
        inStep();
        the.endpoints("web", EngineFixture.range(36, 60));
        the.tick();
        the.endpoints("api", 71);
        the.tick();
        assertThat(the.reasons()).containsExactly("shop/web HELD", "shop/api HELD");
        the.endpoints("api", 70, 71);
        the.tick();
        the.endpoints("api", 71);
        the.tick();
        assertThat(the.reasons()).filteredOn("shop/api HELD"::equals).hasSize(2);
        assertThat(the.reasons()).filteredOn("shop/web HELD"::equals).hasSize(1);
    }
}

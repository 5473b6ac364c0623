package dev.poolkeeper.core.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds updates back on purpose. */
class HeldBackTest {

    private static final int[] MANY = IntStream.rangeClosed(1, 30).toArray();
    private static final int[] FEW = IntStream.rangeClosed(1, 5).toArray();

    private final KeeperFixture the = new KeeperFixture();

    private void inStep() {
        the.pool("web", MANY);
        the.pool("api", 1);
        the.service("web", MANY);
        the.service("api", 1);
        the.keeper.startLeading();
        the.tick();
        assertThat(the.calls()).isEmpty();
    }

    @Test
    @Rule(
            id = "C10",
            says = "A tick that would remove more than half of all addresses, of at least 20, removes none; it adds"
                    + " what is to be added, and Services are told once. After ten minutes it is let through.",
            source = "Poolkeeper: safety brake")
    void the_brake_holds_removals_back() {
        inStep();
        the.endpoints("web", 1, 2, 40);
        the.run(Duration.ofMinutes(5));

        assertThat(the.held("web"))
                .isEqualTo(KeeperFixture.addresses(
                        IntStream.concat(IntStream.of(MANY), IntStream.of(40)).toArray()));
        assertThat(the.reasons()).containsExactly("shop/web HELD");
        BrakedRemoval removal = the.keeper.status().braked().orElseThrow();
        assertThat(removal.removed()).isEqualTo(28);
        assertThat(the.events.events().get(0).message())
                .contains(
                        "safety brake",
                        "28 of 31",
                        removal.id(),
                        removal.until().toString());

        the.run(Duration.ofMinutes(6));
        assertThat(the.held("web")).isEqualTo(KeeperFixture.addresses(1, 2, 40));
        assertThat(the.keeper.status().braked()).isEmpty();
    }

    @Test
    @Rule(
            id = "C11",
            says = "An operator agrees to a braked removal by its id; another id does nothing.",
            source = "Poolkeeper: safety brake")
    void an_operator_agrees() {
        inStep();
        the.endpoints("web", FEW);
        the.keeper.agreeToRemoval("removal-of-yesterday");
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).hasSize(30);

        the.keeper.agreeToRemoval(the.keeper.status().braked().orElseThrow().id());
        the.tick();
        assertThat(the.held("web")).isEqualTo(KeeperFixture.addresses(FEW));
    }

    @Test
    @Rule(
            id = "C12",
            says = "A removal that becomes small enough releases the brake; the time starts anew at the next one.",
            source = "Poolkeeper: safety brake")
    void the_brake_is_released_when_addresses_come_back() {
        inStep();
        the.endpoints("web", FEW);
        the.run(Duration.ofMinutes(6));
        the.endpoints("web", MANY);
        the.tick();
        assertThat(the.keeper.status().braked()).isEmpty();
        the.endpoints("web", FEW);
        the.run(Duration.ofMinutes(6));
        assertThat(the.held("web")).hasSize(30);
        assertThat(the.reasons()).filteredOn("shop/web HELD"::equals).hasSize(2);
    }

    @Test
    @Rule(
            id = "C13",
            says = "The brake counts what a tick really removes too, where what is known of the pools was too old.",
            source = "Poolkeeper: safety brake")
    void the_brake_counts_what_is_really_removed() {
        the.pool("web", FEW);
        the.pool("api", MANY);
        the.service("web", FEW);
        the.service("api", MANY);
        the.keeper.startLeading();
        the.tick();
        the.pool("web", IntStream.rangeClosed(6, 45).toArray()); // by another hand, unseen
        the.endpoints("web", 1, 2, 3);
        the.tick();

        assertThat(the.held("web")).hasSize(43);
        assertThat(the.reasons()).contains("shop/web HELD");
    }

    @Test
    @Rule(id = "C14", says = "With fewer than 20 addresses nothing is braked.", source = "Poolkeeper: safety brake")
    void small_clusters_are_not_braked() {
        the.pool("web", FEW);
        the.service("web", FEW);
        the.keeper.startLeading();
        the.tick();
        the.endpoints("web");
        the.tick();
        assertThat(the.held("web")).isEmpty();
    }

    @Test
    @Rule(
            id = "C15",
            says = "A switch pauses all writes; changes are queued meanwhile and done afterwards.",
            source = "Poolkeeper: pause")
    void a_switch_pauses_all_writes() {
        inStep();
        the.keeper.pause(true);
        the.endpoints("api", 2);
        the.run(Duration.ofMinutes(30));
        assertThat(the.calls()).isEmpty();

        the.keeper.pause(false);
        the.tick();
        assertThat(the.held("api")).isEqualTo(KeeperFixture.addresses(2));
    }

    @Test
    @Rule(
            id = "C16",
            says = "The annotation poolkeeper.dev/paused pauses the pools of one Service; the others go on.",
            source = "Poolkeeper: pause")
    void an_annotation_pauses_one_service() {
        inStep();
        the.put("api", true, 1);
        the.endpoints("api", 2);
        the.endpoints("web", IntStream.rangeClosed(1, 29).toArray());
        the.run(Duration.ofMinutes(30));
        assertThat(the.calls()).containsExactly("GET shop-web", "PUT shop-web");

        the.put("api", false, 2);
        the.tick();
        assertThat(the.held("api")).isEqualTo(KeeperFixture.addresses(2));
    }

    @Test
    @Rule(
            id = "C17",
            says = "A load balancer that answers 403 is left alone, a minute at first and up to half an hour; its"
                    + " Services are told; the other load balancers go on.",
            source = "Poolkeeper: refused by a load balancer")
    void a_load_balancer_that_refuses_is_left_alone() {
        inStep();
        PoolKey other = PoolKey.of("lb-2", "shop-other");
        the.cloud.putPool(other, KeeperFixture.addresses(1));
        the.service("other", 1);
        the.pool("cart", 1);
        the.service("cart", 1);
        the.run(Duration.ofMinutes(1));
        int before = the.cloud.calls().size();
        the.fault(FaultRule.always(403).forMethod("PUT").forPool("shop-api").times(1));
        the.fault(FaultRule.always(403).forMethod("PUT").forPool("shop-cart").times(2));
        the.endpoints("api", 2);
        the.endpoints("cart", 2);
        the.endpoints("other", 2);
        the.tick();

        assertThat(the.callsSince(before)).hasSize(4);
        assertThat(the.cloud.addresses(other)).contains(KeeperFixture.addresses(2));
        assertThat(the.reasons()).contains("shop/api FAILED", "shop/cart HELD", "shop/other UPDATED");
        assertThat(the.keeper.status().forbidden()).hasSize(1);

        the.run(Duration.ofMinutes(30));
        assertThat(the.held("api")).isEqualTo(KeeperFixture.addresses(2));
        assertThat(the.held("cart")).isEqualTo(KeeperFixture.addresses(2));
        assertThat(the.keeper.status().forbidden()).isEmpty();
    }

    @Test
    @Rule(
            id = "C18",
            says = "A pool that somebody else changes back three times is written less and less often, and its Service"
                    + " is told once.",
            source = "Poolkeeper: drift")
    void a_pool_that_is_fought_over_is_noticed() {
        inStep();
        the.endpoints("api", 2);
        the.tick();
        for (int i = 0; i < 30; i++) {
            the.pool("api", 1);
            the.run(Duration.ofMinutes(10));
        }

        assertThat(the.reasons()).filteredOn("shop/api HELD"::equals).hasSize(1);
        assertThat(the.writes()).isBetween(5L, 9L);
        assertThat(the.keeper.status().fights()).containsOnlyKeys(KeeperFixture.key("api"));

        the.run(Duration.ofHours(8));
        assertThat(the.held("api")).isEqualTo(KeeperFixture.addresses(2));
        assertThat(the.keeper.status().fights()).isEmpty();
    }

    @Test
    @Rule(
            id = "C19",
            says = "A pool name on two load balancers is refused with a Warning, once, that names both.",
            source = "contract, Replay rule 3")
    void an_ambiguous_name_is_refused_with_a_warning() {
        inStep();
        the.cloud.putPool(PoolKey.of("lb-2", "SHOP-api"), KeeperFixture.addresses(7));
        the.endpoints("api", 2);
        the.run(Duration.ofMinutes(30));

        assertThat(the.reasons()).filteredOn("shop/api HELD"::equals).hasSize(1);
        assertThat(the.events.events())
                .last()
                .satisfies(event -> assertThat(event.message()).contains("lb-1", "lb-2"));
    }
}

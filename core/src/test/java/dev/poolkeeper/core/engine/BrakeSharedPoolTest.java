package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whose loss it is when Services of two namespaces have one pool: {@code prod/shop-web} and {@code prod-shop/web},
 * whose names collide.
 */
class BrakeSharedPoolTest {

    private static final ServiceName WEB = new ServiceName("prod", "shop-web");
    private static final ServiceName API = new ServiceName("prod", "api");
    private static final ServiceName TENANT = new ServiceName("prod-shop", "web");
    private static final ServiceName TENANTS_OTHER = new ServiceName("prod-shop", "other");

    private final EngineFixture the = new EngineFixture();

    private void lead() {
        the.lead();
        the.tick();
        the.run(Duration.ofSeconds(60));
        assertThat(the.braked()).isEmpty();
    }

    private void tenantShares(int... nodes) {
        the.put(TENANT, false, 0);
        the.endpoints(TENANT, nodes);
    }

    @Test
    @Rule(
            id = "C78",
            says = "In a pool that Services of several namespaces share, an address counts for each namespace that"
                    + " wants it or last did, and is held if one of these loses too much; those that none is known to"
                    + " have wanted count as a namespace of their own. What one namespace wants or loses neither"
                    + " holds another's addresses nor lets them go.",
            source = "ours")
    void an_empty_service_takes_nothing_out_of_the_sum_of_another_namespace() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 15));
        PoolKey api = the.inStep(API, EngineFixture.range(1, 15));
        the.inStep(new ServiceName("big", "one"), EngineFixture.range(1, 90));
        tenantShares();
        lead();
        the.endpoints(WEB);
        the.endpoints(API);
        the.tick();
        assertThat(the.size(web) + the.size(api)).isEqualTo(30);
        assertThat(the.braked())
                .extracting(removal -> HoldTexts.text(removal.loss()))
                .singleElement()
                .asString()
                .contains("the pools of namespace prod would lose 30 of 30 addresses");
    }

    @Test
    void an_empty_service_makes_no_scale_down_of_another_namespace_a_mass_loss() {
        the.inStep(WEB, EngineFixture.range(1, 80));
        PoolKey api = the.inStep(API, EngineFixture.range(1, 30));
        tenantShares();
        lead();
        the.endpoints(API, 1, 2);
        the.tick();
        assertThat(the.size(api)).isEqualTo(2);
        assertThat(the.braked()).isEmpty();
    }

    @Test
    void addresses_of_a_neighbour_do_not_dilute_a_mass_loss() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 30));
        tenantShares(EngineFixture.range(31, 95));
        lead();
        assertThat(the.size(web)).isEqualTo(95);
        the.endpoints(WEB);
        the.tick();
        assertThat(the.size(web)).isEqualTo(95);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(30L);
    }

    @Test
    void a_mass_loss_of_a_neighbour_holds_only_its_own_addresses() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 6));
        tenantShares(EngineFixture.range(11, 70));
        lead();
        the.endpoints(TENANT);
        the.endpoints(WEB, EngineFixture.range(1, 5));
        the.tick();
        assertThat(the.size(web)).as("one removed, 60 held").isEqualTo(65);

        the.endpoints(WEB, EngineFixture.range(2, 4));
        the.tick();
        assertThat(the.size(web)).isEqualTo(63);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(60L);

        the.run(Duration.ofMinutes(10));
        assertThat(the.size(web)).isEqualTo(3);
    }

    @Test
    void a_burst_of_a_neighbour_holds_nothing_of_what_follows_it() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 6));
        tenantShares();
        lead();
        for (int round = 0; round < 3; round++) {
            the.endpoints(TENANT, EngineFixture.range(11, 70));
            the.tick();
            the.endpoints(TENANT);
            the.endpoints(WEB, EngineFixture.range(2, 6));
            the.tick();
            assertThat(the.cloud
                            .addresses(web)
                            .orElseThrow()
                            .intersect(EngineFixture.addresses(EngineFixture.range(1, 6))))
                    .isEqualTo(EngineFixture.addresses(EngineFixture.range(2, 6)));
            the.endpoints(WEB, EngineFixture.range(1, 6));
            the.tick();
        }
        assertThat(the.size(web)).isEqualTo(66);
    }

    @Test
    void the_addresses_of_a_service_that_is_gone_are_still_its_namespaces() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 6));
        tenantShares(EngineFixture.range(11, 70));
        lead();
        the.cluster.deleteService(TENANT);
        the.endpoints(WEB, EngineFixture.range(1, 5));
        the.tick();
        assertThat(the.size(web)).isEqualTo(65);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(60L);
    }

    @Test
    void an_address_that_both_want_is_held_once() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 30));
        tenantShares(EngineFixture.range(1, 30));
        the.inStep(new ServiceName("big", "one"), EngineFixture.range(1, 90));
        the.inStep(new ServiceName("big", "two"), EngineFixture.range(1, 90));
        lead();
        the.endpoints(TENANT);
        the.endpoints(WEB);
        the.tick();
        assertThat(the.size(web)).isEqualTo(30);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(30L);

        the.run(Duration.ofMinutes(11));
        assertThat(the.size(web)).isZero();
    }

    @ParameterizedTest(name = "approved {0}, of the tenant {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void what_was_let_through_for_one_namespace_is_no_loss_of_another_that_wanted_it(
            boolean isApproved, boolean isTenants) {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 30));
        tenantShares(EngineFixture.range(1, 30));
        ServiceName neighbour = isTenants ? TENANTS_OTHER : API;
        PoolKey other = the.inStep(neighbour, EngineFixture.range(1, 90));
        lead();
        the.endpoints(TENANT);
        the.endpoints(WEB);
        the.tick();
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(30L);
        if (isApproved) {
            the.engine.agreeToRemovals(Set.of(the.braked().get(0).id()));
            the.tick();
        } else {
            the.run(Duration.ofMinutes(10));
        }
        assertThat(the.size(web)).isZero();

        the.time.advance(Duration.ofSeconds(5));
        the.endpoints(neighbour, EngineFixture.range(1, 45));
        Ticks.of(the.engine).join();
        assertThat(the.size(other)).as("half of them may go").isEqualTo(45);
        assertThat(the.braked()).isEmpty();
    }

    @Test
    void addresses_that_none_is_known_to_have_wanted_are_judged_by_themselves() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 30));
        the.endpoints(WEB, 1, 2, 3);
        tenantShares(4);
        the.inStep(TENANTS_OTHER, EngineFixture.range(1, 90));
        PoolKey api = the.inStep(API, EngineFixture.range(1, 4));
        the.lead();
        the.tick();
        assertThat(the.size(web)).isEqualTo(30);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(26L);
        assertThat(HoldTexts.text(the.braked().get(0).loss()))
                .contains("the pools of namespace prod, prod-shop would lose 26 of 26 addresses");

        the.endpoints(API, 1, 2);
        the.endpoints(WEB, 1, 2);
        the.tick();
        assertThat(the.size(api)).isEqualTo(2);
        assertThat(the.size(web)).isEqualTo(29);
    }

    @Test
    void a_mass_loss_that_was_seen_by_no_leader_is_held() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 30));
        tenantShares(31);
        the.inStep(TENANTS_OTHER, EngineFixture.range(1, 90));
        lead();
        the.engine.stopLeading();
        the.endpoints(WEB);
        the.lead();
        the.tick();
        assertThat(the.size(web)).isEqualTo(31);
        assertThat(the.braked()).extracting(BrakedRemoval::removed).containsExactly(30L);
    }

    @Test
    void a_neighbour_that_leaves_and_joins_ends_no_hold() {
        PoolKey web = the.inStep(WEB, EngineFixture.range(1, 50));
        the.endpoints(WEB, 1, 2, 3);
        tenantShares(EngineFixture.range(31, 50));
        the.lead();
        the.tick();
        assertThat(the.size(web)).isEqualTo(50);
        String id = the.braked().get(0).id();

        the.cluster.deleteService(TENANT);
        the.tick();
        tenantShares(EngineFixture.range(31, 50));
        the.tick();
        the.run(Duration.ofMinutes(1));
        assertThat(the.size(web)).isEqualTo(50);
        assertThat(the.braked()).extracting(BrakedRemoval::id).contains(id);
        assertThat(the.braked())
                .first()
                .satisfies(first -> assertThat(first.removed()).isEqualTo(27));
    }
}

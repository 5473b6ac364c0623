package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the two models decide which addresses a pool should hold. */
class UpdateModelsTest {

    private final UpdateFixture diff = new UpdateFixture(UpdateModel.DIFF);
    private final UpdateFixture desiredState = new UpdateFixture(UpdateModel.DESIRED_STATE);

    @Test
    @Rule(
            id = "R05.7",
            says = "In diff an adoption applies the addresses it was queued with, regardless of later changes,"
                    + " which follow as separate operations.",
            source = "contract, Replay rule 5")
    void in_diff_an_adoption_applies_its_queued_addresses() {
        // given
        diff.want(WEB, POOL, "10.0.0.4");
        diff.duringRead(() -> diff.want(WEB, POOL, "10.0.0.5"));
        // when
        diff.tick();
        // then
        assertThat(diff.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
        // when
        diff.tick();
        // then
        assertThat(diff.held(POOL)).isEqualTo(AddressSet.of("10.0.0.5"));
    }

    @Test
    void in_desired_state_the_pool_gets_the_set_wanted_after_its_read() {
        desiredState.want(WEB, POOL, "10.0.0.4");
        desiredState.duringRead(() -> desiredState.want(WEB, POOL, "10.0.0.5"));

        desiredState.tick();
        assertThat(desiredState.held(POOL)).isEqualTo(AddressSet.of("10.0.0.5"));

        desiredState.tick();
        assertThat(desiredState.cloud.calls()).extracting(Call::method).containsExactly("GET", "PUT", "GET");
    }

    @Test
    @Rule(
            id = "R08.7",
            says = "In diff an adoption keeps in a shared pool the addresses that the other local Services want"
                    + " at that time, adopted or not.",
            source = "contract, Replay rule 8")
    void in_diff_an_adoption_keeps_addresses_wanted_by_any_other_service() {
        // given
        diff.cloud.putPool(POOL, AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3"));
        diff.view.wantIncompletely(API, POOL, "10.0.0.1");
        diff.want(WEB, POOL, "10.0.0.4");
        diff.duringRead(() -> diff.view.wantIncompletely(API, POOL, "10.0.0.2"));
        // when
        diff.tick();
        // then
        assertThat(diff.held(POOL)).isEqualTo(AddressSet.of("10.0.0.2", "10.0.0.4"));
        assertThat(diff.reasons()).containsExactly("shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "R07.2",
            says = "If Services share the pool that one leaves, each of them that was complete once has its set"
                    + " written: what only the one that left wanted goes.",
            source = "contract, Replay rule 7")
    void what_a_service_leaves_behind_goes_from_a_pool_that_others_share(UpdateModel model) {
        // given
        UpdateFixture f = new UpdateFixture(model);
        ServiceName third = new ServiceName("shop", "third");
        f.cloud.putPool(POOL, AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3"));
        f.want(WEB, POOL, "10.0.0.1");
        f.want(API, POOL, "10.0.0.2");
        f.view.wantIncompletely(third, POOL, "10.0.0.3");
        f.tick();
        f.events.clear();
        // when
        f.view.leave(WEB, POOL);
        f.tick();
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.2", "10.0.0.3"));
        assertThat(f.reasons()).as("the third was never complete").containsExactly("shop/api UPDATED");
    }
}

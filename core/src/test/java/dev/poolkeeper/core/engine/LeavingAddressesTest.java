package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses that a pool holds and may lose to an earlier update. */
class LeavingAddressesTest {

    private static EngineFixture leading(UpdateModel model) {
        EngineFixture the =
                new EngineFixture(EngineSettings.DEFAULT.withModel(model).withPace(Pace.TICK));
        the.pool("web", 1, 2);
        the.service("web", 1, 2);
        the.lead();
        the.tick();
        assertThat(the.status("web").leaving()).isEqualTo(AddressSet.empty());
        return the;
    }

    @Test
    void in_diff_an_address_that_left_and_came_back_stays_while_both_operations_wait() {
        EngineFixture the = leading(UpdateModel.DIFF);
        the.endpoints("web", 1);
        assertThat(the.status("web").leaving()).isEqualTo(EngineFixture.addresses(2));
        the.endpoints("web", 1, 2);
        assertThat(the.status("web").wanted()).isEqualTo(EngineFixture.addresses(1, 2));
        assertThat(the.status("web").leaving()).isEqualTo(AddressSet.empty());
    }

    @Test
    void in_desired_state_an_address_wanted_again_stays() {
        EngineFixture the = leading(UpdateModel.DESIRED_STATE);
        the.endpoints("web", 1);
        assertThat(the.status("web").leaving()).isEqualTo(EngineFixture.addresses(2));

        the.endpoints("web", 1, 2);
        assertThat(the.status("web").leaving()).isEqualTo(AddressSet.empty());
    }

    @ParameterizedTest
    @EnumSource
    void an_address_that_comes_back_during_the_write_that_removes_it_may_leave(UpdateModel model) {
        EngineFixture the = leading(model);
        List<AddressSet> leaving = new ArrayList<>();
        the.onWrite = () -> {
            the.endpoints("web", 1, 2);
            leaving.add(the.status("web").leaving());
            the.onWrite = () -> {};
        };
        the.endpoints("web", 1);
        the.tick();

        assertThat(leaving).containsExactly(EngineFixture.addresses(2));
        the.tick();
        assertThat(the.status("web").leaving()).isEqualTo(AddressSet.empty());
    }
}

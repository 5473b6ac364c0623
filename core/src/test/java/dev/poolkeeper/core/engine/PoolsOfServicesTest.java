package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The status of a few Services' pools equals their part of the whole status. */
class PoolsOfServicesTest {

    private static final ServiceName SHARING = new ServiceName("shop", "sharing");

    private final UpdateFixture f = new UpdateFixture(UpdateModel.DESIRED_STATE);

    @Test
    void only_their_pools_are_returned_with_what_all_services_want() {
        f.want(WEB, POOL, "10.0.0.4");
        f.want(SHARING, POOL, "10.0.0.5");
        f.want(API, OTHER_POOL, "10.0.0.6");

        for (ServiceName either : List.of(WEB, SHARING)) {
            assertThat(f.engine.pools(Set.of(either)))
                    .containsExactly(f.status(POOL))
                    .first()
                    .extracting(status -> status.wanted().size())
                    .isEqualTo(2);
        }
    }

    @Test
    void services_without_a_pool_have_none() {
        f.want(WEB, POOL, "10.0.0.4");

        assertThat(f.engine.pools(Set.of(new ServiceName("shop", "internal")))).isEmpty();
        assertThat(f.engine.pools(Set.of())).isEmpty();
    }
}

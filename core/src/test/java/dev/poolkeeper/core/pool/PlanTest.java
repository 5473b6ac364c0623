package dev.poolkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private final Plan plan = new Plan(
            PoolKey.of("lb-1", "shop-web"),
            List.of(),
            AddressSet.of("10.0.0.1", "10.0.0.2"),
            AddressSet.of("10.0.0.2", "10.0.0.3"));

    @Test
    void a_plan_lists_what_it_adds_and_removes() {
        assertThat(plan.additions()).isEqualTo(AddressSet.of("10.0.0.3"));
        assertThat(plan.removals()).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(plan.isDone()).isFalse();
    }

    @Test
    void a_plan_is_done_when_the_pool_holds_the_planned_set() {
        assertThat(plan.withPlanned(plan.held()).isDone()).isTrue();
        assertThat(plan.withPlanned(plan.held()).removals()).isEqualTo(AddressSet.empty());
    }
}

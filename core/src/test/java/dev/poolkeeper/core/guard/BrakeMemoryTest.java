package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The brake keeps no removal for longer than it counts it. */
class BrakeMemoryTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Duration WINDOW = BrakeSettings.DEFAULT.window();

    private final FakeTime time = new FakeTime();
    private final SafetyBrake brake = new SafetyBrake(
            BrakeSettings.DEFAULT, Duration.ZERO, TestPools.none(), pool -> List.of(), new Guards(List.of()), time);

    @BeforeEach
    void a_written_pool_is_remembered() throws IllegalAccessException {
        Plan plan = new Plan(
                POOL,
                List.of(new ServiceName("shop", "web")),
                AddressSet.of("10.0.0.1", "10.0.0.2"),
                AddressSet.of("10.0.0.2"));
        brake.wasWritten(plan);
        assertThat(Reachable.from(brake, PoolKey.class)).containsExactly(POOL);
        time.advance(WINDOW);
    }

    @Test
    void writes_before_the_window_are_forgotten_even_without_further_removals() throws IllegalAccessException {
        brake.tickBegins();
        assertThat(Reachable.from(brake, PoolKey.class)).isEmpty();
    }

    @Test
    void writes_before_the_window_are_forgotten_by_a_standby() throws IllegalAccessException {
        brake.standBy();
        assertThat(Reachable.from(brake, PoolKey.class)).isEmpty();
    }
}

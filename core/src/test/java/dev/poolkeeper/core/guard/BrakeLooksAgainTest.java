package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The brake looks at pools that did not change if another guard may decide otherwise about them. */
class BrakeLooksAgainTest {

    private static final ServiceName SERVICE = new ServiceName("shop", "web");
    private static final PoolKey SHRINKS = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-web");

    private final FakeTime time = new FakeTime();
    private final Pools pools = TestPools.none();
    private boolean paused;
    private final SafetyBrake brake =
            new SafetyBrake(BrakeSettings.DEFAULT, Duration.ZERO, pools, this::prospect, time);

    private static AddressSet addresses(int count) {
        return AddressSet.of(
                IntStream.rangeClosed(1, count).mapToObj(i -> "10.0.0." + i).toArray(String[]::new));
    }

    /** One pool loses 24 of 40 addresses. */
    private Prospect prospect(Pool pool, boolean isRemembered) {
        List<Plan> plans = pool.key().equals(SHRINKS)
                ? List.of(new Plan(SHRINKS, List.of(SERVICE), addresses(40), addresses(16)))
                : List.of();
        return new Prospect(plans, paused ? List.of() : plans);
    }

    private void pause(boolean now) {
        paused = now;
        brake.lookAgain();
    }

    @Test
    void a_pause_of_all_holds_a_removal_before_the_brake_does() {
        // given: removals of 24 of 80 addresses, which may go
        for (PoolKey pool : List.of(SHRINKS, OTHER)) {
            pools.wants(new Want(SERVICE, pool, addresses(16), true, true, true, false));
            pools.read(new BackendPool(pool, addresses(40), "etag", null), time.instant());
        }
        brake.tickBegins();
        assertThat(brake.braked()).isEmpty();
        // when: they are 24 of 40, during a pause
        pause(true);
        pools.left(SERVICE, OTHER);
        brake.tickBegins();
        // then
        assertThat(brake.braked()).isEmpty();
        // when: it ends
        time.advance(Duration.ofMinutes(5));
        pause(false);
        brake.tickBegins();
        // then: the hold begins
        assertThat(brake.braked())
                .singleElement()
                .returns(time.instant(), SafetyBrake.BrakedRemoval::since)
                .returns(24L, SafetyBrake.BrakedRemoval::removed)
                .returns(40L, SafetyBrake.BrakedRemoval::all);
    }
}

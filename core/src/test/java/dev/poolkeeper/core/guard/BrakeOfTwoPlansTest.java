package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.pool.Plan;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a lane has in hand and what waits behind it are two plans for one pool, from the same contents. */
class BrakeOfTwoPlansTest {

    private static final ServiceName SERVICE = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet HELD = addresses(1, 40);

    private static AddressSet addresses(int from, int to) {
        return AddressSet.of(
                IntStream.rangeClosed(from, to).mapToObj(i -> "10.0.0." + i).toArray(String[]::new));
    }

    private static Plan removing(int from, int to) {
        return new Plan(POOL, List.of(SERVICE), HELD, HELD.minus(addresses(from, to)));
    }

    /** More than half of 40 addresses, and at least 20, are too many. */
    @ParameterizedTest(name = "{0} to {1} and {2} to {3}: {4} are held")
    @CsvSource({
        "1, 14, 15, 28, 28",
        "1, 14, 10, 24, 24",
        "1, 24, 1, 24, 24",
        "1, 24, 5, 6, 24",
        "5, 6, 1, 24, 24",
        "1, 14, 15, 19, 0",
        "1, 14, 1, 14, 0"
    })
    void their_removals_count_together_and_each_address_once(int from, int to, int next, int last, long held) {
        // given
        FakeTime time = new FakeTime();
        Pools pools = TestPools.none();
        List<Plan> plans = List.of(removing(from, to), removing(next, last));
        SafetyBrake brake = new SafetyBrake(
                BrakeSettings.DEFAULT, Duration.ZERO, pools, pool -> plans, new Guards(List.of()), time);
        pools.wants(new Want(SERVICE, POOL, AddressSet.of("10.0.0.40"), true, true, true, false));
        pools.read(new BackendPool(POOL, HELD, "etag", null), time.instant());
        // when
        brake.tickBegins();
        // then
        assertThat(brake.braked().stream()
                        .mapToLong(SafetyBrake.BrakedRemoval::removed)
                        .sum())
                .isEqualTo(held);
    }
}

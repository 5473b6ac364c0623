package dev.poolkeeper.core.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.known.KnownPool.LastCall;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObservedPoolsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet ONE = AddressSet.of("10.0.0.1");
    private static final AddressSet TWO = AddressSet.of("10.0.0.2");

    private final FakeTime clock = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(clock);
    private final KnownPools known = new KnownPools();
    private final List<String> heard = new ArrayList<>();
    private final ObservedPools pools = new ObservedPools(cloud, known, List.of(new Hearing()), clock);

    private final class Hearing implements ObservedPools.Observer {
        @Override
        public void answered(PoolKey pool, boolean write) {
            heard.add((write ? "wrote " : "read ") + pool.pool());
        }

        @Override
        public void failed(PoolKey pool, boolean write, Failure failure) {
            heard.add((write ? "write" : "read") + " failed " + pool.pool());
        }
    }

    private BackendPool read() {
        return ((Reply.Ok<BackendPool>) pools.read(POOL)).value();
    }

    private KnownPool pool() {
        return known.find(POOL).orElseThrow();
    }

    @Test
    void reads_and_writes_are_noted_and_told() {
        cloud.putPool(POOL, ONE);
        BackendPool held = read();
        assertThat(pool()).isEqualTo(new KnownPool(POOL, ONE, clock.instant(), null, ended(false)));
        clock.advance(Duration.ofSeconds(1));
        pools.write(held, TWO);
        assertThat(pool()).isEqualTo(new KnownPool(POOL, TWO, clock.instant(), TWO, ended(true)));
        assertThat(heard).containsExactly("read shop-web", "wrote shop-web");
    }

    private LastCall ended(boolean write) {
        return new LastCall(write, clock.instant(), Optional.empty());
    }

    @Test
    void a_failure_is_noted_and_told_and_what_was_known_stays() {
        cloud.putPool(POOL, ONE);
        Instant seen = clock.instant();
        BackendPool held = read();
        clock.advance(Duration.ofSeconds(1));
        cloud.faults().add(FaultRule.always(409));

        Reply<BackendPool> reply = pools.write(held, TWO);

        Failure failure = ((Reply.Failed<BackendPool>) reply).failure();
        assertThat(pool())
                .isEqualTo(new KnownPool(
                        POOL, ONE, seen, null, new LastCall(true, clock.instant(), Optional.of(failure))));
        assertThat(heard).containsExactly("read shop-web", "write failed shop-web");
    }

    @Test
    void of_a_pool_that_nobody_saw_a_failure_tells_nothing() {
        pools.read(POOL);
        assertThat(known.find(POOL)).isEmpty();
        assertThat(heard).containsExactly("read failed shop-web");
    }

    @Test
    void a_listing_forgets_pools_that_are_gone_and_keeps_what_is_fresher() {
        cloud.putPool(POOL, ONE);
        Instant begun = clock.instant();
        Reply<List<BackendPool>> listing = cloud.list();
        clock.advance(Duration.ofSeconds(1));
        pools.write(read(), TWO);

        known.listed(((Reply.Ok<List<BackendPool>>) listing).value(), begun);
        assertThat(pool().addresses()).isEqualTo(TWO);

        clock.advance(Duration.ofSeconds(1));
        known.listed(((Reply.Ok<List<BackendPool>>) listing).value(), clock.instant());
        assertThat(pool().addresses()).isEqualTo(ONE);
        assertThat(pool().ourLastWrite()).isEqualTo(TWO);

        known.listed(List.of(), clock.instant());
        assertThat(known.find(POOL)).isEmpty();
    }
}

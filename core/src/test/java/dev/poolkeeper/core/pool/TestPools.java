package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;

/** Pools whose freshness is not measured. */
public final class TestPools {

    private TestPools() {}

    public static Pools none() {
        return new Pools(new Freshness(() -> Instant.EPOCH, (pool, took) -> {}), true);
    }

    /** A pool that these Services share. */
    public static Pools shared(PoolKey pool, ServiceName... services) {
        Pools pools = none();
        for (ServiceName service : services) {
            pools.wants(want(service, pool));
        }
        return pools;
    }

    /** Of an adopted Service that wants no address. */
    public static Want want(ServiceName service, PoolKey pool) {
        return new Want(service, pool, AddressSet.empty(), true, true, true, false);
    }
}

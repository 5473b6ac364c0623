package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;

/**
 * Reports the calls of pools to the watchdog. Thread-safe.
 *
 * @param deadline the time within which the pools end a read or a write themselves
 */
public record WatchedPools(BackendPools pools, Watchdog watchdog, Duration deadline) implements BackendPools {

    /** The same for listings. */
    public static PoolDirectory directory(PoolDirectory directory, Watchdog watchdog, Duration deadline) {
        return () -> {
            try (Watchdog.Watch unused = watchdog.begin("listing of the load balancers", deadline)) {
                return directory.list();
            }
        };
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        try (Watchdog.Watch unused = watchdog.begin("read of pool " + pool, deadline)) {
            return pools.read(pool, context);
        }
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        try (Watchdog.Watch unused = watchdog.begin("write of pool " + read.key(), deadline)) {
            return pools.write(read, addresses, context);
        }
    }
}

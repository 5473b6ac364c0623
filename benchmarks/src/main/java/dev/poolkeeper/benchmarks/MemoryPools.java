package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Pools in memory like those of the Go benchmarks: a map under a mutex; a read copies every entry and its properties, a
 * write creates a new entry for every address; the strings of the addresses are shared.
 */
final class MemoryPools implements BackendPools, PoolDirectory {

    private final Map<PoolKey, Stored> pools = new HashMap<>();
    private long reads;
    private long writes;

    private record Properties(IpAddress ipAddress) {}

    private record Entry(Properties properties) {}

    private static final class Stored {
        private final Entry[] initial;
        private Entry[] entries;

        Stored(Entry[] initial) {
            this.initial = initial;
            this.entries = initial;
        }
    }

    synchronized void put(PoolKey pool, AddressSet addresses) {
        pools.put(pool, new Stored(entries(addresses)));
    }

    /** Restores every pool's initial content, and resets the counts of calls. */
    synchronized void reset() {
        reads = 0;
        writes = 0;
        pools.values().forEach(stored -> stored.entries = stored.initial);
    }

    synchronized long reads() {
        return reads;
    }

    synchronized long writes() {
        return writes;
    }

    synchronized AddressSet addresses(PoolKey pool) {
        return addresses(Objects.requireNonNull(pools.get(pool)).entries);
    }

    @Override
    public synchronized Reply<BackendPool> read(PoolKey pool, CallContext context) {
        reads++;
        Stored stored = pools.get(pool);
        if (stored == null) {
            return Reply.failed(new Failure.NotFound(ArmError.of(404, "NotFound")));
        }
        Entry[] copy = new Entry[stored.entries.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = new Entry(new Properties(stored.entries[i].properties.ipAddress));
        }
        return Reply.ok(new BackendPool(pool, addresses(copy), null, copy));
    }

    @Override
    public synchronized Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        writes++;
        Stored stored = Objects.requireNonNull(pools.get(read.key()));
        stored.entries = entries(addresses);
        return Reply.ok(new BackendPool(read.key(), addresses, null, stored.entries));
    }

    @Override
    public synchronized Reply<List<BackendPool>> list() {
        return Reply.ok(pools.entrySet().stream()
                .map(pool -> new BackendPool(pool.getKey(), addresses(pool.getValue().entries), null, null))
                .toList());
    }

    private static Entry[] entries(AddressSet addresses) {
        return addresses.stream()
                .map(address -> new Entry(new Properties(address)))
                .toArray(Entry[]::new);
    }

    private static AddressSet addresses(Entry[] entries) {
        IpAddress[] addresses = new IpAddress[entries.length];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = entries[i].properties.ipAddress;
        }
        return AddressSet.of(Arrays.asList(addresses));
    }
}

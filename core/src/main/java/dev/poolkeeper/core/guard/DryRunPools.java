package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.util.function.Consumer;

/** Pools that are read and never written: what would be written is told instead. Thread-safe. */
public final class DryRunPools implements BackendPools {

    private final BackendPools pools;
    private final Consumer<WouldWrite> listener;

    /**
     * A write that was not made.
     *
     * @param pool the pool
     * @param add what it lacks
     * @param remove what it has too much
     */
    public record WouldWrite(PoolKey pool, AddressSet add, AddressSet remove) {}

    /** @param listener hears of each write that was not made; thread-safe, never blocks */
    public DryRunPools(BackendPools pools, Consumer<WouldWrite> listener) {
        this.pools = pools;
        this.listener = listener;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool) {
        return pools.read(pool);
    }

    /** Always well, and the pool as it was read. */
    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
        listener.accept(new WouldWrite(
                read.key(), addresses.minus(read.addresses()), read.addresses().minus(addresses)));
        return Reply.ok(read);
    }
}

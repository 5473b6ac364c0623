package dev.poolkeeper.ports;

/**
 * Reads and writes backend address pools.
 *
 * <p>Implementations are thread-safe, may block as long as their own deadlines allow, turn every error into a
 * {@link Failure}, and never retry statuses that the updater retries itself (404, 409, 412, 429). An interrupted thread
 * gets {@link Failure.Cancelled} and keeps its interrupt status.
 */
public interface BackendPools {

    /** Reads the current pool. A pool that cannot be parsed is a failure, never empty. */
    Reply<BackendPool> read(PoolKey pool, CallContext context);

    /**
     * Makes a pool that was just read hold exactly the given addresses, an empty set included. Entries whose address
     * stays keep all their properties. Fails with {@link Failure.PreconditionFailed} if the pool changed since.
     *
     * @param read the pool as returned by {@link #read}
     * @param addresses the addresses it must hold
     * @return the pool as found after the write, which may differ from the given addresses
     */
    Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context);

    /** {@link #read(PoolKey, CallContext)} outside of any term, for tools. */
    default Reply<BackendPool> read(PoolKey pool) {
        return read(pool, CallContext.unbound());
    }

    /** {@link #write(BackendPool, AddressSet, CallContext)} outside of any term, for tools. */
    default Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
        return write(read, addresses, CallContext.unbound());
    }
}

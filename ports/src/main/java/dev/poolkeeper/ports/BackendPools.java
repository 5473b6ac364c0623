package dev.poolkeeper.ports;

/**
 * Reads and writes backend address pools.
 *
 * <p>Implementations are thread-safe, may block for as long as their own deadlines allow, turn every error into a
 * {@link Failure}, and never retry what the updater's own retries are for (404, 409, 412, 429). A thread that is
 * interrupted gets {@link Failure.Cancelled} and keeps its interrupted state.
 */
public interface BackendPools {

    /** The pool as it is now, or why it cannot be told. A pool that cannot be understood is a failure, never empty. */
    Reply<BackendPool> read(PoolKey pool, CallContext context);

    /**
     * Makes a pool that was just read hold exactly the given addresses, an empty set included. Entries whose address
     * stays keep everything they had. Refused with {@link Failure.PreconditionFailed} if the pool changed since.
     *
     * @param read the pool as {@link #read} gave it
     * @param addresses what it shall hold
     * @return the pool as it was found after the write, which may differ from what was asked for
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

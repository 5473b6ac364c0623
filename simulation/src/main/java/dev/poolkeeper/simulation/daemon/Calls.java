package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.util.function.Supplier;

/** Reports the updater's calls to the witness. */
final class Calls implements BackendPools {

    private final SimulatedDaemon daemon;
    private final BackendPools pools;
    private final Witness witness;

    Calls(SimulatedDaemon daemon, BackendPools pools, Witness witness) {
        this.daemon = daemon;
        this.pools = pools;
        this.witness = witness;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        return call(false, pool, () -> pools.read(pool, context));
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        return call(true, read.key(), () -> pools.write(read, addresses, context));
    }

    private Reply<BackendPool> call(boolean write, PoolKey pool, Supplier<Reply<BackendPool>> call) {
        witness.callBegins(daemon, write, pool);
        Reply<BackendPool> reply = call.get();
        witness.callEnds(daemon, write, pool, reply);
        return reply;
    }
}

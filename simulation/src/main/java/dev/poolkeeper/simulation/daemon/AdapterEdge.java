package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;

/** The boundary between the adapter and any bug planted in front of it: reports where a call ends. */
final class AdapterEdge implements BackendPools {

    private final SimulatedDaemon daemon;
    private final BackendPools adapter;
    private final ArmTap tap;

    AdapterEdge(SimulatedDaemon daemon, BackendPools adapter, ArmTap tap) {
        this.daemon = daemon;
        this.adapter = adapter;
        this.tap = tap;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        tap.callBegins(pool, false);
        try {
            return adapter.read(pool, context);
        } finally {
            tap.callEnds(pool);
        }
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        tap.callBegins(read.key(), true);
        try {
            return adapter.write(read, addresses, context);
        } finally {
            tap.callEnds(read.key());
            daemon.observed(new Observation.WriteOver(daemon, read.key()));
        }
    }
}

package dev.poolkeeper.core.known;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.InstantSource;
import java.util.List;

/** Pools whose every answer is noted. Thread-safe. */
public final class ObservedPools implements BackendPools {

    /** Hears of every answer. Implementations are thread-safe and never block. */
    public interface Observer {

        /** A call about the pool ended well: a write, or else a read. */
        void answered(PoolKey pool, boolean write);

        /** A call about the pool failed: a write, or else a read. */
        void failed(PoolKey pool, boolean write, Failure failure);
    }

    private final BackendPools pools;
    private final KnownPools known;
    private final List<Observer> observers;
    private final InstantSource clock;

    public ObservedPools(BackendPools pools, KnownPools known, List<Observer> observers, InstantSource clock) {
        this.pools = pools;
        this.known = known;
        this.observers = List.copyOf(observers);
        this.clock = clock;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool) {
        return note(pool, false, pools.read(pool));
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
        return note(read.key(), true, pools.write(read, addresses));
    }

    private Reply<BackendPool> note(PoolKey pool, boolean write, Reply<BackendPool> reply) {
        switch (reply) {
            case Reply.Ok<BackendPool>(BackendPool answered) -> {
                known.answered(answered, write, clock.instant());
                observers.forEach(observer -> observer.answered(pool, write));
            }
            case Reply.Failed<BackendPool>(Failure failure) -> {
                known.failed(pool, write, failure, clock.instant());
                observers.forEach(observer -> observer.failed(pool, write, failure));
            }
        }
        return reply;
    }
}

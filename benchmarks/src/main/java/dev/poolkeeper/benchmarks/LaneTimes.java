package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Notes when calls and holds of the resource lock begin and end. For one thread. */
final class LaneTimes {

    /** A read or write of a pool. */
    record Call(PoolKey pool, boolean isWrite, Instant begin, Instant end) {}

    /** A hold of the resource lock. */
    record Hold(Instant begin, Instant end) {

        /** From when on no call starts under it. */
        Instant old() {
            return begin.plus(ResourceLock.MAX_HOLD);
        }

        /** Until when the lock is left to other writers. */
        Instant pauseEnd() {
            boolean isShort = Duration.between(begin, end).compareTo(ResourceLock.SHORT_HOLD) <= 0;
            return isShort ? end : end.plus(ResourceLock.TURN_OF_OTHERS);
        }
    }

    private final InstantSource clock;
    private final List<Call> calls = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();

    LaneTimes(InstantSource clock) {
        this.clock = clock;
    }

    /** In the order of their ends. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    List<Hold> holds() {
        return List.copyOf(holds);
    }

    BackendPools noting(BackendPools pools) {
        return new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                return noting(pool, false, () -> pools.read(pool, context));
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                return noting(read.key(), true, () -> pools.write(read, addresses, context));
            }
        };
    }

    private Reply<BackendPool> noting(PoolKey pool, boolean isWrite, Supplier<Reply<BackendPool>> call) {
        Instant begin = clock.instant();
        Reply<BackendPool> reply = call.get();
        calls.add(new Call(pool, isWrite, begin, clock.instant()));
        return reply;
    }

    ResourceLock noting(ResourceLock lock) {
        return () -> lock.tryAcquire().map(this::noting);
    }

    private ResourceLock.Hold noting(ResourceLock.Hold hold) {
        Instant begin = clock.instant();
        return new ResourceLock.Hold() {
            @Override
            public boolean isHeld() {
                return hold.isHeld();
            }

            @Override
            public void close() {
                hold.close();
                holds.add(new Hold(begin, clock.instant()));
            }
        };
    }
}

package dev.poolkeeper.core.known;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pool. Immutable.
 *
 * @param pool the pool, in the spelling found at ARM
 * @param addresses what it held when it was last read, listed or written
 * @param at when that was
 * @param landed what our last write made it hold, until another write or another term begins, or a change of it was
 *     noticed; null for nothing
 * @param writing whether a write of ours is in progress
 * @param lastCall how the last read or write of this pool alone ended; null where there was none
 */
public record KnownPool(
        PoolKey pool,
        AddressSet addresses,
        Instant at,
        @Nullable AddressSet landed,
        boolean writing,
        @Nullable LastCall lastCall) {

    /**
     * How a call ended.
     *
     * @param write whether it was a write
     * @param at when it ended
     * @param failure why it failed; empty where it did not
     */
    public record LastCall(boolean write, Instant at, Optional<Failure> failure) {}

    static KnownPool first(PoolKey pool, AddressSet addresses, Instant at) {
        return new KnownPool(pool, addresses, at, null, false, null);
    }

    KnownPool listed(AddressSet now, Instant when) {
        return new KnownPool(pool, now, when, landed, writing, lastCall);
    }

    KnownPool read(AddressSet now, Instant when) {
        return new KnownPool(pool, now, when, landed, writing, new LastCall(false, when, Optional.empty()));
    }

    KnownPool writeBegins() {
        return new KnownPool(pool, addresses, at, null, true, lastCall);
    }

    KnownPool written(AddressSet now, boolean asPlanned, Instant when) {
        LastCall call = new LastCall(true, when, Optional.empty());
        return new KnownPool(pool, now, when, asPlanned ? now : null, false, call);
    }

    KnownPool failed(boolean write, Failure failure, Instant when) {
        LastCall call = new LastCall(write, when, Optional.of(failure));
        return new KnownPool(pool, addresses, at, landed, writing && !write, call);
    }

    KnownPool writeForgotten() {
        return new KnownPool(pool, addresses, at, null, writing, lastCall);
    }
}

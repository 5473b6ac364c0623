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
 * @param ourLastWrite what our last write made it hold; null where we wrote nothing
 * @param lastCall how the last read or write of this pool alone ended; null where there was none
 */
public record KnownPool(
        PoolKey pool,
        AddressSet addresses,
        Instant at,
        @Nullable AddressSet ourLastWrite,
        @Nullable LastCall lastCall) {

    /**
     * How a call ended.
     *
     * @param write whether it was a write
     * @param at when it ended
     * @param failure why it failed; empty where it did not
     */
    public record LastCall(boolean write, Instant at, Optional<Failure> failure) {}

    KnownPool seen(AddressSet now, Instant when) {
        return new KnownPool(pool, now, when, ourLastWrite, lastCall);
    }

    KnownPool answered(AddressSet now, Instant when, boolean write) {
        return new KnownPool(pool, now, when, write ? now : ourLastWrite, new LastCall(write, when, Optional.empty()));
    }

    KnownPool failed(Instant when, boolean write, Failure failure) {
        return new KnownPool(pool, addresses, at, ourLastWrite, new LastCall(write, when, Optional.of(failure)));
    }
}

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
 * @param attempted what a write of ours was to make it hold whose outcome is not known, because it is in progress or
 *     failed; null for none. Nothing outside of it is sure to be held
 */
public record KnownPool(
        PoolKey pool,
        AddressSet addresses,
        Instant at,
        @Nullable AddressSet landed,
        boolean writing,
        @Nullable LastCall lastCall,
        @Nullable AddressSet attempted) {

    /**
     * How a call ended.
     *
     * @param write whether it was a write
     * @param at when it ended
     * @param failure why it failed; empty where it did not
     */
    public record LastCall(boolean write, Instant at, Optional<Failure> failure) {}

    static KnownPool first(PoolKey pool, AddressSet addresses, Instant at) {
        return new KnownPool(pool, addresses, at, null, false, null, null);
    }

    /** What a write may make the pool lose that is in progress, or failed with an unknown outcome. */
    public AddressSet inDoubt() {
        return attempted == null ? AddressSet.empty() : addresses.minus(attempted);
    }

    KnownPool listed(AddressSet now, Instant when) {
        boolean coversLastCall = lastCall == null || !lastCall.at().isAfter(when);
        return new KnownPool(pool, now, when, landed, writing, lastCall, coversLastCall ? unlessWriting() : attempted);
    }

    KnownPool read(AddressSet now, Instant when) {
        LastCall call = new LastCall(false, when, Optional.empty());
        return new KnownPool(pool, now, when, landed, writing, call, unlessWriting());
    }

    private @Nullable AddressSet unlessWriting() {
        return writing ? attempted : null;
    }

    KnownPool writeBegins(AddressSet planned) {
        return new KnownPool(pool, addresses, at, null, true, lastCall, planned);
    }

    KnownPool written(AddressSet now, boolean asPlanned, Instant when) {
        LastCall call = new LastCall(true, when, Optional.empty());
        return new KnownPool(pool, now, when, asPlanned ? now : null, false, call, null);
    }

    KnownPool failed(boolean write, Failure failure, Instant when) {
        LastCall call = new LastCall(write, when, Optional.of(failure));
        return new KnownPool(pool, addresses, at, landed, writing && !write, call, attempted);
    }

    KnownPool writeForgotten() {
        return new KnownPool(pool, addresses, at, null, writing, lastCall, attempted);
    }
}

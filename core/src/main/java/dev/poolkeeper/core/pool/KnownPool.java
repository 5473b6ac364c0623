package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The last known state of one pool. Immutable.
 *
 * @param pool the pool, in ARM's spelling
 * @param addresses the addresses it held when it was last read, listed or written
 * @param at the time of that read, listing or write
 * @param landed the addresses our last successful write left in it; null before that, and after the next write or term
 *     begins or a change by another writer is noticed
 * @param writing whether a write of ours is in progress
 * @param lastCall the outcome of the last read or write of this pool, listings excluded; null if there was none
 * @param attempted the addresses of our write whose outcome is unknown, because it is in progress or failed; null for
 *     none. Addresses outside of it may already be gone
 * @param provisioning the state of the last operation on it, as last shown by ARM
 * @param listedAnyway the contents that the last listing before the last call showed, if that was a read, and all
 *     listings since; else null
 */
public record KnownPool(
        PoolKey pool,
        AddressSet addresses,
        Instant at,
        @Nullable AddressSet landed,
        boolean writing,
        @Nullable LastCall lastCall,
        @Nullable AddressSet attempted,
        ProvisioningState provisioning,
        @Nullable AddressSet listedAnyway) {

    /** A pool whose last operation succeeded. */
    public KnownPool(
            PoolKey pool,
            AddressSet addresses,
            Instant at,
            @Nullable AddressSet landed,
            boolean writing,
            @Nullable LastCall lastCall,
            @Nullable AddressSet attempted) {
        this(pool, addresses, at, landed, writing, lastCall, attempted, ProvisioningState.SUCCEEDED, null);
    }

    /**
     * The outcome of a call.
     *
     * @param write whether it was a write
     * @param at when it ended
     * @param failure why it failed; empty if it succeeded
     */
    public record LastCall(boolean write, Instant at, Optional<Failure> failure) {}

    /** @param call what showed it; null for a listing */
    static KnownPool first(BackendPool pool, Instant at, @Nullable LastCall call) {
        return new KnownPool(pool.key(), pool.addresses(), at, null, false, call, null, pool.provisioning(), null);
    }

    /** The addresses that the pool may lose to a write that is in progress or failed with an unknown outcome. */
    public AddressSet inDoubt() {
        return attempted == null ? AddressSet.empty() : addresses.minus(attempted);
    }

    /**
     * Whether this is true of contents that are in force, regardless of whether our write with an unknown outcome took
     * effect.
     */
    public boolean surely(Predicate<AddressSet> condition) {
        AddressSet possible = attempted;
        return provisioning == ProvisioningState.SUCCEEDED
                && condition.test(addresses)
                && (possible == null || condition.test(possible));
    }

    KnownPool listed(BackendPool now, Instant when) {
        boolean coversLastCall = lastCall == null || !lastCall.at().isAfter(when);
        AddressSet found = unlessEqual(now.addresses());
        return new KnownPool(
                pool,
                found,
                when,
                landed,
                writing,
                lastCall,
                coversLastCall ? unlessWriting() : attempted,
                now.provisioning(),
                listedAnyway != null && found.equals(listedAnyway) ? listedAnyway : null);
    }

    /** Whether listings go on showing what a read was made for: it did not lead to a write. */
    public boolean isListedAnyway() {
        return listedAnyway != null && addresses.equals(listedAnyway);
    }

    private boolean wasListedLast() {
        return lastCall == null || at.isAfter(lastCall.at());
    }

    KnownPool read(BackendPool now, Instant when) {
        LastCall call = new LastCall(false, when, Optional.empty());
        AddressSet found = unlessEqual(now.addresses());
        AddressSet listed = wasListedLast() ? addresses : listedAnyway;
        return new KnownPool(pool, found, when, landed, writing, call, unlessWriting(), now.provisioning(), listed);
    }

    /** The same object if these are the same addresses in the same spelling: plans of it remain valid. */
    @SuppressWarnings("ReferenceEquality") // the spelling is the same if nothing had to be respelled
    private AddressSet unlessEqual(AddressSet found) {
        return found.equals(addresses) && found.spelledAs(addresses) == found ? addresses : found;
    }

    private @Nullable AddressSet unlessWriting() {
        return writing ? attempted : null;
    }

    KnownPool writeBegins(AddressSet planned) {
        return new KnownPool(pool, addresses, at, null, true, lastCall, planned, provisioning, null);
    }

    KnownPool written(BackendPool now, boolean asPlanned, Instant when) {
        LastCall call = new LastCall(true, when, Optional.empty());
        AddressSet found = now.addresses();
        return new KnownPool(pool, found, when, asPlanned ? found : null, false, call, null, now.provisioning(), null);
    }

    KnownPool failed(boolean write, Failure failure, Instant when) {
        LastCall call = new LastCall(write, when, Optional.of(failure));
        return new KnownPool(pool, addresses, at, landed, writing && !write, call, attempted, provisioning, null);
    }

    KnownPool writeForgotten() {
        return new KnownPool(pool, addresses, at, null, writing, lastCall, attempted, provisioning, listedAnyway);
    }
}

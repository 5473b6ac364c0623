package dev.poolkeeper.core.endpoints;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;

/**
 * What the tick must know of the Services, and tells about them: the design document's
 * {@code localServiceNameToServiceInfoMap}. {@link EndpointIndex} is one; an embedder with bookkeeping of its own
 * writes another.
 *
 * <p>Implementations are thread-safe and answer at once. They may use a lock of their own, under which they may add to
 * the queue, but must not wait for the tick.
 */
public interface LocalServices {

    /**
     * Whether the Service is local at this moment, in some IP family, with this very pool, so that operations of it
     * count. Where that has a beginning, such as an adoption, it is not local before it.
     */
    boolean isLocal(ServiceName service, PoolKey pool);

    /** The {@link #revision} of an implementation that does not count. */
    long UNKNOWN_REVISION = -1;

    /**
     * A number that is another one after a Service became local or stopped being so: while it stays, no answer of
     * {@link #isLocal} changes, and the updater need not ask again about operations that wait.
     * {@link #UNKNOWN_REVISION} where nobody counts; the updater then asks every tick.
     */
    default long revision() {
        return UNKNOWN_REVISION;
    }

    /** What the other local Services whose pool this is want in it at this moment. */
    default AddressSet wantedByOthers(ServiceName service, PoolKey pool) {
        return AddressSet.empty();
    }

    /**
     * What the Service wants in this pool at this moment; empty where nobody knows better than the operation that waits
     * for the pool. An operation may be older than that: it waits for those before it after it left the queue.
     */
    default Optional<AddressSet> wantedNow(ServiceName service, PoolKey pool) {
        return Optional.empty();
    }

    /**
     * Whether another local Service of this pool has endpoints of which it is not known yet what they come to: a node
     * that nobody spoke of.
     */
    default boolean isUndecidedForOthers(ServiceName service, PoolKey pool) {
        return false;
    }

    /** A group with an operation of this Service for this pool ended well, written or unchanged. */
    default void succeeded(ServiceName service, PoolKey pool) {}

    /** The Service got its Failed event for this pool: its change is lost unless something brings it back. */
    default void failed(ServiceName service, PoolKey pool) {}
}

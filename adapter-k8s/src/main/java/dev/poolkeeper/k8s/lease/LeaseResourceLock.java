package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource lock on a Lease that Azure's other writers to the load balancers honour (the Go provider's
 * {@code azureResourceLocker}: {@code kube-system/aks-managed-resource-locker}).
 *
 * <p>Free is a Lease without a holder, or one that did not change for its duration by our own monotonic clock. The
 * first sight of another's Lease starts that time, however old it says it is: what a crashed holder left is waited out
 * in full, and no clock but ours decides. What this very process wrote, without a hold of ours, is what a failed
 * release left, and is taken back; our name alone is not enough ({@link OwnLeaseWrites}): another process that goes by
 * it holds the lock, or crashed with it.
 *
 * <p>The Go provider compares our {@code renewTime} with its clock. Holds are renewed far more often than the Lease
 * lasts, so it would have to be a quarter of an hour ahead to take the lock from us; the renewal after that notices,
 * and the ETags of the pools refuse what was written in between.
 *
 * <p>Thread-safe. {@link #tryAcquire} makes up to two requests and never waits for another holder.
 */
public final class LeaseResourceLock implements ResourceLock {

    /** Tells the next holder who held it before, so that it knows whether others may have written in between. */
    public static final String PREVIOUS_HOLDER = "aks-managed-resource-locker-previous-holder";

    private static final Logger LOG = LoggerFactory.getLogger(LeaseResourceLock.class);

    private final OwnLeaseWrites store;
    private final String identity;
    private final ResourceLockSettings settings;
    private final Time time;
    private final LeaseObservation observation = new LeaseObservation();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable LeaseHold current;
    private volatile ResourceLockStatus status = ResourceLockStatus.NONE;

    /**
     * @param identity a name that no other process has, such as {@link HolderIdentity#unique}
     * @throws IllegalArgumentException if the identity is that of the Go updater
     */
    public LeaseResourceLock(LeaseStore store, String identity, ResourceLockSettings settings, Time time) {
        this.identity = HolderIdentity.require(identity);
        this.store = new OwnLeaseWrites(store, identity);
        this.settings = settings;
        this.time = time;
    }

    @Override
    public Optional<Hold> tryAcquire() {
        lock.lock();
        try {
            LeaseHold held = current;
            if (held != null && !held.isClosed()) {
                return Optional.empty();
            }
            Lease lease = store.get().orElse(null);
            if (lease != null) {
                observation.observe(lease, time.nanoTime());
                if (!isFree(lease)) {
                    status = ResourceLockStatus.heldBy(observation.holder());
                    return Optional.empty();
                }
            }
            return Optional.of(take(lease));
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                LOG.debug("Another one took the resource lock first");
            } else {
                LOG.warn("Resource lock could not be acquired: {}", e.getMessage());
            }
            status = ResourceLockStatus.failed(e);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFree(Lease lease) {
        return observation.holder() == null
                || store.isOwn(lease)
                || observation.isExpired(time.nanoTime(), settings.leaseDuration());
    }

    private LeaseHold take(@Nullable Lease lease) throws LeaseStoreException {
        long sentNanos = time.nanoTime();
        Lease wanted = LeaseEdits.taken(lease, identity, settings.leaseDuration(), time.instant());
        Lease taken = lease == null ? store.create(wanted) : store.update(wanted);
        observation.observe(taken, time.nanoTime());
        LeaseHold hold = new LeaseHold(store, taken, identity, settings, time, sentNanos);
        hold.startRenewing();
        current = hold;
        status = ResourceLockStatus.heldBy(identity);
        return hold;
    }

    /** How the last attempt to acquire it went. */
    public ResourceLockStatus status() {
        return status;
    }
}

package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource lock while we hold it: renewed until it is closed or lost. {@link #isHeld} asks the monotonic clock
 * itself, so it turns false in time also when no thread of ours ran. Thread-safe.
 */
final class LeaseHold implements ResourceLock.Hold {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseHold.class);

    private final OwnLeaseWrites store;
    private final String identity;
    private final ResourceLockSettings settings;
    private final Time time;
    private final long acquiredNanos;
    /** Around requests: a renewal and the release never overtake each other. */
    private final ReentrantLock requests = new ReentrantLock();

    private Lease lease;
    private Time.Cancellable renewal = () -> {};
    private volatile long renewedNanos;
    /** Not renewed in time: over for good, though the Lease may still be ours to give back. */
    private volatile boolean over;

    private volatile boolean lost;
    private volatile boolean closed;

    /** @param sentNanos before the request that acquired it was sent */
    LeaseHold(
            OwnLeaseWrites store,
            Lease lease,
            String identity,
            ResourceLockSettings settings,
            Time time,
            long sentNanos) {
        this.store = store;
        this.lease = lease;
        this.identity = identity;
        this.settings = settings;
        this.time = time;
        this.acquiredNanos = sentNanos;
        this.renewedNanos = sentNanos;
    }

    void startRenewing() {
        renewal = time.schedule(settings.renewInterval(), this::renew);
    }

    @Override
    public boolean isHeld() {
        long now = time.nanoTime();
        return !closed
                && !lost
                && !over
                && now - renewedNanos < settings.renewDeadline().toNanos()
                && now - acquiredNanos < settings.longestHold().toNanos();
    }

    boolean isClosed() {
        return closed;
    }

    private void renew() {
        requests.lock();
        try {
            if (closed || lost) {
                return;
            }
            Duration next = settings.renewInterval();
            try {
                long sentNanos = time.nanoTime();
                lease = store.update(LeaseEdits.renewed(lease, time.instant()));
                over |= time.nanoTime() - renewedNanos
                        >= settings.renewDeadline().toNanos();
                renewedNanos = sentNanos;
            } catch (LeaseStoreException e) {
                LOG.warn("Resource lock could not be renewed: {}", e.getMessage());
                next = e.isConflict() ? afterConflict() : settings.retry();
            }
            if (!lost) {
                renewal = time.schedule(next, this::renew);
            }
        } finally {
            requests.unlock();
        }
    }

    /** Somebody wrote to the Lease: took it, or touched what is not ours. */
    private Duration afterConflict() {
        try {
            Optional<Lease> now = store.get();
            if (now.isPresent() && store.isOwn(now.get())) {
                lease = now.get();
                return Duration.ZERO;
            }
            lost = true;
            LOG.warn("Resource lock was lost to another holder");
        } catch (LeaseStoreException e) {
            LOG.warn("Resource lock could not be read: {}", e.getMessage());
        }
        return settings.retry();
    }

    @Override
    public void close() {
        requests.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            renewal.cancel();
            if (!lost) {
                release();
            }
        } finally {
            requests.unlock();
        }
    }

    private void release() {
        try {
            store.update(released(lease));
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                releaseAfterConflict();
            } else {
                LOG.warn("Resource lock could not be released, tried again: {}", e.getMessage());
                time.schedule(settings.retry(), this::releaseLater);
            }
        }
    }

    /**
     * Until it is done, or the Lease is not as this hold took it: it may be a later hold of ours, which took it back.
     * Who leads no more takes nothing back, and would lock everybody out until the Lease expires.
     */
    private void releaseLater() {
        requests.lock();
        try {
            Optional<Lease> now = store.get();
            if (now.isPresent() && store.isOwn(now.get()) && isOfThisHold(now.get())) {
                store.update(released(now.get()));
            }
        } catch (LeaseStoreException e) {
            if (!e.isConflict()) {
                LOG.debug("Resource lock could not be released: {}", e.getMessage());
                time.schedule(settings.retry(), this::releaseLater);
            }
        } finally {
            requests.unlock();
        }
    }

    private boolean isOfThisHold(Lease seen) {
        return Objects.equals(seen.getSpec().getAcquireTime(), lease.getSpec().getAcquireTime());
    }

    private void releaseAfterConflict() {
        try {
            Optional<Lease> now = store.get();
            if (now.isPresent() && store.isOwn(now.get())) {
                store.update(released(now.get()));
            }
        } catch (LeaseStoreException e) {
            LOG.warn("Resource lock could not be released, the next tick takes it back: {}", e.getMessage());
        }
    }

    private Lease released(Lease held) {
        return LeaseEdits.annotated(
                LeaseEdits.released(held, time.instant()), LeaseResourceLock.PREVIOUS_HOLDER, identity);
    }
}

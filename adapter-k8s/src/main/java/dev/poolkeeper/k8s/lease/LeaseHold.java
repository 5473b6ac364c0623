package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource lock while we hold it: renewed until it is closed or lost. {@link #isHeld} reads the monotonic clock
 * itself, so it turns false in time even if none of our threads ran. After {@link #close} the Lease is released, with
 * retries until that succeeds or another writer has it, also after it has expired: others may not have waited for that
 * yet. Thread-safe.
 */
final class LeaseHold implements ResourceLock.Hold {

    private static final Logger log = LoggerFactory.getLogger(LeaseHold.class);

    private final OwnLeaseWrites store;
    private final String identity;
    private final ResourceLockSettings settings;
    private final Time time;
    private final BooleanSupplier mayHold;
    private final long acquiredNanos;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Held around requests, so that a renewal and the release never overtake each other. */
    private final ReentrantLock requests = new ReentrantLock();

    private volatile Lease lease;
    private Time.Cancellable renewal = () -> {};
    private volatile long renewedNanos;
    /** Not renewed in time: permanently lost, though the Lease may still be ours to release. */
    private volatile boolean over;

    private volatile boolean lost;

    /** Whether the last attempt to renew it failed; accessed under requests. */
    private boolean inconclusive;

    /** When the Lease was known not to name us any more; null until then. */
    private volatile @Nullable Long freedNanos;

    /** The Lease as the release left it; null if it is not known. */
    private final AtomicReference<@Nullable Lease> released = new AtomicReference<>();

    /**
     * @param mayHold whether this process is fit to hold it; stays false once it is
     * @param sentNanos the time just before the request that acquired it was sent
     */
    LeaseHold(
            OwnLeaseWrites store,
            Lease lease,
            String identity,
            ResourceLockSettings settings,
            Time time,
            BooleanSupplier mayHold,
            long sentNanos) {
        this.store = store;
        this.lease = lease;
        this.identity = identity;
        this.settings = settings;
        this.time = time;
        this.mayHold = mayHold;
        this.acquiredNanos = sentNanos;
        this.renewedNanos = sentNanos;
    }

    void startRenewing() {
        renewal = time.schedule(settings.renewInterval(), this::renew);
    }

    @Override
    public boolean isHeld() {
        long now = time.nanoTime();
        return isOurs()
                && !over
                && now - renewedNanos < settings.renewDeadline().toNanos()
                && now - acquiredNanos < ResourceLock.MAX_HOLD.toNanos()
                && mayHold.getAsBoolean();
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Whether the Lease may still name this hold. */
    boolean mayNameUs() {
        return freedNanos == null && leaseLeft().isPositive();
    }

    /** Whether the Lease still keeps other writers out for this hold, even if no call may start under it any more. */
    boolean isOurs() {
        return !isClosed() && !lost && leaseLeft().isPositive();
    }

    private Duration leaseLeft() {
        return settings.leaseDuration().minusNanos(time.nanoTime() - renewedNanos);
    }

    /** When it was acquired, by our wall clock. */
    Optional<Instant> acquired() {
        return Optional.ofNullable(lease.getSpec().getAcquireTime()).map(at -> at.toInstant());
    }

    /** When others may acquire it unless it is renewed. */
    Instant expires() {
        return time.instant().plus(leaseLeft());
    }

    /** How long other writers still have their turn after this hold; zero or less once it has passed. */
    Duration othersTurnLeft() {
        Long freed = freedNanos;
        long namedUs = (freed == null ? time.nanoTime() : freed) - acquiredNanos;
        if (!isClosed() || namedUs <= ResourceLock.SHORT_HOLD.toNanos()) {
            return Duration.ZERO;
        }
        return freed == null
                ? leaseLeft().plus(ResourceLock.TURN_OF_OTHERS)
                : ResourceLock.TURN_OF_OTHERS.minusNanos(time.nanoTime() - freed);
    }

    /** The Lease as the release left it, for a single attempt to acquire it without reading it. */
    Optional<Lease> takeReleased() {
        return Optional.ofNullable(released.getAndSet(null));
    }

    private void renew() {
        requests.lock();
        try {
            if (isClosed() || lost) {
                return;
            }
            if (!mayHold.getAsBoolean()) {
                log.atWarn().log("Resource lock no longer renewed, because this process is stuck; it will expire");
                return;
            }
            Duration next = settings.renewInterval();
            try {
                long sentNanos = time.nanoTime();
                lease = store.update(ReplacedDuration.replacing(
                        lease, LeaseEdits.renewed(lease, time.instant()), settings.leaseDuration(), identity));
                over |= time.nanoTime() - renewedNanos
                        >= settings.renewDeadline().toNanos();
                renewedNanos = sentNanos;
                inconclusive = false;
            } catch (LeaseStoreException e) {
                log.atWarn().addKeyValue("error", e.getMessage()).log("Resource lock could not be renewed");
                next = e.isConflict() ? afterConflict() : settings.retry();
                inconclusive = true;
            }
            if (!lost) {
                renewal = time.schedule(next, this::renew);
            }
        } finally {
            requests.unlock();
        }
    }

    /** Another writer acquired or deleted the Lease, or changed fields that are not ours. */
    private Duration afterConflict() {
        try {
            Lease now = ours().orElse(null);
            if (now != null) {
                lease = now;
                return inconclusive ? settings.retry() : Duration.ZERO; // at once only the first time
            }
            lost = true;
            log.atWarn().log("Resource lock lost: its Lease was deleted or taken by another holder");
        } catch (LeaseStoreException e) {
            log.atWarn().addKeyValue("error", e.getMessage()).log("Resource lock could not be read");
        }
        return settings.retry();
    }

    /** The Lease if it is as this hold left it. Another hold of this process may have acquired it since. */
    private Optional<Lease> ours() throws LeaseStoreException {
        return store.get()
                .filter(store::isOwn)
                .filter(now -> Objects.equals(
                        now.getSpec().getAcquireTime(), lease.getSpec().getAcquireTime()));
    }

    /** {@link #isHeld} is false as soon as this is called, even while a renewal is in progress. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release();
        }
    }

    private void release() {
        requests.lock();
        try {
            renewal.cancel();
            if (!lost && !releasedAsKnown()) {
                Lease now = ours().orElse(null);
                if (now != null) {
                    lease = now;
                    released.set(store.update(released(now)));
                }
            }
            freedNanos = time.nanoTime();
        } catch (LeaseStoreException e) {
            if (leaseLeft().isPositive() || freedNanos != null) {
                log.atDebug().addKeyValue("error", e.getMessage()).log("Resource lock could not be released yet");
            } else {
                log.atWarn()
                        .addKeyValue("error", e.getMessage())
                        .log("Resource lock could not be released and has expired; its release is still retried");
                freedNanos = time.nanoTime();
            }
            time.schedule(settings.retry(), this::release);
        } finally {
            requests.unlock();
        }
    }

    /** False if the Lease differs from the version we know. */
    private boolean releasedAsKnown() throws LeaseStoreException {
        try {
            released.set(store.update(released(lease)));
            return true;
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return false;
            }
            throw e;
        }
    }

    private Lease released(Lease held) {
        return LeaseEdits.annotated(
                ReplacedDuration.restored(LeaseEdits.released(held, time.instant())),
                LeaseResourceLock.PREVIOUS_HOLDER,
                identity);
    }
}

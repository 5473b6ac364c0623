package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.lease.ResourceLockStatus.Holding;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource lock, on the Lease that Azure's other writers to the load balancers honour (the Go provider's
 * {@code azureResourceLocker}: {@code kube-system/aks-managed-resource-locker}).
 *
 * <p><b>When the lock is free.</b> The Lease has no holder, does not exist, or has not changed for its holder's
 * {@code leaseDurationSeconds} (15 minutes if absent, the duration of the Go provider's holds), by our own monotonic
 * clock. That time starts when we first observe another holder's Lease, however old the Lease says it is: the Lease of
 * a crashed holder is waited out in full, and no clock but ours decides. A standby observes it every two seconds
 * ({@link #watchWhile}), so that the next leader does not start to wait only when it leads. A Lease that this process
 * wrote, while it has no hold, was left by a failed release and is acquired again. Our identity alone is not enough
 * ({@link OwnLeaseWrites}): another process with the same identity holds the lock, or crashed while holding it.
 *
 * <p><b>Clock skew.</b> The Go provider compares our {@code renewTime} with its own clock, and acquires the lock once
 * {@code renewTime} plus {@code leaseDurationSeconds} (60 s by default) is in its past. Renewals are 10 s and the
 * duration of a request apart, so while they succeed its clock may be up to 45 s ahead of ours. When they fail, the
 * hold counts as lost after 40 s ({@code renewDeadline}), so a clock that is up to 20 s ahead never acquires a lock
 * under which calls still start. With more skew than that both may write at once: our next renewal notices it, and the
 * pools' ETags reject what was written in between.
 *
 * <p><b>What others find.</b> While this process holds the lock, the Lease says the shorter
 * {@code leaseDurationSeconds} that our renewals need, and an annotation says what was there before: the Go provider
 * never writes the duration, and never renews, so its own holds rely on it. The release restores it, as does the next
 * holder of this kind after a process was killed. Until then, the holds of other writers are judged by what was there
 * before ({@link ReplacedDuration}).
 *
 * <p><b>A lost answer.</b> If it is unknown whether the lock was acquired, the Lease is read until that is known, and
 * released if it names us and nothing has acquired it by then.
 *
 * <p><b>A missing Lease</b> is a free lock. If the Lease is deleted while the lock is held, the holder notices at its
 * next renewal, at most 10 s later; in that window another writer can acquire the lock too.
 *
 * <p><b>Turns for other writers.</b> The Go provider asks for the lock once and backs off. Therefore, once the Lease
 * has named us for more than 10 s, even if only because it could not be released sooner, this class acquires nothing
 * for at least 5 s after the release.
 *
 * <p>Thread-safe. {@link #tryAcquire} never waits for another holder. It makes one request if the Lease is as our last
 * release left it, otherwise two or three.
 */
public final class LeaseResourceLock implements ResourceLock {

    /** Tells the next holder who held the lock before, so that it knows whether others may have written in between. */
    public static final String PREVIOUS_HOLDER = "aks-managed-resource-locker-previous-holder";

    /** The duration of the Go provider's holds, assumed for a Lease without a duration. */
    private static final Duration WITHOUT_DURATION = Duration.ofSeconds(ReplacedDuration.GO_SECONDS);

    /** How long a killed holder is waited for beyond its own duration. */
    private static final Duration WATCHED = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(LeaseResourceLock.class);

    private final OwnLeaseWrites store;
    private final String identity;
    private final ResourceLockSettings settings;
    private final Time time;
    private final BooleanSupplier mayHold;
    /** Held around attempts, including their requests. */
    private final ReentrantLock attempts = new ReentrantLock();

    private volatile @Nullable LeaseHold current;
    /** The Lease of another holder when it was last looked at; null if there was none. Guarded by attempts. */
    private @Nullable LeaseObservation observed;
    /** The same as of the last attempt to acquire the lock. */
    private volatile @Nullable LeaseObservation other;

    private volatile @Nullable String error;
    /** The last acquisition of unknown outcome; null if there is none. Guarded by attempts. */
    private @Nullable Attempt unknown;

    /** The holder named in the log; null if that is us or no one. Guarded by attempts. */
    private @Nullable String reportedHolder;

    /**
     * A write that would acquire the lock.
     *
     * @param version the resource version of the Lease before it; null if it creates the Lease
     */
    private record Attempt(@Nullable String version, long sentNanos) {

        /** Whether it may still succeed later: no other write has come first. */
        boolean isOpen(@Nullable Lease now) {
            return Objects.equals(version, versionOf(now));
        }

        static @Nullable String versionOf(@Nullable Lease lease) {
            return lease == null ? null : lease.getMetadata().getResourceVersion();
        }
    }

    /**
     * @param identity an identity that no other process has, such as {@link HolderIdentity#of}
     * @throws IllegalArgumentException if the identity is that of the Go updater
     */
    public LeaseResourceLock(LeaseStore store, String identity, ResourceLockSettings settings, Time time) {
        this(store, identity, settings, time, () -> true);
    }

    /**
     * As above.
     *
     * @param mayHold whether this process is fit to hold the lock. Once it is false, which must be permanent, the
     *     current hold is over and the Lease is no longer acquired or renewed. Must be thread-safe and must not block
     */
    public LeaseResourceLock(
            LeaseStore store, String identity, ResourceLockSettings settings, Time time, BooleanSupplier mayHold) {
        this.identity = HolderIdentity.require(identity);
        this.store = new OwnLeaseWrites(store, identity);
        this.settings = settings;
        this.time = time;
        this.mayHold = mayHold;
    }

    /**
     * Starts to look at the Lease every two seconds while this process stands by, and returns at once. A holder that is
     * killed is then waited for from its last renewal, not from our first attempt. Must be called only once.
     *
     * @param standsBy must be thread-safe and must not block
     */
    public void watchWhile(BooleanSupplier standsBy) {
        Time.Cancellable unused = time.schedule(Duration.ZERO, () -> watch(standsBy));
    }

    private void watch(BooleanSupplier standsBy) {
        try {
            if (standsBy.getAsBoolean()) {
                look();
            }
        } finally {
            Time.Cancellable unused = time.schedule(WATCHED, () -> watch(standsBy));
        }
    }

    private void look() {
        attempts.lock();
        try {
            store.get().ifPresent(this::observe);
        } catch (LeaseStoreException e) {
            log.atDebug().addKeyValue("error", e.getMessage()).log("Lease of the resource lock could not be read");
        } finally {
            attempts.unlock();
        }
    }

    @Override
    public Optional<Hold> tryAcquire() {
        attempts.lock();
        try {
            LeaseHold last = current;
            if (!mayHold.getAsBoolean()
                    || last != null
                            && (!last.isClosed() || last.othersTurnLeft().isPositive())) {
                return Optional.empty();
            }
            Optional<Hold> hold = last == null ? Optional.empty() : takeAgain(last);
            if (hold.isEmpty()) {
                hold = takeIfFree();
            }
            recovered();
            return hold;
        } catch (LeaseStoreException e) {
            failed(e);
            return Optional.empty();
        } finally {
            attempts.unlock();
        }
    }

    /** As our release left it, which saves reading it; empty if it is not known or has changed since. */
    private Optional<Hold> takeAgain(LeaseHold last) throws LeaseStoreException {
        Lease left = last.takeReleased().orElse(null);
        try {
            return left == null ? Optional.empty() : Optional.of(take(left));
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Hold> takeIfFree() throws LeaseStoreException {
        Lease lease = store.get().orElse(null);
        return lease != null && isHeldByAnother(lease) ? Optional.empty() : Optional.of(take(lease));
    }

    /** The Lease as another writer holds it, or held it until its time was over; empty if it is free or ours. */
    private Optional<LeaseObservation> observe(Lease lease) {
        LeaseObservation now = LeaseObservation.of(observed, lease, time.nanoTime());
        observed = now.holder() == null || store.isOwn(lease) ? null : now;
        return Optional.ofNullable(observed);
    }

    private boolean isHeldByAnother(Lease lease) {
        LeaseObservation seen = observe(lease).orElse(null);
        other = seen;
        if (seen == null || !timeLeft(seen).isPositive()) {
            return false;
        }
        if (!Objects.equals(reportedHolder, seen.holder())) {
            reportedHolder = seen.holder();
            logHolder(seen);
        }
        return true;
    }

    private void logHolder(LeaseObservation seen) {
        Instant expires = time.instant().plus(timeLeft(seen));
        if (identity.equals(seen.holder())) {
            log.atWarn()
                    .addKeyValue("expires", expires)
                    .log("Lease of the resource lock names this process, which does not hold it: it was edited, or"
                            + " created again. It is acquired when it expires");
            return;
        }
        log.atDebug()
                .addKeyValue("holder", seen.holder())
                .addKeyValue("acquired", seen.acquired())
                .addKeyValue("expires", expires)
                .log("Resource lock held by another writer");
    }

    private Duration timeLeft(LeaseObservation seen) {
        return seen.leftOf(seen.durationOr(WITHOUT_DURATION), time.nanoTime());
    }

    private LeaseHold take(@Nullable Lease lease) throws LeaseStoreException {
        long sentNanos = time.nanoTime();
        Lease wanted = ReplacedDuration.replacing(
                lease,
                LeaseEdits.taken(lease, identity, settings.leaseDuration(), time.instant()),
                settings.leaseDuration(),
                identity);
        Lease taken = sent(lease, wanted, sentNanos);
        LeaseHold hold = new LeaseHold(store, taken, identity, settings, time, mayHold, sentNanos);
        hold.startRenewing();
        current = hold;
        observed = null;
        other = null;
        if (reportedHolder != null) {
            log.atDebug().addKeyValue("previousHolder", reportedHolder).log("Resource lock acquired");
            reportedHolder = null;
        }
        return hold;
    }

    private Lease sent(@Nullable Lease lease, Lease wanted, long sentNanos) throws LeaseStoreException {
        try {
            Lease taken = lease == null ? store.create(wanted) : store.update(wanted);
            unknown = null;
            return taken;
        } catch (LeaseStoreException e) {
            if (!e.isConflict()) {
                boolean isScheduled = unknown != null;
                unknown = new Attempt(Attempt.versionOf(lease), sentNanos);
                if (!isScheduled) {
                    time.schedule(settings.retry(), this::giveBack);
                }
            }
            throw e;
        }
    }

    /** Releases a Lease that names us after an acquisition whose answer was lost. */
    private void giveBack() {
        attempts.lock();
        try {
            Attempt attempt = unknown;
            if (attempt == null) {
                return;
            }
            Lease lease = store.get().orElse(null);
            if (lease != null && store.isOwn(lease)) {
                unknown = null;
                LeaseHold hold = new LeaseHold(store, lease, identity, settings, time, mayHold, attempt.sentNanos());
                current = hold;
                hold.close();
            } else if (attempt.isOpen(lease)
                    && time.nanoTime() - attempt.sentNanos()
                            < settings.leaseDuration().toNanos()) {
                time.schedule(settings.renewInterval(), this::giveBack);
            } else {
                unknown = null;
            }
        } catch (LeaseStoreException e) {
            log.atDebug().addKeyValue("error", e.getMessage()).log("Lease of the resource lock could not be read");
            time.schedule(settings.retry(), this::giveBack);
        } finally {
            attempts.unlock();
        }
    }

    private void failed(LeaseStoreException e) {
        if (e.isConflict()) {
            log.atDebug().log("Another writer took the resource lock first");
            recovered(); // it was read, and the write was answered
            return;
        }
        String text = e.getMessage();
        if (!Objects.equals(error, text)) {
            log.atWarn().addKeyValue("error", text).log("Resource lock could not be acquired; asking again later");
        }
        error = text;
    }

    private void recovered() {
        if (error != null) {
            log.atInfo().log("Lease of the resource lock can be read and written again");
        }
        error = null;
    }

    @Override
    public Optional<Holder> holder() {
        ResourceLockStatus now = status();
        return now.isHeldByAnother()
                ? now.holding().map(it -> new Holder(it.holder(), it.since(), it.expires()))
                : Optional.empty();
    }

    /** The holder of the lock as known to this process. Makes no request and never blocks. */
    public ResourceLockStatus status() {
        Optional<String> trouble = Optional.ofNullable(error);
        LeaseHold hold = current;
        if (hold != null && hold.mayNameUs()) {
            Holding ours = new Holding(identity, hold.acquired(), hold.expires());
            return new ResourceLockStatus(hold.isOurs(), Optional.of(ours), Optional.empty(), trouble);
        }
        LeaseObservation seen = other;
        String holder = seen == null ? null : seen.holder();
        if (seen != null && holder != null && timeLeft(seen).isPositive()) {
            Instant expires = time.instant().plus(timeLeft(seen));
            Optional<Holding> theirs = holder.equals(identity)
                    ? Optional.empty() // not as we left it: no writer that we know of
                    : Optional.of(new Holding(holder, Optional.ofNullable(seen.acquired()), expires));
            return new ResourceLockStatus(false, theirs, Optional.of(expires), trouble);
        }
        Optional<Instant> turnEnds = Optional.ofNullable(hold)
                .map(LeaseHold::othersTurnLeft)
                .filter(Duration::isPositive)
                .map(time.instant()::plus);
        return new ResourceLockStatus(false, Optional.empty(), turnEnds, trouble);
    }
}

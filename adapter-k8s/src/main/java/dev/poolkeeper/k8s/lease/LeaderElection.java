package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one leader among the replicas through a Lease, by client-go's rules.
 *
 * <p>Why two replicas never lead at once: a leader remembers when it <em>sent</em> its last successful renewal, and
 * {@link #isLeader} turns false {@code renewDeadline} after that, by its own monotonic clock, which each call reads; no
 * thread has to run for it. A standby cannot have observed that renewal before it was sent, and acquires the Lease only
 * after it observed no change for {@code leaseDuration}, by its own monotonic clock. As {@code leaseDuration} is
 * greater than {@code renewDeadline}, the old leader has stopped before the new one starts, regardless of wall-clock
 * skew, clock jumps and pauses, unless one monotonic clock runs faster than the other by the ratio of the two (1.5 by
 * default). Of two writers that read the same version of the Lease, the API server lets only one succeed, so two
 * standbys cannot both acquire it, and a slow renewal does not undo a takeover.
 *
 * <p>The identity plays no part in this. A Lease is ours if its content is what this process wrote last, or may have
 * written: see {@link OwnLeaseWrites}. A Lease that merely names us was written by another process with the same
 * identity, running now or before us, and has to expire. This differs from client-go, which takes over such a Lease at
 * once, so that two processes with one identity both lead.
 *
 * <p>If the Lease is deleted, the leader notices at its next renewal (at most 1.2 times {@code retryPeriod} later
 * unless the API server is slow), stops, and may create the Lease for a new term. A standby waits as it would for the
 * last Lease that it observed. Only a replica that never saw the Lease, because it starts in that window, creates it at
 * once; in that window two replicas can lead.
 *
 * <p>Leader election cannot recall a request that was checked and sent, or a request whose process was paused between
 * the two. Therefore writes are conditional on the ETag that was read, and the next resync corrects anything that slips
 * through. Suspending a machine together with its monotonic clock is such a pause.
 *
 * <p>Fabric8's own elector is not used, because it compares the other machine's wall clock with ours.
 *
 * <p>Thread-safe. To stop: call {@link #stopLeading}, wait until the guarded work has ended, then call
 * {@link #release}.
 */
public final class LeaderElection {

    private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);

    private final OwnLeaseWrites store;
    private final String identity;
    private final ElectionSettings settings;
    private final Time time;
    private final LeadershipNotices notices;
    private final BooleanSupplier mayLead;
    private final ReentrantLock requests = new ReentrantLock();
    private final AtomicReference<@Nullable LeadershipTerm> term = new AtomicReference<>();
    private @Nullable LeaseObservation observation;
    private @Nullable Lease lease;
    private Time.Cancellable next = () -> {};
    private Time.Cancellable expiry = () -> {};
    private volatile boolean draining;
    private volatile boolean ended;
    private volatile Optional<String> holder = Optional.empty();
    private @Nullable String lastError;

    /**
     * @param store the Lease, preferably on a client of {@link KubernetesClients#forLeases}
     * @param identity an identity that no other process has, such as {@link HolderIdentity#of}; of two processes with
     *     the same identity still only one leads, but the Lease does not show which
     */
    public LeaderElection(
            LeaseStore store, String identity, ElectionSettings settings, Time time, LeadershipListener listener) {
        this(store, identity, settings, time, listener, () -> true);
    }

    /**
     * As above.
     *
     * @param mayLead whether this process is fit to lead. Once it is false, which must be permanent, the current term
     *     is over and the Lease is no longer acquired, renewed or released. Must be thread-safe and must not block
     */
    public LeaderElection(
            LeaseStore store,
            String identity,
            ElectionSettings settings,
            Time time,
            LeadershipListener listener,
            BooleanSupplier mayLead) {
        this.identity = HolderIdentity.require(identity);
        this.store = new OwnLeaseWrites(store, identity);
        this.settings = settings;
        this.time = time;
        this.notices = new LeadershipNotices(term, listener);
        this.mayLead = mayLead;
    }

    /** Starts the election and returns at once. Must be called only once. */
    public void start() {
        next = time.schedule(Duration.ZERO, this::attempt);
    }

    /** Whether guarded work may start now. Never blocks. */
    public boolean isLeader() {
        LeadershipTerm now = term.get();
        return now != null && now.isCurrent();
    }

    /** The identity of the last known leader, which may be this process; empty if there is none. */
    public Optional<String> leader() {
        return holder;
    }

    /**
     * {@link #isLeader} is false from now on, permanently. The Lease is still renewed, so that no other replica leads
     * while the guarded work ends.
     */
    public void stopLeading() {
        draining = true;
        LeadershipTerm now = term.get();
        if (now != null) {
            now.end();
        }
    }

    /** Releases the Lease for the next leader. Call it only after guarded work has ended; errors are logged. */
    public void release() {
        abandon();
        requests.lock();
        try {
            Lease held = lease;
            if (term.getAndSet(null) != null && held != null) {
                store.update(LeaseEdits.released(held, time.instant()));
                holder = Optional.empty();
            }
        } catch (LeaseStoreException e) {
            log.atWarn().addKeyValue("error", e.getMessage()).log("Leadership could not be released; it will expire");
        } finally {
            requests.unlock();
        }
    }

    /** Stops at once: the Lease is no longer renewed, and other replicas have to wait until it expires. */
    public void abandon() {
        stopLeading();
        ended = true;
        next.cancel();
        expiry.cancel();
    }

    private void attempt() {
        boolean continues = true;
        try {
            continues = attemptOnce();
            report(); // without the lock, and before the next attempt: a listener that hangs ends the term
        } finally {
            if (continues && !ended) {
                double jitter = 1 + (ElectionSettings.JITTER - 1) * time.draw();
                next = time.schedule(
                        Duration.ofNanos((long) (settings.retryPeriod().toNanos() * jitter)), this::attempt);
            }
        }
    }

    /** False if there must be no further attempt. */
    private boolean attemptOnce() {
        requests.lock();
        try {
            loseIfOver();
            if (ended || draining && term.get() == null || !mayLead.getAsBoolean()) {
                return false;
            }
            try {
                acquireOrRenew();
                recovered();
            } catch (LeaseStoreException e) {
                failed(e);
            }
            return true;
        } finally {
            requests.unlock();
        }
    }

    private void failed(LeaseStoreException e) {
        if (!Objects.equals(lastError, e.getMessage())) {
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .addKeyValue("nextAttempt", time.instant().plus(settings.retryPeriod()))
                    .log("Leader election cannot use its Lease");
        }
        lastError = e.getMessage();
    }

    private void recovered() {
        if (lastError != null) {
            log.atInfo().log("Leader election can use its Lease again");
        }
        lastError = null;
    }

    private void acquireOrRenew() throws LeaseStoreException {
        Lease known = lease;
        LeadershipTerm current = term.get();
        if (current != null && known != null && tryRenew(current, known)) {
            return;
        }
        Optional<Lease> there = store.get();
        if (there.isEmpty()) {
            withoutLease();
            return;
        }
        LeaseObservation seen = observe(there.get());
        boolean ours = store.isOwn(there.get());
        LeadershipTerm still = term.get();
        if (ours && still != null) {
            tryRenew(still, there.get());
            return;
        }
        lose(still, "another replica took the Lease");
        if (ours || seen.holder() == null || isExpired(seen)) {
            take(there.get());
        }
    }

    /** A leader stops, and may start a new term. A standby waits as long as for the last Lease that it observed. */
    private void withoutLease() throws LeaseStoreException {
        LeadershipTerm current = term.get();
        LeaseObservation last = observation;
        if (current != null) {
            lose(current, "the Lease was deleted");
        } else if (last != null && last.holder() != null && !isExpired(last)) {
            return;
        }
        holder = Optional.empty();
        take(null);
    }

    private LeaseObservation observe(Lease seen) {
        LeaseObservation now = LeaseObservation.of(observation, seen, time.nanoTime());
        observation = now;
        holder = Optional.ofNullable(now.holder());
        return now;
    }

    /** Uses the holder's duration, or ours if longer: all replicas of one election should have the same duration. */
    private boolean isExpired(LeaseObservation seen) {
        Duration ours = settings.leaseDuration();
        Duration own = seen.durationOr(ours);
        return !seen.leftOf(own.compareTo(ours) > 0 ? own : ours, time.nanoTime())
                .isPositive();
    }

    /** False if the Lease differs from the version we know. */
    private boolean tryRenew(LeadershipTerm current, Lease known) throws LeaseStoreException {
        long sentNanos = time.nanoTime();
        try {
            lease = store.update(LeaseEdits.renewed(known, time.instant()));
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return false;
            }
            throw e;
        }
        observe(lease);
        if (current.renewed(sentNanos)) {
            expireLater(current);
        } else { // the answer came too late: the term has expired, start a new one
            lose(current, "the response to a renewal came too late");
        }
        return true;
    }

    private void take(@Nullable Lease free) throws LeaseStoreException {
        if (draining) {
            return;
        }
        LeadershipTerm begun = new LeadershipTerm(time, settings.renewDeadline(), time.nanoTime(), mayLead);
        Lease wanted = LeaseEdits.taken(free, identity, settings.leaseDuration(), time.instant());
        try {
            lease = free == null ? store.create(wanted) : store.update(wanted);
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return; // another replica was first
            }
            throw e;
        }
        observe(lease);
        if (!begun.isUnexpired()) {
            return; // the response came too late; the Lease is ours to acquire again
        }
        term.set(begun);
        if (draining) { // since the check above
            begun.end();
            return;
        }
        expireLater(begun);
        log.atInfo().addKeyValue("identity", identity).log("Became leader");
    }

    private void expireLater(LeadershipTerm current) {
        expiry.cancel();
        expiry = time.schedule(current.left(), this::noticeExpiry);
    }

    private void noticeExpiry() {
        loseIfOver();
        report();
    }

    private void report() {
        if (!ended) {
            notices.report();
        }
    }

    private void loseIfOver() {
        LeadershipTerm now = term.get();
        if (now != null && !now.isUnexpired()) {
            lose(now, "the Lease was not renewed in time");
        } else if (now != null && !mayLead.getAsBoolean()) {
            lose(now, "this process is stuck");
        }
    }

    private void lose(@Nullable LeadershipTerm lost, String reason) {
        if (lost != null && term.compareAndSet(lost, null)) {
            lost.end();
            if (!ended) {
                log.atWarn().addKeyValue("reason", reason).log("Lost leadership");
            }
        }
    }
}

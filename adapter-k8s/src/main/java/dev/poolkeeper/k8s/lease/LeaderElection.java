package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one leader among the replicas, on a Lease, with client-go's rules.
 *
 * <p>Why two never lead at once. A leader remembers when it <em>sent</em> its last successful renewal, and
 * {@link #isLeader} turns false {@code renewDeadline} after that, by its own monotonic clock, read at each call; no
 * thread has to run for it. A standby cannot have seen that renewal before it was sent, and takes the Lease only when
 * it saw no change for {@code leaseDuration}, by its own monotonic clock. As {@code leaseDuration} is greater than
 * {@code renewDeadline}, the old leader has stopped before the new one begins, however the wall clocks differ or jump,
 * and whatever pauses there are, unless one monotonic clock runs faster than the other by the ratio of the two (1.5 by
 * default). The API server lets only one of two writers win that saw the same version of the Lease, so two standbys do
 * not both take it, and a renewal that took long does not undo a takeover.
 *
 * <p>None of this leans on the identity. A Lease is ours when it is as this very process wrote it last, or may have:
 * see {@link OwnLeaseWrites}. A Lease that only names us was written by another process with the same name, one that
 * runs or one that ran before us, and has to expire. Here client-go differs: it takes such a Lease at once, so that two
 * processes of one name both lead.
 *
 * <p>A Lease that is deleted: the leader notices at its next look, {@code retryPeriod} and a fifth later at most unless
 * the API server is slow, stops, and may create the Lease for a new term. A standby waits as it would for the last
 * Lease that it saw. Only a replica that never saw the Lease, because it starts in that window, creates it at once; so
 * for that window two can lead.
 *
 * <p>What this cannot hold back is a request that was checked and sent, or whose process was paused between the two:
 * for that, writes are conditional on the ETag of what was read, and what slips through is corrected by the next
 * resync. A machine that is suspended with its monotonic clock is such a pause.
 *
 * <p>Fabric8's own elector compares the other machine's wall clock with ours, and is not used.
 *
 * <p>Thread-safe. On stopping: {@link #stopLeading}, then let the guarded work end, then {@link #release}.
 */
public final class LeaderElection {

    private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);

    private final OwnLeaseWrites store;
    private final String identity;
    private final ElectionSettings settings;
    private final Time time;
    private final LeadershipListener listener;
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
     * @param store the Lease, best on a client of {@link KubernetesClients#forLeases}
     * @param identity a name that no other process has, such as {@link HolderIdentity#of}; of two processes with the
     *     same one still only one leads, and people cannot see which
     */
    public LeaderElection(
            LeaseStore store, String identity, ElectionSettings settings, Time time, LeadershipListener listener) {
        this.identity = HolderIdentity.require(identity);
        this.store = new OwnLeaseWrites(store, identity);
        this.settings = settings;
        this.time = time;
        this.listener = listener;
    }

    /** Begins to stand for election, and returns at once. To be called once. */
    public void start() {
        next = time.schedule(Duration.ZERO, this::attempt);
    }

    /** Whether guarded work may begin now. Never blocks. */
    public boolean isLeader() {
        LeadershipTerm now = term.get();
        return now != null && now.isCurrent();
    }

    /** Who leads as far as was seen last, ourselves included; empty for no one. */
    public Optional<String> leader() {
        return holder;
    }

    /**
     * {@link #isLeader} is false from now on, for good. The Lease is kept and renewed, so that no other replica leads
     * while the guarded work ends.
     */
    public void stopLeading() {
        draining = true;
        LeadershipTerm now = term.get();
        if (now != null) {
            now.end();
        }
    }

    /** Gives the Lease to the next leader. Only after guarded work has ended; errors are logged. */
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

    /** Stops at once: the Lease is renewed no more, and other replicas have to wait until it expires. */
    public void abandon() {
        stopLeading();
        ended = true;
        next.cancel();
        expiry.cancel();
    }

    private void attempt() {
        requests.lock();
        try {
            noticeExpiry();
            if (ended || draining && term.get() == null) {
                return;
            }
            try {
                acquireOrRenew();
                recovered();
            } catch (LeaseStoreException e) {
                failed(e);
            }
            double jitter = 1 + (ElectionSettings.JITTER - 1) * time.draw();
            if (!ended) {
                next = time.schedule(
                        Duration.ofNanos((long) (settings.retryPeriod().toNanos() * jitter)), this::attempt);
            }
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

    /** A leader stops, and may begin a new term. A standby waits as long as for the last Lease that it saw. */
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

    /** After its own duration, and after ours at least: all replicas of one election should have the same. */
    private boolean isExpired(LeaseObservation seen) {
        Duration ours = settings.leaseDuration();
        Duration own = seen.durationOr(ours);
        return !seen.leftOf(own.compareTo(ours) > 0 ? own : ours, time.nanoTime())
                .isPositive();
    }

    /** False if the Lease is not as we know it. */
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
        } else { // the answer came too late: we had stopped, and have to begin again
            lose(current, "a renewal was answered too late");
        }
        return true;
    }

    private void take(@Nullable Lease free) throws LeaseStoreException {
        if (draining) {
            return;
        }
        LeadershipTerm begun = new LeadershipTerm(time, settings.renewDeadline(), time.nanoTime());
        Lease wanted = LeaseEdits.taken(free, identity, settings.leaseDuration(), time.instant());
        try {
            lease = free == null ? store.create(wanted) : store.update(wanted);
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return; // another one was first
            }
            throw e;
        }
        observe(lease);
        if (!begun.isUnexpired()) {
            return; // answered too late; the Lease is ours to take again
        }
        term.set(begun);
        if (draining) { // since we asked above
            begun.end();
            return;
        }
        expireLater(begun);
        log.atInfo().addKeyValue("identity", identity).log("Became leader");
        listener.started(Term.during(begun::isCurrent));
    }

    private void expireLater(LeadershipTerm current) {
        expiry.cancel();
        expiry = time.schedule(current.left(), this::noticeExpiry);
    }

    private void noticeExpiry() {
        LeadershipTerm now = term.get();
        if (now != null && !now.isUnexpired()) {
            lose(now, "the Lease was not renewed in time");
        }
    }

    private void lose(@Nullable LeadershipTerm lost, String reason) {
        if (lost != null && term.compareAndSet(lost, null)) {
            lost.end();
            if (!ended) {
                log.atWarn().addKeyValue("reason", reason).log("Lost leadership");
                listener.lost();
            }
        }
    }
}

package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
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
 * {@link #isLeader} turns false {@code renewDeadline} after that, by its own monotonic clock, asked anew at each call;
 * no thread has to run for it. A standby cannot have seen that renewal before it was sent, and takes the Lease only
 * when it saw no change for {@code leaseDuration}, by its own monotonic clock. As {@code leaseDuration} is greater than
 * {@code renewDeadline}, the old leader has stopped before the new one begins, however the wall clocks differ or jump,
 * and whatever pauses there are, unless one monotonic clock runs faster than the other by the ratio of the two (1.5 by
 * default). The API server lets only one of two writers win that saw the same version of the Lease, so two standbys do
 * not both take it, and a renewal that was under way for long does not undo a takeover.
 *
 * <p>None of this leans on the identity. A Lease is ours when it is as this very process wrote it last, or may have:
 * see {@link OwnLeaseWrites}. A Lease that only names us was written by another process with the same name, one that
 * runs or one that ran before us, and has to expire. Here client-go differs: it takes such a Lease at once, so that two
 * processes of one name both lead.
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

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    /** A time as leader since the last renewal; a new object for each. */
    private static final class Term {
        final long renewedNanos;

        Term(long renewedNanos) {
            this.renewedNanos = renewedNanos;
        }
    }

    private final OwnLeaseWrites store;
    private final String identity;
    private final ElectionSettings settings;
    private final Time time;
    private final LeadershipListener listener;
    private final ReentrantLock requests = new ReentrantLock();
    private final LeaseObservation observation = new LeaseObservation();
    private final AtomicReference<@Nullable Term> term = new AtomicReference<>();
    private @Nullable Lease lease;
    private Time.Cancellable next = () -> {};
    private Time.Cancellable expiry = () -> {};
    private volatile boolean draining;
    private volatile boolean ended;
    private volatile Optional<String> holder = Optional.empty();

    /**
     * @param store the Lease, best on a client of {@link KubernetesClients#forLeases}
     * @param identity a name that no other process has, such as {@link HolderIdentity#unique}; of two processes with
     *     the same one still only one leads, and people cannot tell which
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
        Term now = term.get();
        return now != null && !draining && isFresh(now);
    }

    private boolean isFresh(Term one) {
        return time.nanoTime() - one.renewedNanos < settings.renewDeadline().toNanos();
    }

    /** Who leads as far as was seen last, ourselves included; empty for nobody. */
    public Optional<String> leader() {
        return holder;
    }

    /**
     * {@link #isLeader} is false from now on, for good. The Lease is kept and renewed, so that nobody else leads while
     * the guarded work ends.
     */
    public void stopLeading() {
        draining = true;
    }

    /** Gives the Lease to whoever comes next. Only after guarded work has ended; errors are logged. */
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
            LOG.warn("Leadership could not be released and has to expire: {}", e.getMessage());
        } finally {
            requests.unlock();
        }
    }

    /** Stops without a word: the Lease is renewed no more, and others have to wait until it expires. */
    public void abandon() {
        draining = true;
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
            } catch (LeaseStoreException e) {
                LOG.warn("Leader election: {}", e.getMessage());
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

    private void acquireOrRenew() throws LeaseStoreException {
        Lease known = lease;
        Term current = term.get();
        if (current != null && known != null && tryRenew(current, known)) {
            return;
        }
        Optional<Lease> there = store.get();
        if (there.isEmpty()) {
            lose(term.get());
            take(null);
            return;
        }
        observation.observe(there.get(), time.nanoTime());
        holder = Optional.ofNullable(observation.holder());
        boolean ours = store.isOwn(there.get());
        Term still = term.get();
        if (ours && still != null) {
            tryRenew(still, there.get());
            return;
        }
        lose(still);
        if (ours || holder.isEmpty() || observation.isExpired(time.nanoTime(), settings.leaseDuration())) {
            take(there.get());
        }
    }

    /** False if the Lease is not as we know it. */
    private boolean tryRenew(Term current, Lease known) throws LeaseStoreException {
        long sentNanos = time.nanoTime();
        try {
            renewed(store.update(LeaseEdits.renewed(known, time.instant())));
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return false;
            }
            throw e;
        }
        if (!isFresh(current)) { // the answer came too late: we had stopped, and have to begin again
            lose(current);
        } else if (term.compareAndSet(current, new Term(sentNanos))) {
            expireLater();
        }
        return true;
    }

    private void renewed(Lease now) {
        lease = now;
        observation.observe(now, time.nanoTime());
        holder = Optional.ofNullable(observation.holder());
    }

    private void take(@Nullable Lease free) throws LeaseStoreException {
        if (draining) {
            return;
        }
        long sentNanos = time.nanoTime();
        Lease wanted = LeaseEdits.taken(free, identity, settings.leaseDuration(), time.instant());
        try {
            renewed(free == null ? store.create(wanted) : store.update(wanted));
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                return; // another one was first
            }
            throw e;
        }
        term.set(new Term(sentNanos));
        expireLater();
        LOG.info("Became leader");
        listener.started();
    }

    private void expireLater() {
        expiry.cancel();
        expiry = time.schedule(settings.renewDeadline(), this::noticeExpiry);
    }

    private void noticeExpiry() {
        Term now = term.get();
        if (now != null && !isFresh(now)) {
            lose(now);
        }
    }

    private void lose(@Nullable Term lost) {
        if (lost != null && term.compareAndSet(lost, null) && !ended) {
            LOG.warn("Lost leadership");
            listener.lost();
        }
    }
}

package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Lease that remembers what this process wrote into it, so that {@link #isOwn} tells our own hold from that of
 * another process which goes by the same identity, by mistake or because it ran here before us.
 *
 * <p>Ours is what we wrote last, or tried to write since without knowing how it ended: an answer that was lost may have
 * been a yes. A write that was refused is forgotten. What counts is what a holder writes, to the microsecond: who holds
 * the Lease, for how long, since when, renewed when, after how many others. Others may edit the rest.
 *
 * <p>client-go goes by the identity alone, as it lets a process that restarts go on at once. With identities that are
 * unique to a process that is not needed, and with others it makes two leaders.
 *
 * <p>Thread-safe; nothing is locked during a request.
 */
final class OwnLeaseWrites implements LeaseStore {

    /** More writes than that without a word about any of them: the oldest are forgotten, and have to expire. */
    private static final int MOST = 16;

    private record Holding(
            @Nullable String holder,
            @Nullable Integer seconds,
            @Nullable Instant acquired,
            @Nullable Instant renewed,
            @Nullable Integer transitions) {

        static Holding of(Lease lease) {
            LeaseSpec spec = lease.getSpec();
            return spec == null
                    ? new Holding(null, null, null, null, null)
                    : new Holding(
                            spec.getHolderIdentity(),
                            spec.getLeaseDurationSeconds(),
                            instant(spec.getAcquireTime()),
                            instant(spec.getRenewTime()),
                            spec.getLeaseTransitions());
        }

        private static @Nullable Instant instant(@Nullable ZonedDateTime time) {
            return time == null ? null : time.toInstant();
        }
    }

    private interface Write {
        Lease send() throws LeaseStoreException;
    }

    private final LeaseStore store;
    private final String identity;
    private final Deque<Holding> own = new ArrayDeque<>();

    OwnLeaseWrites(LeaseStore store, String identity) {
        this.store = store;
        this.identity = identity;
    }

    /** Whether it names us, and is as this very process left it. */
    boolean isOwn(Lease seen) {
        Holding now = Holding.of(seen);
        synchronized (own) {
            return identity.equals(now.holder) && own.contains(now);
        }
    }

    @Override
    public Optional<Lease> get() throws LeaseStoreException {
        return store.get();
    }

    @Override
    public Lease create(Lease lease) throws LeaseStoreException {
        return write(lease, () -> store.create(lease));
    }

    @Override
    public Lease update(Lease lease) throws LeaseStoreException {
        return write(lease, () -> store.update(lease));
    }

    private Lease write(Lease wanted, Write request) throws LeaseStoreException {
        Holding tried = Holding.of(wanted);
        tried(tried);
        try {
            Lease written = request.send();
            written(Holding.of(written));
            return written;
        } catch (LeaseStoreException e) {
            if (e.isConflict()) {
                refused(tried);
            }
            throw e;
        }
    }

    private void tried(Holding one) {
        synchronized (own) {
            own.addLast(one);
            if (own.size() > MOST) {
                own.removeFirst();
            }
        }
    }

    /** The API server lets one write win for each version, so whatever was tried before it is over. */
    private void written(Holding one) {
        synchronized (own) {
            own.clear();
            own.addLast(one);
        }
    }

    private void refused(Holding one) {
        synchronized (own) {
            own.removeLastOccurrence(one);
        }
    }
}

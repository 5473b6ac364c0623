package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Lease store that remembers what this process wrote, so that {@link #isOwn} distinguishes our own hold from that of
 * another process with the same identity, shared by mistake or left from an earlier run on this host.
 *
 * <p>Ours is what we wrote last, or tried to write since without learning the outcome: the write behind a lost response
 * may have succeeded. A refused write is forgotten. Compared are the fields that only a holder writes, to the
 * microsecond: holder, acquire time, renew time and transitions. Others may edit the rest.
 *
 * <p>client-go goes by the identity alone, so that a restarted process can continue at once. Identities that are unique
 * to a process do not need this, and with shared identities it makes two leaders.
 *
 * <p>Thread-safe; no lock is held during a request.
 */
final class OwnLeaseWrites implements LeaseStore {

    /**
     * Limit of writes; beyond it some with unknown outcome are forgotten and have to expire. The oldest of those is
     * kept: once it has succeeded, the later ones, from the same version, were refused.
     */
    private static final int MOST = 16;

    private record Holding(
            @Nullable String holder,
            @Nullable Instant acquired,
            @Nullable Instant renewed,
            @Nullable Integer transitions) {

        static Holding of(Lease lease) {
            LeaseSpec spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
            return new Holding(
                    spec.getHolderIdentity(),
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
    /** The last write that succeeded, if any, and those tried since. */
    private final List<Holding> own = new ArrayList<>();

    OwnLeaseWrites(LeaseStore store, String identity) {
        this.store = store;
        this.identity = identity;
    }

    /** Whether the Lease names us and is as this process left it. */
    boolean isOwn(Lease seen) {
        Holding now = Holding.of(seen);
        synchronized (own) {
            return identity.equals(now.holder) && own.contains(now);
        }
    }

    @Override
    public Optional<Lease> get() throws LeaseStoreException {
        try {
            return store.get();
        } catch (RuntimeException e) {
            throw unexpected(e);
        }
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
        } catch (RuntimeException e) {
            throw unexpected(e);
        }
    }

    /** Whether it was written is unknown. */
    private static LeaseStoreException unexpected(RuntimeException e) {
        return new LeaseStoreException("unexpected " + e, false, e);
    }

    private void tried(Holding one) {
        synchronized (own) {
            own.add(one);
            if (own.size() > MOST) {
                own.remove(2); // not what is most likely there
            }
        }
    }

    /** The API server accepts one write for each version, so every earlier attempt has failed. */
    private void written(Holding one) {
        synchronized (own) {
            own.clear();
            own.add(one);
        }
    }

    private void refused(Holding one) {
        synchronized (own) {
            int last = own.lastIndexOf(one);
            if (last >= 0) {
                own.remove(last);
            }
        }
    }
}

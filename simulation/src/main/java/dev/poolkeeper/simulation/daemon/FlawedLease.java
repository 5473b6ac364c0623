package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.k8s.lease.LeaseStore;
import dev.poolkeeper.k8s.lease.LeaseStoreException;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** The Lease of the election, with the planted bug that belongs here; without it it changes nothing. */
final class FlawedLease implements LeaseStore {

    private final LeaseStore store;
    private final String identity;
    private final DaemonFlaws flaws;

    FlawedLease(LeaseStore store, String identity, DaemonFlaws flaws) {
        this.store = store;
        this.identity = identity;
        this.flaws = flaws;
    }

    /** A Lease that names us is shown as free, so that it is taken at once. */
    @Override
    public Optional<Lease> get() throws LeaseStoreException {
        Optional<Lease> seen = store.get();
        return flaws.has(Flaw.GOES_BY_IDENTITY) ? seen.map(this::freedIfOurs) : seen;
    }

    private Lease freedIfOurs(Lease lease) {
        boolean ours =
                lease.getSpec() != null && identity.equals(lease.getSpec().getHolderIdentity());
        return ours ? lease.edit().editSpec().withHolderIdentity(null).endSpec().build() : lease;
    }

    @Override
    public Lease create(Lease lease) throws LeaseStoreException {
        return store.create(lease);
    }

    @Override
    public Lease update(Lease lease) throws LeaseStoreException {
        return store.update(lease);
    }
}

package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** One Lease at the API server. Implementations are thread-safe and may block. */
public interface LeaseStore {

    /** The Lease, empty if there is none. */
    Optional<Lease> get() throws LeaseStoreException;

    /**
     * Creates the Lease.
     *
     * @return the Lease as stored
     * @throws LeaseStoreException a conflict if there is one already
     */
    Lease create(Lease lease) throws LeaseStoreException;

    /**
     * Replaces the Lease, if its resource version is still that of the given one.
     *
     * @return the Lease as stored
     * @throws LeaseStoreException a conflict if it changed since, or no longer exists
     */
    Lease update(Lease lease) throws LeaseStoreException;
}

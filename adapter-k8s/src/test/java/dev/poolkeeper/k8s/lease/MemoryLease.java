package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** A Lease in memory with optimistic concurrency, for several holders with their own clocks. */
final class MemoryLease {

    private Lease lease;
    private long version;

    synchronized Optional<Lease> get() {
        return Optional.ofNullable(lease);
    }

    synchronized Lease write(Lease next) {
        lease = next.edit()
                .editOrNewMetadata()
                .withName("lease")
                .withResourceVersion(Long.toString(++version))
                .endMetadata()
                .build();
        return lease;
    }

    synchronized void delete() {
        lease = null;
    }

    synchronized String holder() {
        return lease == null ? null : lease.getSpec().getHolderIdentity();
    }

    /** One machine's connection to the Lease, which can be cut, also after a request has arrived. */
    class Link implements LeaseStore {
        boolean cut;
        boolean answersLost;
        int requests;
        /** Runs while the response to a write is on its way. */
        Runnable onWayBack = () -> {};
        /** Runs before an update arrives. */
        Runnable beforeUpdate = () -> {};

        private void send() throws LeaseStoreException {
            requests++;
            if (cut) {
                throw new LeaseStoreException("cut", false, null);
            }
        }

        @Override
        public Optional<Lease> get() throws LeaseStoreException {
            send();
            return MemoryLease.this.get();
        }

        @Override
        public Lease create(Lease next) throws LeaseStoreException {
            send();
            if (lease != null) {
                throw new LeaseStoreException("exists", true, null);
            }
            return answered(write(next));
        }

        @Override
        public Lease update(Lease next) throws LeaseStoreException {
            send();
            beforeUpdate.run();
            if (lease == null
                    || !lease.getMetadata()
                            .getResourceVersion()
                            .equals(next.getMetadata().getResourceVersion())) {
                throw new LeaseStoreException("changed", true, null);
            }
            return answered(write(next));
        }

        private Lease answered(Lease written) throws LeaseStoreException {
            onWayBack.run();
            if (answersLost) {
                throw new LeaseStoreException("no answer", false, null);
            }
            return written;
        }
    }
}

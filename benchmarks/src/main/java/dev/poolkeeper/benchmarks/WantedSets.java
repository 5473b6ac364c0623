package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.PoolLocations;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.ports.AddressSet;
import org.jspecify.annotations.Nullable;

/**
 * A view of a fixed number of local Services, each with its own pool. The changes are synthetic, so there is no cluster
 * to compute them from. Changed by one thread, between ticks.
 */
final class WantedSets implements ClusterView {

    /** The desired addresses of a Service changed. */
    record Change(int service, AddressSet before, AddressSet wanted) {}

    private final Want[] wants;
    private @Nullable ClusterChanges listener;

    WantedSets(int size) {
        wants = new Want[size];
        for (int i = 0; i < size; i++) {
            wants[i] = new Want(Peer.service(i), Peer.pool(i), AddressSet.empty(), true, true, true, false);
        }
    }

    /** Applies a change, and reports it. */
    void make(Change change) {
        Want before = wants[change.service()];
        Want now = new Want(before.service(), before.pool(), change.wanted(), true, true, true, false);
        wants[change.service()] = now;
        if (listener != null) {
            listener.wants(before, now);
        }
    }

    @Override
    public void listen(ClusterChanges newListener) {
        listener = newListener;
        for (Want want : wants) {
            newListener.wants(null, want);
        }
    }

    @Override
    public void locate(PoolLocations locations) {}
}

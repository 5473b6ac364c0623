package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;
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
            wants[i] = want(i, AddressSet.empty());
        }
    }

    /** Applies a change, and reports it. */
    void make(Change change) {
        Want now = want(change.service(), change.wanted());
        wants[change.service()] = now;
        if (listener != null) {
            listener.wants(want(change.service(), change.before()), now);
        }
    }

    private static Want want(int service, AddressSet wanted) {
        return new Want(Peer.service(service), Peer.pool(service), wanted, true, true, true, false);
    }

    @Override
    public void listen(ClusterChanges newListener) {
        listener = newListener;
        for (Want want : wants) {
            newListener.wants(null, want);
        }
    }

    @Override
    public void locate(Collection<PoolKey> pools) {}
}

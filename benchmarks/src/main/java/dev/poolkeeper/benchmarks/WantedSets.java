package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.PoolLocations;
import dev.poolkeeper.core.cluster.Survey;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view of a fixed number of local Services, each with its own pool. A Service is looked up in a map, like in the Go
 * updater, and its desired state in an array: the changes are synthetic, so there is no cluster to compute them from.
 * Changed by one thread, between ticks.
 */
final class WantedSets implements ClusterView {

    /** The desired addresses of a Service changed. */
    record Change(int service, AddressSet before, AddressSet wanted) {}

    private final Map<ServiceName, Integer> local = new HashMap<>();
    private final ServiceName[] services;
    private final PoolKey[] pools;
    private final AddressSet[] wanted;
    private @Nullable ClusterChanges listener;

    WantedSets(int size) {
        services = new ServiceName[size];
        pools = new PoolKey[size];
        wanted = new AddressSet[size];
        Arrays.fill(wanted, AddressSet.empty());
        for (int i = 0; i < size; i++) {
            services[i] = Peer.service(i);
            pools[i] = Peer.pool(i);
            local.put(services[i], i);
        }
    }

    /** Applies a change, and reports it. */
    void make(Change change) {
        int i = change.service();
        wanted[i] = change.wanted();
        if (listener != null) {
            listener.changed(services[i], pools[i], change.before(), change.wanted());
        }
    }

    @Override
    public void listen(ClusterChanges newListener) {
        listener = newListener;
    }

    @Override
    public void locate(PoolLocations locations) {}

    @Override
    public boolean isLocal(ServiceName service, PoolKey pool) {
        return local.containsKey(service);
    }

    @Override
    public AddressSet wanted(ServiceName service, PoolKey pool) {
        Integer i = local.get(service);
        return i == null ? AddressSet.empty() : wanted[i];
    }

    @Override
    public AddressSet wantedByOthers(ServiceName service, PoolKey pool) {
        return AddressSet.empty();
    }

    @Override
    public boolean isAdopted(ServiceName service, PoolKey pool) {
        return local.containsKey(service);
    }

    @Override
    public List<ServiceName> services(PoolKey pool) {
        return List.of();
    }

    @Override
    public boolean isPaused(ServiceName service) {
        return false;
    }

    @Override
    public void ignorePauses() {}

    /** Empty: changes are reported, not found by comparison. */
    @Override
    public Survey survey() {
        return new Survey(List.of(), List.of(), List.of(), List.of());
    }
}

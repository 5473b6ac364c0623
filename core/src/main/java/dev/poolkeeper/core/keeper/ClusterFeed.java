package dev.poolkeeper.core.keeper;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Passes on what the API server says, and keeps of it which Services are paused and which were changed, for somebody to
 * look at them again. Thread-safe.
 */
final class ClusterFeed implements ClusterListener {

    private final ClusterListener index;
    private final Consumer<ServiceName> onLocalServiceChanged;
    private final Set<ServiceName> paused = ConcurrentHashMap.newKeySet();
    private final Set<ServiceName> changed = new HashSet<>();

    /** @param onLocalServiceChanged hears of every new state of a Service that asks for local pools */
    ClusterFeed(ClusterListener index, Consumer<ServiceName> onLocalServiceChanged) {
        this.index = index;
        this.onLocalServiceChanged = onLocalServiceChanged;
    }

    boolean isPaused(ServiceName service) {
        return paused.contains(service);
    }

    Set<ServiceName> paused() {
        return Set.copyOf(paused);
    }

    /** The Services that were changed since this was last asked. */
    Set<ServiceName> takeChanged() {
        synchronized (changed) {
            Set<ServiceName> taken = Set.copyOf(changed);
            changed.clear();
            return taken;
        }
    }

    @Override
    public void serviceChanged(ServiceState state) {
        if (state.paused()) {
            paused.add(state.name());
        } else {
            paused.remove(state.name());
        }
        index.serviceChanged(state);
        if ("LoadBalancer".equals(state.type()) && "Local".equals(state.externalTrafficPolicy())) {
            synchronized (changed) {
                changed.add(state.name());
            }
            onLocalServiceChanged.accept(state.name());
        }
    }

    @Override
    public void serviceDeleted(ServiceName service) {
        paused.remove(service);
        index.serviceDeleted(service);
    }

    @Override
    public void sliceChanged(EndpointSliceState slice) {
        index.sliceChanged(slice);
    }

    @Override
    public void sliceDeleted(EndpointSliceState slice) {
        index.sliceDeleted(slice);
    }

    @Override
    public void nodeChanged(NodeState node) {
        index.nodeChanged(node);
    }

    @Override
    public void nodeDeleted(String node) {
        index.nodeDeleted(node);
    }
}

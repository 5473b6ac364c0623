package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The cluster events that reach the daemon, with their planted bugs; transparent without any. */
final class FlawedListener implements ClusterListener {

    private final ClusterListener listener;
    private final DaemonFlaws flaws;
    private final Executor threads;
    private final Map<ServiceName, EndpointSliceState> latest = new HashMap<>();
    private final Map<String, EndpointSliceState> slices = new LinkedHashMap<>();
    private @Nullable NodeState other;
    private int changes;

    FlawedListener(ClusterListener listener, DaemonFlaws flaws, Executor threads) {
        this.listener = listener;
        this.flaws = flaws;
        this.threads = threads;
    }

    /** Everything is about to be listed again. */
    void readsAll() {
        if (flaws.has(Flaw.FORGETS_ON_RELIST)) {
            List.copyOf(slices.values()).forEach(listener::sliceDeleted);
            slices.clear();
        }
    }

    @Override
    public void serviceChanged(ServiceState service) {
        listener.serviceChanged(flaws.has(Flaw.IGNORES_PAUSES) ? service.withAnnotations(Map.of()) : service);
    }

    @Override
    public void serviceDeleted(ServiceName service) {
        if (!flaws.has(Flaw.NEVER_FORGETS)) {
            listener.serviceDeleted(service);
        }
    }

    @Override
    public void sliceChanged(EndpointSliceState slice) {
        if (flaws.has(Flaw.LOSES_CHANGES) && ++changes % 4 == 0) {
            return;
        }
        ServiceName service = slice.service();
        if (flaws.has(Flaw.KNOWS_ONE_SLICE) && service != null) {
            EndpointSliceState before = latest.put(service, slice);
            if (before != null
                    && !before.name().equals(slice.name())
                    && before.addressType().equals(slice.addressType())) {
                listener.sliceDeleted(before);
            }
        }
        slices.put(slice.namespace() + "/" + slice.name(), slice);
        listener.sliceChanged(slice);
    }

    @Override
    public void sliceDeleted(EndpointSliceState slice) {
        if (flaws.has(Flaw.DIES)) {
            threads.execute(() -> {
                throw new IllegalStateException("an unexpected deletion");
            });
        }
        slices.remove(slice.namespace() + "/" + slice.name());
        listener.sliceDeleted(slice);
    }

    @Override
    public void nodeChanged(NodeState node) {
        NodeState last = other;
        other = node;
        boolean mixedUp = flaws.has(Flaw.MIXES_UP_NODES) && last != null && ++changes % 5 == 0;
        List<String> addresses = mixedUp && last != null ? last.internalIps() : node.internalIps();
        listener.nodeChanged(new NodeState(node.name(), node.labels(), addresses));
    }

    @Override
    public void nodeDeleted(String node) {
        listener.nodeDeleted(node);
    }
}

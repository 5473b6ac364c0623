package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The cluster events that reach the daemon, with their planted bugs; transparent without any. */
final class FlawedListener implements ClusterListener {

    private final ClusterListener listener;
    private final DaemonFlaws flaws;
    private final Executor threads;
    private final Map<ServiceName, EndpointSliceState> latest = new HashMap<>();
    private final Map<String, EndpointSliceState> slices = new LinkedHashMap<>();
    private final Map<ServiceName, ServiceState> services = new LinkedHashMap<>();
    private final Set<String> names = new LinkedHashSet<>();
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
        if (flaws.has(Flaw.PAUSES_NEIGHBOURS)) {
            pauseNeighbours(service);
        }
        listener.serviceChanged(flaws.has(Flaw.IGNORES_PAUSES) ? service.withAnnotations(Map.of()) : service);
    }

    private void pauseNeighbours(ServiceState service) {
        services.put(service.name(), service);
        services.values().stream()
                .filter(other -> !other.name().equals(service.name()))
                .filter(other -> IpFamily.IPV4.poolName(other.name()).equals(IpFamily.IPV4.poolName(service.name())))
                .forEach(other -> listener.serviceChanged(
                        service.paused()
                                ? other.withAnnotations(Map.of(ServiceState.PAUSED_ANNOTATION, "true"))
                                : other));
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
        if (flaws.has(Flaw.REMEMBERS_NODES)) {
            names.addAll(slice.nodeNames());
            listener.sliceChanged(new EndpointSliceState(
                    "remembered", "nodes", new ServiceName("remembered", "nodes"), "IPv4", List.copyOf(names)));
        }
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
    public void nodesInStep(boolean inStep) {
        listener.nodesInStep(inStep);
    }

    @Override
    public void nodeDeleted(String node) {
        listener.nodeDeleted(node);
    }
}

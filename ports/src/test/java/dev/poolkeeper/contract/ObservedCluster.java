package dev.poolkeeper.contract;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The cluster as reported to a listener, and every call in order. Thread-safe. */
public final class ObservedCluster implements ClusterListener {

    private final Map<String, Object> objects = new ConcurrentHashMap<>();
    private final List<String> calls = new ArrayList<>();

    private synchronized void changed(String key, Object state) {
        objects.put(key, state);
        calls.add("changed " + key);
    }

    private synchronized void deleted(String key) {
        objects.remove(key);
        calls.add("deleted " + key);
    }

    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** The known state of {@code Service shop/web}, {@code EndpointSlice shop/web-1} or {@code Node node-1}. */
    public Optional<Object> find(String key) {
        return Optional.ofNullable(objects.get(key));
    }

    @Override
    public void serviceChanged(ServiceState service) {
        changed("Service " + service.name(), withoutTime(service));
    }

    /** API servers set the time themselves. */
    private static ServiceState withoutTime(ServiceState service) {
        return new ServiceState(
                service.name(),
                service.type(),
                service.externalTrafficPolicy(),
                service.ipFamilies(),
                service.loadBalancerClass(),
                null,
                service.paused(),
                service.annotationsFingerprint(),
                service.selector());
    }

    @Override
    public void serviceDeleted(ServiceName service) {
        deleted("Service " + service);
    }

    @Override
    public void sliceChanged(EndpointSliceState slice) {
        changed("EndpointSlice " + slice.namespace() + "/" + slice.name(), slice);
    }

    @Override
    public void sliceDeleted(EndpointSliceState slice) {
        deleted("EndpointSlice " + slice.namespace() + "/" + slice.name());
    }

    @Override
    public void nodeChanged(NodeState node) {
        changed("Node " + node.name(), node);
    }

    @Override
    public void nodeDeleted(String node) {
        deleted("Node " + node);
    }

    @Override
    public void podChanged(PodState pod) {
        changed("Pod " + pod.id(), pod);
    }

    @Override
    public void podDeleted(PodState pod) {
        deleted("Pod " + pod.id());
    }
}

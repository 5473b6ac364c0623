package dev.poolkeeper.fake;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory that reports each change to a listener immediately, in the thread that makes the change. While
 * disconnected it reports nothing; differences are reported on reconnect. Thread-safe.
 */
public final class FakeCluster {

    private record Entry(long incarnation, Object state, Consumer<ClusterListener> gone) {}

    private final Map<String, Entry> objects = new LinkedHashMap<>();
    private final Map<String, Entry> reported = new LinkedHashMap<>();
    private @Nullable ClusterListener listener;
    private boolean connected = true;
    private long incarnations;
    private long podVersions;

    /** Reports all current objects, and every change from now on. */
    public synchronized void listen(ClusterListener newListener) {
        listener = newListener;
        reported.clear();
        report();
    }

    public synchronized void put(ServiceState service) {
        put(key(service.name()), service, listener -> listener.serviceDeleted(service.name()));
    }

    public synchronized void put(EndpointSliceState slice) {
        put("EndpointSlice " + slice.namespace() + "/" + slice.name(), slice, listener -> listener.sliceDeleted(slice));
    }

    public synchronized void put(NodeState node) {
        put("Node " + node.name(), node, listener -> listener.nodeDeleted(node.name()));
    }

    /**
     * Stores the Pod in a new version. A Pod with the same name but another uid is a different Pod: the old one is
     * deleted first.
     */
    public synchronized void put(PodState pod) {
        if (pod(pod.id()).filter(there -> !there.id().equals(pod.id())).isPresent()) {
            deletePod(pod.id());
        }
        PodState stored = pod.withVersion(String.valueOf(++podVersions));
        put(key(pod.id()), stored, listener -> listener.podDeleted(stored));
    }

    /** The current Pod with this name, regardless of its uid. */
    public synchronized Optional<PodState> pod(PodId id) {
        return Optional.ofNullable(objects.get(key(id))).map(entry -> (PodState) entry.state);
    }

    private void put(String key, Object state, Consumer<ClusterListener> gone) {
        Entry there = objects.get(key);
        objects.put(key, new Entry(there == null ? ++incarnations : there.incarnation, state, gone));
        report();
    }

    public synchronized void deleteService(ServiceName service) {
        delete(key(service));
    }

    public synchronized void deleteSlice(String namespace, String name) {
        delete("EndpointSlice " + namespace + "/" + name);
    }

    public synchronized void deleteNode(String node) {
        delete("Node " + node);
    }

    public synchronized void deletePod(PodId pod) {
        delete(key(pod));
    }

    private void delete(String key) {
        objects.remove(key);
        report();
    }

    /** Nothing is reported until {@link #reconnect}. */
    public synchronized void disconnect() {
        connected = false;
    }

    /** Reports the differences since {@link #disconnect}. */
    public synchronized void reconnect() {
        connected = true;
        report();
    }

    private static String key(PodId pod) {
        return "Pod " + pod;
    }

    private static String key(ServiceName service) {
        return "Service " + service;
    }

    private void report() {
        ClusterListener hearer = listener;
        if (hearer == null || !connected) {
            return;
        }
        for (Map.Entry<String, Entry> known : Map.copyOf(reported).entrySet()) {
            Entry now = objects.get(known.getKey());
            if (now == null || now.incarnation != known.getValue().incarnation) {
                reported.remove(known.getKey());
                known.getValue().gone.accept(hearer);
            }
        }
        for (Map.Entry<String, Entry> object : objects.entrySet()) {
            Entry now = object.getValue();
            Entry known = reported.put(object.getKey(), now);
            if (known == null || !known.state.equals(now.state)) {
                changed(hearer, now.state);
            }
        }
    }

    private static void changed(ClusterListener hearer, Object state) {
        switch (state) {
            case ServiceState service -> hearer.serviceChanged(service);
            case EndpointSliceState slice -> hearer.sliceChanged(slice);
            case NodeState node -> hearer.nodeChanged(node);
            case PodState pod -> hearer.podChanged(pod);
            default -> throw new IllegalStateException("not a state of the cluster: " + state);
        }
    }
}

package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reports the Services, EndpointSlices and Nodes of all namespaces to a {@link ClusterListener}, optionally also the
 * Pods that opted in to the readiness gate, and their changes, until it is closed.
 *
 * <ul>
 *   <li>Calls for one object come in the order of its versions, one at a time; calls for different kinds may come from
 *       different threads at once.
 *   <li>Changes that happened while disconnected are reported afterwards, deletions with the last known state. An
 *       object that was deleted and recreated in between is reported as both.
 *   <li>An object is reported again only if one of the needed fields changed. Only these fields are kept in memory.
 *   <li>A partly read list deletes nothing.
 *   <li>If the listener throws, the object counts as not reported, and everything is listed again after a back-off.
 * </ul>
 *
 * <p>Does not use Fabric8's informers: they cannot be restarted when a half-open connection silences their watch, do
 * not report bookmarks, and use the system's clock.
 *
 * <p>Thread-safe. Never throws on trouble with the API server: it retries with back-off and reports the error in
 * {@link #statuses}.
 */
public final class ClusterWatcher implements AutoCloseable {

    private final KindWatch<?, ?> services;
    private final KindWatch<?, ?> slices;
    private final KindWatch<?, ?> nodes;
    private final Map<String, KindWatch<?, ?>> pods;
    private final List<KindWatch<?, ?>> all;

    /**
     * @param client from {@link KubernetesClients#forObjects}; the caller closes it, after this
     * @param listener is called by threads of the client and of {@code time}
     */
    public ClusterWatcher(KubernetesClient client, WatchSettings settings, Time time, ClusterListener listener) {
        this(client, settings, time, List.of(listener), Optional.empty());
    }

    /**
     * As the other constructor, with Pods.
     *
     * @param listeners are called in this order
     * @param scope where Pods are watched; empty to watch none
     */
    public ClusterWatcher(
            KubernetesClient client,
            WatchSettings settings,
            Time time,
            List<ClusterListener> listeners,
            Optional<PodScope> scope) {
        Reduction reduction = new Reduction(
                namespace -> scope.filter(pods -> pods.covers(namespace)).isPresent());
        services = new KindWatch<>(WatchedKind.services(reduction, listeners), client, settings, time);
        slices = new KindWatch<>(WatchedKind.slices(reduction, listeners), client, settings, time);
        nodes = new KindWatch<>(WatchedKind.nodes(reduction, listeners), client, settings, time);
        Map<String, KindWatch<?, ?>> podWatches = new LinkedHashMap<>();
        scope.map(PodScope::watched)
                .orElse(List.of())
                .forEach(namespace -> podWatches.put(
                        namespace,
                        new KindWatch<>(WatchedKind.pods(reduction, listeners, namespace), client, settings, time)));
        pods = Collections.unmodifiableMap(podWatches);
        List<KindWatch<?, ?>> watches = new ArrayList<>(List.of(nodes, services, slices));
        watches.addAll(pods.values());
        all = List.copyOf(watches);
    }

    /** Starts listing and watching, and returns at once. Must be called only once. */
    public void start() {
        all.forEach(KindWatch::start);
    }

    /** Whether Nodes, Services and EndpointSlices were all listed and reported at least once. Stays true. */
    public boolean hasSynced() {
        return nodes.hasSynced() && services.hasSynced() && slices.hasSynced();
    }

    /** Whether the Pods of this namespace are watched, and were listed and reported at least once. Stays true. */
    public boolean hasSyncedPods(String namespace) {
        KindWatch<?, ?> watch = pods.containsKey(PodScope.ALL) ? pods.get(PodScope.ALL) : pods.get(namespace);
        return watch != null && watch.hasSynced();
    }

    /** The state of each watch: Nodes, Services, EndpointSlices, Pods. */
    public List<WatchStatus> statuses() {
        return all.stream().map(KindWatch::status).toList();
    }

    /** The uid of a known Service, for Events about it. */
    public Optional<String> uidOf(ServiceName service) {
        return services.uid(service.toString());
    }

    /** Ends every watch. A call to the listener that is in progress may still end afterwards; none starts. */
    @Override
    public void close() {
        all.forEach(KindWatch::close);
    }
}

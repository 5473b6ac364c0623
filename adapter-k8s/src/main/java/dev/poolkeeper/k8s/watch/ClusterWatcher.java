package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reports the Services, EndpointSlices and Nodes of all namespaces to a {@link ClusterListener}, and where asked for
 * the Pods that opted in to the readiness gate, and their changes until it is closed.
 *
 * <ul>
 *   <li>For one object the calls come in the order of its versions, one at a time; those of different kinds may come
 *       from different threads at once.
 *   <li>What happened while there was no connection is reported afterwards: changes, and deletions with the last state
 *       known. An object that was deleted and created again in between is reported as both.
 *   <li>An object whose needed fields did not change is not reported again. Only these fields are kept in memory.
 *   <li>A list that could not be read to its end deletes nothing.
 *   <li>If the listener throws, what was reported to it counts as not reported, and everything is listed again after a
 *       back-off.
 * </ul>
 *
 * <p>Not on Fabric8's informers: these cannot be started again when a half-open connection made their watch fall
 * silent, do not say when a bookmark came, and take their time from the system.
 *
 * <p>Thread-safe. Never throws on trouble with the API server: it tries again with back-off, and says so in
 * {@link #statuses}.
 */
public final class ClusterWatcher implements AutoCloseable {

    private final KindWatch<?, ?> services;
    private final KindWatch<?, ?> slices;
    private final KindWatch<?, ?> nodes;
    private final List<KindWatch<?, ?>> pods;
    private final List<KindWatch<?, ?>> all;

    /**
     * @param client from {@link KubernetesClients#forObjects}; stays the caller's to close, after this
     * @param listener everything is reported to it, by threads of the client and of {@code time}
     */
    public ClusterWatcher(KubernetesClient client, WatchSettings settings, Time time, ClusterListener listener) {
        this(client, settings, time, listener, Optional.empty());
    }

    /**
     * The same.
     *
     * @param scope where Pods are watched; empty for nowhere
     */
    public ClusterWatcher(
            KubernetesClient client,
            WatchSettings settings,
            Time time,
            ClusterListener listener,
            Optional<PodScope> scope) {
        Reduction reduction = new Reduction(
                namespace -> scope.filter(pods -> pods.covers(namespace)).isPresent());
        services = new KindWatch<>(WatchedKind.services(reduction, listener), client, settings, time);
        slices = new KindWatch<>(WatchedKind.slices(reduction, listener), client, settings, time);
        nodes = new KindWatch<>(WatchedKind.nodes(reduction, listener), client, settings, time);
        pods = scope.map(where -> podKinds(where, reduction, listener)).orElse(List.of()).stream()
                .<KindWatch<?, ?>>map(kind -> new KindWatch<>(kind, client, settings, time))
                .toList();
        List<KindWatch<?, ?>> watches = new ArrayList<>(List.of(nodes, services, slices));
        watches.addAll(pods);
        all = List.copyOf(watches);
    }

    private static List<WatchedKind<Pod, PodState>> podKinds(
            PodScope scope, Reduction reduction, ClusterListener listener) {
        return scope.namespaces().isEmpty()
                ? List.of(WatchedKind.pods(reduction, listener))
                : scope.namespaces().stream()
                        .map(namespace -> WatchedKind.pods(reduction, listener, namespace))
                        .toList();
    }

    /** Begins to list and watch, and returns at once. To be called once. */
    public void start() {
        all.forEach(KindWatch::start);
    }

    /** Whether Nodes, Services and slices were all listed at least once, and reported. Stays true. */
    public boolean hasSynced() {
        return nodes.hasSynced() && services.hasSynced() && slices.hasSynced();
    }

    /** Whether the Pods were, too, wherever they are watched. Stays true. */
    public boolean hasSyncedPods() {
        return pods.stream().allMatch(KindWatch::hasSynced);
    }

    /** How each watch is doing: nodes, Services, slices, Pods. */
    public List<WatchStatus> statuses() {
        return all.stream().map(KindWatch::status).toList();
    }

    /** The uid of a Service that is known, for Events about it. */
    public Optional<String> uidOf(ServiceName service) {
        return services.uid(service.toString());
    }

    /** Ends every watch. A call to the listener that has begun may still end afterwards; none begins. */
    @Override
    public void close() {
        all.forEach(KindWatch::close);
    }
}

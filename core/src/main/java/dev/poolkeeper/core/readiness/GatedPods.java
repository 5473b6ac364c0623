package dev.poolkeeper.core.readiness;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Pods that wait for their gate, and the selectors and slices that determine their Services. Kept up to date by
 * watch events. Thread-safe; the cost of an event is proportional to its slice or Pod.
 */
public final class GatedPods implements ClusterListener {

    private final Map<String, PodState> waiting = new HashMap<>();
    private final Map<String, Map<ServiceName, Map<String, String>>> selectors = new HashMap<>();
    private final Map<SliceKey, Listing> slices = new HashMap<>();
    private final Map<PodKey, Set<SliceKey>> slicesOf = new HashMap<>();
    private volatile Runnable onPodWaiting = () -> {};

    private record SliceKey(String namespace, String name) {}

    /** A slice lists Pods of its own namespace only, whatever uids it contains. */
    private record PodKey(String namespace, String uid) {}

    /** A slice that lists Pods, by uid, for a Service. */
    private record Listing(ServiceName service, IpFamily family, Set<String> pods) {}

    /** @param task called when a waiting Pod was seen or changed; must be quick; may be called from any thread */
    void onPodWaiting(Runnable task) {
        onPodWaiting = task;
    }

    @Override
    public void podChanged(PodState pod) {
        synchronized (this) {
            if (pod.isWaiting()) {
                waiting.put(pod.id().uid(), pod);
            } else {
                waiting.remove(pod.id().uid());
            }
        }
        if (pod.isWaiting()) {
            onPodWaiting.run();
        }
    }

    @Override
    public synchronized void podDeleted(PodState pod) {
        waiting.remove(pod.id().uid());
    }

    @Override
    public synchronized void serviceChanged(ServiceState service) {
        serviceDeleted(service.name());
        if (service.isLocal() && !service.selector().isEmpty()) { // a Pod waits for no other, and there may be many
            selectors
                    .computeIfAbsent(service.name().namespace(), namespace -> new HashMap<>())
                    .put(service.name(), service.selector());
        }
    }

    @Override
    public synchronized void serviceDeleted(ServiceName service) {
        selectors.computeIfPresent(service.namespace(), (namespace, services) -> {
            services.remove(service);
            return services.isEmpty() ? null : services;
        });
    }

    @Override
    public synchronized void sliceChanged(EndpointSliceState slice) {
        sliceDeleted(slice);
        ServiceName service = slice.service();
        Optional<IpFamily> family = slice.family();
        if (service != null && family.isPresent() && !slice.podUids().isEmpty()) {
            SliceKey key = key(slice);
            slices.put(key, new Listing(service, family.get(), slice.podUids()));
            for (String uid : slice.podUids()) {
                slicesOf.computeIfAbsent(new PodKey(key.namespace(), uid), pod -> new HashSet<>(2))
                        .add(key);
            }
        }
    }

    @Override
    public synchronized void sliceDeleted(EndpointSliceState slice) {
        SliceKey key = key(slice);
        Listing listing = slices.remove(key);
        if (listing != null) {
            listing.pods()
                    .forEach(uid -> slicesOf.computeIfPresent(new PodKey(key.namespace(), uid), (pod, its) -> {
                        its.remove(key);
                        return its.isEmpty() ? null : its;
                    }));
        }
    }

    private static SliceKey key(EndpointSliceState slice) {
        return new SliceKey(slice.namespace(), slice.name());
    }

    @Override
    public void nodeChanged(NodeState node) {}

    @Override
    public void nodeDeleted(String node) {}

    /** The waiting Pods, unordered. */
    synchronized List<PodState> waiting() {
        return List.copyOf(waiting.values());
    }

    /**
     * The waiting Pods with those of their Services that may be local. Cost is proportional to the Pods and to the
     * selectors of such Services in their namespaces.
     */
    synchronized List<GatedPod> withServices() {
        return waiting.values().stream()
                .map(pod -> new GatedPod(pod, services(pod)))
                .toList();
    }

    private SortedMap<ServiceName, Set<IpFamily>> services(PodState pod) {
        SortedMap<ServiceName, Set<IpFamily>> services = new TreeMap<>();
        selectors.getOrDefault(pod.id().namespace(), Map.of()).forEach((service, selector) -> {
            if (pod.labels().entrySet().containsAll(selector.entrySet())) {
                services.put(service, EnumSet.noneOf(IpFamily.class));
            }
        });
        PodKey key = new PodKey(pod.id().namespace(), pod.id().uid());
        for (SliceKey slice : slicesOf.getOrDefault(key, Set.of())) {
            Listing listing = Objects.requireNonNull(slices.get(slice));
            services.computeIfAbsent(listing.service(), service -> EnumSet.noneOf(IpFamily.class))
                    .add(listing.family());
        }
        return services;
    }
}

package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wanted addresses of every local Service, kept up to date by watch events.
 *
 * <p>The wanted addresses of a Service in an IP family are those, in that family, of all nodes referenced by the
 * endpoints of its EndpointSlices of that address type, regardless of endpoint conditions. They are <em>complete</em>
 * when at least one such slice existed or was seen since the Service became local, and every referenced node has been
 * seen, or has been missing for a minute ({@link #endWaits}).
 *
 * <p>Until a set is complete for the first time it only grows, which is reported; then it is reported once as adopted,
 * and later its changes are. While a set is incomplete, no address is removed from it.
 *
 * <p>The cost of an event is proportional to the slices of the affected Services, never to the cluster. Each endpoint
 * takes one reference.
 *
 * <p>Thread-safe: one lock guards all state and is held while the listener is called. It is acquired before the queue's
 * lock and never held across I/O.
 */
public final class EndpointIndex implements ClusterListener, ClusterView {

    private final InstantSource clock;
    private final Map<ServiceName, ServiceEntry> services = new HashMap<>();

    /** The Services by their number; null where that is free. */
    private final List<@Nullable ServiceEntry> numbered = new ArrayList<>();

    private final Deque<Integer> freeNumbers = new ArrayDeque<>();

    /** By namespace and name. */
    private final Map<String, Map<String, SliceEntry>> slices = new HashMap<>();

    /**
     * By name, in lower case. A name is kept while a Node has it or a slice names it: anyone who may write slices can
     * name as many nodes as they like.
     */
    private final Map<String, NodeEntry> nodes = new HashMap<>();

    /** Excluded nodes included; of several nodes that claim an address, the last to do so. */
    private final Map<IpAddress, NodeEntry> nodesByAddress = new HashMap<>();

    private final Placement placement = new Placement();
    private final Waits waits = new Waits();

    /** Ignores all until an engine listens. */
    private ClusterChanges listener = new ClusterChanges() {};

    /** @param clock measures how long nodes have been missing; should not jump */
    public EndpointIndex(InstantSource clock) {
        this.clock = clock;
    }

    /** Makes a change under the lock, and tells the listener when that is released. */
    private void change(Runnable change) {
        ClusterChanges told;
        synchronized (this) {
            change.run();
            told = listener;
        }
        told.released();
    }

    @Override
    public void listen(ClusterChanges newListener) {
        change(() -> {
            listener = newListener;
            wants().forEach(want -> newListener.wants(null, want));
        });
    }

    @Override
    public void locate(Collection<PoolKey> pools) {
        change(() -> {
            placement.locate(pools);
            sortedServices().forEach(this::placePools);
            listener.eventEnded();
        });
    }

    @Override
    public void serviceChanged(ServiceState state) {
        change(() -> {
            setState(service(state.name()), state);
            if (state.isLocal()) {
                listener.edited(state.name());
            } else {
                listener.gone(state.name());
            }
            listener.eventEnded();
        });
    }

    @Override
    public void serviceDeleted(ServiceName name) {
        change(() -> {
            ServiceEntry service = services.get(name);
            if (service != null) {
                setState(service, null);
                forgetIfEmpty(service);
            }
            listener.gone(name);
            listener.eventEnded();
        });
    }

    @Override
    public void sliceChanged(EndpointSliceState state) {
        change(() -> takeSlice(state, entry(state)));
    }

    @Override
    public void sliceDeleted(EndpointSliceState state) {
        change(() -> takeSlice(state, null));
    }

    @Override
    public void nodeChanged(NodeState state) {
        change(() -> {
            takeNode(node(state.name()), state);
            listener.eventEnded();
        });
    }

    @Override
    public void nodeDeleted(String name) {
        change(() -> {
            NodeEntry node = findNode(name);
            if (node != null) {
                takeNode(node, null);
                forgetIfUnused(node);
            }
            listener.eventEnded();
        });
    }

    @Override
    public void nodesInStep(boolean inStep) {
        change(() -> {
            if (inStep) {
                waits.inStep(clock.instant());
                endWaitsUntilNow();
                listener.waiting();
            } else {
                waits.outOfStep();
            }
        });
    }

    @Override
    public synchronized Optional<Instant> nextEnd() {
        return waits.nextEnd();
    }

    @Override
    public void endWaits() {
        change(this::endWaitsUntilNow);
    }

    private void endWaitsUntilNow() {
        Instant now = clock.instant();
        for (PoolEntry pool = waits.firstOver(now); pool != null; pool = waits.firstOver(now)) {
            pool.giveUp(pool.waitsSince);
            if (pool.isWaiting()) { // for others, so nothing changes for the pool
                waits.update(pool);
            } else {
                evaluate(pool, List.of(), new Look());
                listener.eventEnded();
            }
        }
    }

    /** What every local Service wants in each of its pools, in order of their names. */
    public synchronized List<Want> wants() {
        return sortedServices()
                .flatMap(ServiceEntry::localPools)
                .map(PoolEntry::want)
                .toList();
    }

    /** The name of the node that has this address, if one does. */
    public synchronized Optional<String> nodeName(IpAddress address) {
        return Optional.ofNullable(nodesByAddress.get(address)).map(NodeEntry::spelling);
    }

    /**
     * The addresses of this family that a node contributes to pools: none if it is excluded or deleted.
     *
     * @param node its name, case-insensitive
     * @return empty if the API server never reported that node, or it was deleted and no slice references it
     */
    public synchronized Optional<AddressSet> addressesOf(String node, IpFamily family) {
        return Optional.ofNullable(findNode(node))
                .filter(NodeEntry::isSeen)
                .map(entry -> AddressSet.of(
                        Optional.ofNullable(entry.address(family)).stream().toList()));
    }

    /** The number of node names that are kept. */
    synchronized int knownNodes() {
        return nodes.size();
    }

    /**
     * The addresses in the pool's family currently selected by the Service's slices, whether or not the set is
     * complete; empty if the Service is not local with the pool.
     */
    public synchronized AddressSet selected(ServiceName service, PoolKey pool) {
        return find(service, pool).map(its -> its.selected(new Look())).orElse(AddressSet.empty());
    }

    /**
     * Reports one node for the Service in this pool; empty if the Service is not local with the pool. Cost is
     * proportional to the Service's endpoints.
     */
    public synchronized Optional<NodeReport> reportNode(ServiceName service, PoolKey pool, String node) {
        return find(service, pool).map(its -> {
            NodeEntry known = findNode(node);
            return NodeReport.of(its, known == null ? new NodeEntry(node) : known);
        });
    }

    private Optional<PoolEntry> find(ServiceName name, PoolKey pool) {
        return Optional.ofNullable(services.get(name)).stream()
                .flatMap(service -> service.pools.stream())
                .filter(its -> its.isLocalAt(pool))
                .findFirst();
    }

    @Override
    public synchronized Unplaced unplaced() {
        return placement.unplaced();
    }

    // --- Services ---

    private Stream<ServiceEntry> sortedServices() {
        return services.values().stream().sorted(ServiceEntry.BY_NAME);
    }

    private ServiceEntry service(ServiceName name) {
        return services.computeIfAbsent(name, its -> {
            Integer free = freeNumbers.poll();
            ServiceEntry service = new ServiceEntry(its, free == null ? numbered.size() : free);
            if (free == null) {
                numbered.add(service);
            } else {
                numbered.set(free, service);
            }
            return service;
        });
    }

    private void forgetIfEmpty(ServiceEntry service) {
        if (service.state == null && service.slices.isEmpty() && services.remove(service.name, service)) {
            numbered.set(service.number, null);
            freeNumbers.push(service.number);
        }
    }

    /** Applies a Service event. It may also decide on the family of a pool that other Services ask for. */
    private void setState(ServiceEntry service, @Nullable ServiceState state) {
        service.state = state;
        service.localPools().forEach(pool -> report(pool, pool.want().withPaused(service.isPaused())));
        placement.update(service).forEach(this::placePools);
    }

    /** Updates whether the Service is local in each family, from its spec and the places of the pools. */
    private void placePools(ServiceEntry service) {
        for (PoolEntry pool : service.pools) {
            PoolKey place = placement.place(pool);
            if (pool.isLocal() && !pool.want().pool().equals(place)) {
                leave(pool);
            }
            if (!pool.isLocal() && place != null) {
                join(pool, place);
            }
        }
    }

    private void join(PoolEntry pool, PoolKey place) {
        ServiceEntry service = pool.service;
        report(pool, Want.ofUnseen(service.name, place, service.isPaused()));
        if (service.slices.stream().anyMatch(slice -> slice.family() == pool.family)) {
            evaluate(
                    pool,
                    service.slices.stream()
                            .flatMap(slice -> slice.nodes(pool.family).stream())
                            .toList(),
                    new Look());
        }
    }

    private void leave(PoolEntry pool) {
        PoolKey place = pool.want().pool();
        pool.leave();
        waits.update(pool);
        listener.left(pool.service.name, place);
    }

    // --- slices ---

    /** Null for a slice without a Service. */
    private @Nullable SliceEntry entry(EndpointSliceState state) {
        ServiceName name = state.service();
        return name == null
                ? null
                : new SliceEntry(
                        state.name(),
                        service(name),
                        state.family().orElse(null),
                        state.nodeNames().stream().map(this::node).toList());
    }

    /** @param now null if the slice was deleted or has no Service */
    private void takeSlice(EndpointSliceState state, @Nullable SliceEntry now) {
        SliceEntry before = store(state, now);
        boolean changed = !Objects.equals(before, now);
        if (changed && now != null) {
            now.service().add(now);
        }
        if (changed && before != null) {
            before.service().slices.remove(before);
        }
        Set<ServiceEntry> concerned = new TreeSet<>(ServiceEntry.BY_NAME);
        if (before != null) {
            concerned.add(before.service());
        }
        if (state.service() != null && services.containsKey(state.service())) {
            concerned.add(service(state.service()));
        }
        List<NodeEntry> touched = new ArrayList<>(before == null ? List.of() : before.nodes());
        touched.addAll(now == null ? List.of() : now.nodes());
        for (ServiceEntry service : concerned) {
            Look look = new Look();
            sliceEvent(service, state, changed, touched, look);
            if (changed && before != null && before.service().equals(service)) {
                service.unnamed(before, look).forEach(this::forgetIfUnused);
            }
            forgetIfEmpty(service);
        }
        listener.eventEnded();
    }

    /** Returns the slice that was stored before. */
    private @Nullable SliceEntry store(EndpointSliceState state, @Nullable SliceEntry now) {
        Map<String, SliceEntry> its = slices.computeIfAbsent(state.namespace(), namespace -> new HashMap<>());
        SliceEntry before = now == null ? its.remove(state.name()) : its.put(state.name(), now);
        if (its.isEmpty()) {
            slices.remove(state.namespace());
        }
        return before;
    }

    /** A slice of this Service was added, changed, deleted or seen again. */
    private void sliceEvent(
            ServiceEntry service, EndpointSliceState slice, boolean changed, List<NodeEntry> touched, Look look) {
        service.localPools().forEach(pool -> {
            if (pool.isSeen() ? changed : pool.takes(slice)) {
                evaluate(pool, touched, look);
            }
            listener.touched(service.name, pool.want().pool());
        });
    }

    // --- nodes ---

    private @Nullable NodeEntry findNode(String name) {
        return nodes.get(name.toLowerCase(Locale.ROOT));
    }

    private NodeEntry node(String name) {
        NodeEntry known = nodes.get(name); // if the name is in lower case, as nearly all are
        return known != null ? known : nodes.computeIfAbsent(name.toLowerCase(Locale.ROOT), NodeEntry::new);
    }

    private void forgetIfUnused(NodeEntry node) {
        if (node.isForgettable()) {
            nodes.remove(node.name);
        }
    }

    /** @param state null if the node was deleted */
    private void takeNode(NodeEntry node, @Nullable NodeState state) {
        List<IpAddress> before = node.internalIps();
        boolean changed = node.update(state);
        List<IpAddress> now = node.internalIps();
        if (!before.equals(now)) {
            before.forEach(address -> nodesByAddress.remove(address, node));
            now.forEach(address -> nodesByAddress.put(address, node));
        }
        if (changed) {
            node.users.stream()
                    .mapToObj(numbered::get)
                    .flatMap(Stream::ofNullable)
                    .sorted(ServiceEntry.BY_NAME)
                    .flatMap(ServiceEntry::localPools)
                    .filter(PoolEntry::isSeen)
                    .forEach(pool -> evaluate(pool, List.of(node), new Look()));
        }
    }

    // --- what is wanted ---

    /**
     * Computes what the Service wants in the pool, and reports it if it changed.
     *
     * @param touched see {@link MissingNodes#look}
     */
    private void evaluate(PoolEntry pool, List<NodeEntry> touched, Look look) {
        Want now = pool.evaluated(touched, look, clock.instant());
        if (pool.waitChanged() && waits.update(pool)) {
            listener.waiting();
        }
        report(pool, now);
    }

    /** A set that was never complete is always reported, because it takes the spelling seen last. */
    private void report(PoolEntry pool, Want now) {
        Want before = pool.want;
        if (!now.adopted() || !now.equals(before)) {
            pool.want = now;
            listener.wants(before, now);
        }
    }
}

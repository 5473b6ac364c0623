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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

    private ClusterChanges listener = IGNORED;
    private final ServiceEntries services = new ServiceEntries();
    private final Placement placement = new Placement();
    private final NodeEntries nodes = new NodeEntries();
    private final Waits waits = new Waits();
    private final Map<SliceEntry.Key, SliceEntry> slices = new HashMap<>();
    private final InstantSource clock;

    /** Used until an engine listens. */
    private static final ClusterChanges IGNORED = new ClusterChanges() {
        @Override
        public void wants(@Nullable Want before, Want now) {}

        @Override
        public void touched(ServiceName service, PoolKey pool) {}

        @Override
        public void left(ServiceName service, PoolKey pool) {}
    };

    /** @param clock measures how long nodes have been missing; should not jump */
    public EndpointIndex(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized void listen(ClusterChanges newListener) {
        listener = newListener;
        for (Want want : wants()) {
            newListener.wants(null, want);
        }
    }

    @Override
    public synchronized void locate(Collection<PoolKey> pools) {
        placement.locate(pools);
        services.sorted().forEach(this::placePools);
        listener.eventEnded();
    }

    @Override
    public synchronized void serviceChanged(ServiceState state) {
        ServiceEntry service = services.of(state.name());
        setState(service, state);
        if (service.wantsPools()) {
            listener.edited(service.name);
        }
        listener.eventEnded();
    }

    @Override
    public synchronized void serviceDeleted(ServiceName name) {
        ServiceEntry service = services.find(name);
        if (service != null) {
            setState(service, null);
            services.forgetIfEmpty(service);
        }
        listener.eventEnded();
    }

    @Override
    public synchronized void sliceChanged(EndpointSliceState state) {
        takeSlice(state, entry(state));
    }

    @Override
    public synchronized void sliceDeleted(EndpointSliceState state) {
        takeSlice(state, null);
    }

    @Override
    public synchronized void nodeChanged(NodeState state) {
        takeNode(nodes.of(state.name()), state);
        listener.eventEnded();
    }

    @Override
    public synchronized void nodeDeleted(String name) {
        NodeEntry node = nodes.find(name);
        if (node != null) {
            takeNode(node, null);
            nodes.forgetIfUnused(node);
        }
        listener.eventEnded();
    }

    @Override
    public synchronized void nodesInStep(boolean inStep) {
        if (inStep) {
            waits.inStep(clock.instant());
            endWaits();
            listener.waiting();
        } else {
            waits.outOfStep();
        }
    }

    @Override
    public synchronized Optional<Instant> nextEnd() {
        return waits.nextEnd();
    }

    @Override
    public synchronized void endWaits() {
        Instant now = clock.instant();
        for (LocalPool local = waits.firstOver(now); local != null; local = waits.firstOver(now)) {
            local.giveUp(local.waitsSince);
            evaluate(local);
            listener.eventEnded();
        }
    }

    /** What every local Service wants in each of its pools, in order of their names. */
    public synchronized List<Want> wants() {
        return services.sorted().stream()
                .flatMap(service -> service.pools.values().stream())
                .map(local -> local.want)
                .toList();
    }

    /** The name of the node that has this address, if one does. */
    public synchronized Optional<String> nodeName(IpAddress address) {
        return nodes.find(address).map(NodeEntry::spelling);
    }

    /**
     * The addresses of this family that a node contributes to pools: none if it is excluded or deleted.
     *
     * @param node its name, case-insensitive
     * @return empty if the API server never reported that node, or it was deleted and no slice references it
     */
    public synchronized Optional<AddressSet> addressesOf(String node, IpFamily family) {
        return Optional.ofNullable(nodes.find(node))
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
        return find(service, pool).map(LocalPool::selected).orElse(AddressSet.empty());
    }

    /**
     * Reports one node for the Service in this pool; empty if the Service is not local with the pool. Cost is
     * proportional to the Service's endpoints.
     */
    public synchronized Optional<NodeReport> reportNode(ServiceName service, PoolKey pool, String node) {
        return find(service, pool).map(local -> {
            NodeEntry known = nodes.find(node);
            NodeEntry entry = known == null ? new NodeEntry(node) : known;
            List<String> naming = local.service.slices.stream()
                    .filter(slice -> slice.nodes(local.family).contains(entry))
                    .map(slice -> slice.key().name())
                    .sorted()
                    .toList();
            AddressSet addresses = AddressSet.of(entry.internalIps()).ofFamily(local.family);
            return new NodeReport(entry.presence(), entry.excludedBy(), addresses, naming);
        });
    }

    private Optional<LocalPool> find(ServiceName name, PoolKey pool) {
        return Optional.ofNullable(services.find(name))
                .map(service -> service.pools.get(IpFamily.of(name, pool)))
                .filter(local -> local.pool().equals(pool));
    }

    @Override
    public synchronized Unplaced unplaced() {
        return placement.unplaced();
    }

    /** Applies a Service event. It may also decide on the family of a pool that other Services ask for. */
    private void setState(ServiceEntry service, @Nullable ServiceState state) {
        service.state = state;
        service.pools.values().forEach(local -> report(local, local.want.withPaused(service.isPaused())));
        placement.update(service).forEach(this::placePools);
    }

    /** Updates whether the Service is local in each family, from its spec and the pool locations. */
    private void placePools(ServiceEntry service) {
        for (IpFamily family : IpFamily.values()) {
            Optional<PoolKey> place = placement.place(service, family);
            LocalPool local = service.pools.get(family);
            if (local != null && !place.equals(Optional.of(local.pool()))) {
                leave(local);
                local = null;
            }
            if (local == null && place.isPresent()) {
                join(new LocalPool(service, family, place.get()));
            }
        }
    }

    private void join(LocalPool local) {
        local.service.pools.put(local.family, local);
        listener.wants(null, local.want);
        evaluate(local);
    }

    private void leave(LocalPool local) {
        local.service.pools.remove(local.family);
        waits.remove(local);
        listener.left(local.service.name, local.pool());
    }

    /** Null for a slice without a Service. */
    private @Nullable SliceEntry entry(EndpointSliceState state) {
        ServiceName name = state.service();
        return name == null
                ? null
                : new SliceEntry(
                        SliceEntry.Key.of(state),
                        services.of(name),
                        state.family().orElse(null),
                        state.nodeNames().stream().map(nodes::of).toList());
    }

    /** @param now null if the slice was deleted or has no Service */
    private void takeSlice(EndpointSliceState state, @Nullable SliceEntry now) {
        SliceEntry.Key key = SliceEntry.Key.of(state);
        SliceEntry before = slices.get(key);
        boolean changed = !Objects.equals(before, now);
        if (changed) {
            replace(key, before, now);
        }
        ServiceName name = state.service();
        ServiceEntry service = name == null ? null : services.find(name);
        Set<ServiceEntry> concerned = new TreeSet<>(ServiceEntry.BY_NAME);
        if (before != null) {
            concerned.add(before.service());
        }
        if (service != null) {
            concerned.add(service);
            changed |= state.family()
                    .map(service.pools::get)
                    .filter(LocalPool::markSeen)
                    .isPresent();
        }
        for (ServiceEntry its : concerned) {
            sliceEvent(its, changed);
            services.forgetIfEmpty(its);
        }
        listener.eventEnded();
    }

    private void replace(SliceEntry.Key key, @Nullable SliceEntry before, @Nullable SliceEntry now) {
        if (now == null) {
            slices.remove(key);
        } else {
            now.service().slices.add(now);
            slices.put(now.key(), now);
            nodes.named(now);
        }
        if (before != null) {
            before.service().slices.remove(before);
            nodes.unnamed(before);
        }
    }

    /** A slice of this Service was added, changed, deleted or seen again. */
    private void sliceEvent(ServiceEntry service, boolean changed) {
        for (LocalPool local : service.pools.values()) {
            if (changed) {
                evaluate(local);
            }
            listener.touched(service.name, local.pool());
        }
    }

    /** @param state null if the node was deleted */
    private void takeNode(NodeEntry node, @Nullable NodeState state) {
        if (nodes.update(node, state)) {
            for (ServiceEntry service : services.usersOf(node)) {
                service.pools.values().forEach(this::evaluate);
            }
        }
    }

    /** Computes the Service's wanted addresses and reports them if they changed. */
    private void evaluate(LocalPool local) {
        if (local.sliceSeen) {
            Want now = local.evaluated(clock.instant());
            if (waits.update(local)) {
                listener.waiting();
            }
            report(local, now);
        }
    }

    /** A set that was never complete is always reported, because it takes the spelling seen last. */
    private void report(LocalPool local, Want now) {
        Want before = local.want;
        if (!now.adopted() || !now.equals(before)) {
            local.want = now;
            listener.wants(before, now);
        }
    }
}

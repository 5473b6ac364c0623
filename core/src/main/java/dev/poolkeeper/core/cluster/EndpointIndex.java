package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private final WantedAddresses wantedAddresses = new WantedAddresses();
    private final ServiceEntries services = new ServiceEntries();
    private final PoolClaims claims = new PoolClaims();
    private final NodeEntries nodes = new NodeEntries();
    private final NodeNames nodeNames = new NodeNames();
    private final Waits waits = new Waits();
    private final Map<SliceKey, SliceEntry> slices = new HashMap<>();
    private final LocalPools localPools = new LocalPools();
    private final Surveyor surveyor = new Surveyor(services, claims);
    private final InstantSource clock;
    private PoolLocations locations = PoolLocations.none();

    private record SliceKey(String namespace, String name) {}

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
    public synchronized void locate(PoolLocations newLocations) {
        locations = newLocations.after(locations, localPools::isUsed);
        for (ServiceEntry service : services.sorted()) {
            placePools(service);
        }
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
        takeSlice(state, false);
        listener.eventEnded();
    }

    @Override
    public synchronized void sliceDeleted(EndpointSliceState state) {
        takeSlice(state, true);
        listener.eventEnded();
    }

    @Override
    public synchronized void nodeChanged(NodeState state) {
        NodeEntry node = nodes.of(state.name());
        nodeNames.put(state);
        if (node.update(state)) {
            evaluateUsers(node);
        }
        listener.eventEnded();
    }

    @Override
    public synchronized void nodeDeleted(String name) {
        NodeEntry node = nodes.find(name);
        nodeNames.remove(name);
        if (node != null) {
            if (node.delete()) {
                evaluateUsers(node);
            }
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
            local.missing.giveUp(local.waitsSince);
            evaluate(services.of(local.service()), local);
            listener.eventEnded();
        }
    }

    /** What the local Services of this pool want in it. */
    public synchronized Wants wants(PoolKey pool) {
        return localPools.wants(pool);
    }

    /** What every local Service wants in each of its pools, in order of their names. */
    public synchronized List<Want> wants() {
        return services.sorted().stream()
                .flatMap(ServiceEntry::localPools)
                .map(local -> local.want)
                .toList();
    }

    /** The name of the node that has this address, if one does. */
    public synchronized Optional<String> nodeName(IpAddress address) {
        return nodeNames.find(address);
    }

    /**
     * The addresses of this family that a node contributes to pools: none if it is excluded or deleted.
     *
     * @param node its name, case-insensitive
     * @return empty if the API server never reported that node, or it was deleted and no slice references it
     */
    public synchronized Optional<AddressSet> addressesOf(String node, IpFamily family) {
        NodeEntry entry = nodes.find(node);
        return entry == null || !entry.isSeen()
                ? Optional.empty()
                : Optional.of(AddressSet.of(List.of(entry.addresses(family))));
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
        LocalPool local = localPools.find(service, pool);
        return local == null
                ? AddressSet.empty()
                : wantedAddresses.of(services.of(service), local.family).addresses();
    }

    /**
     * Reports one node for the Service in this pool; empty if the Service is not local with the pool. Cost is
     * proportional to the number of slices.
     */
    public synchronized Optional<NodeReport> reportNode(ServiceName service, PoolKey pool, String node) {
        LocalPool local = localPools.find(service, pool);
        if (local == null) {
            return Optional.empty();
        }
        NodeEntry found = nodes.find(node);
        NodeEntry entry = found == null ? new NodeEntry(node) : found;
        List<String> naming = slices.entrySet().stream()
                .filter(slice -> slice.getValue().isOf(service, local.family)
                        && slice.getValue().names(entry))
                .map(slice -> slice.getKey().name())
                .sorted()
                .toList();
        return Optional.of(new NodeReport(
                entry.presence(),
                Optional.ofNullable(entry.excludedBy()),
                nodeNames.addresses(node, local.family),
                naming));
    }

    @Override
    public synchronized Unplaced unplaced() {
        return surveyor.unplaced(locations);
    }

    /** Applies a Service event. It may also decide on the family of a pool that other Services ask for. */
    private void setState(ServiceEntry service, @Nullable ServiceState state) {
        SortedMap<ServiceName, ServiceEntry> concerned = new TreeMap<>();
        concerned.put(service.name, service);
        claims.besides(service).forEach(claim -> concerned.put(claim.service().name, claim.service()));
        service.setState(state);
        service.localPools().forEach(local -> report(local, local.want.withPaused(service.isPaused())));
        claims.update(service);
        concerned.values().forEach(this::placePools);
    }

    /** Updates whether the Service is local in each family, from its spec and the pool locations. */
    private void placePools(ServiceEntry service) {
        for (IpFamily family : IpFamily.values()) {
            Optional<PoolKey> place = place(service, family);
            LocalPool local = service.pool(family);
            if (local != null && !place.equals(Optional.of(local.pool()))) {
                leave(service, local);
                local = null;
            }
            if (local == null && place.isPresent()) {
                evaluate(service, join(service, family, place.get()));
            }
        }
    }

    private Optional<PoolKey> place(ServiceEntry service, IpFamily family) {
        if (!service.asksFor(family)) {
            return Optional.empty();
        }
        ArmName pool = family.poolName(service.name);
        return claims.first(pool).filter(first -> first.family() == family).flatMap(first -> locations.find(pool));
    }

    private LocalPool join(ServiceEntry service, IpFamily family, PoolKey pool) {
        LocalPool local =
                new LocalPool(family, service.hasSlice(family), Want.ofUnseen(service.name, pool, service.isPaused()));
        service.setPool(family, local);
        localPools.add(local);
        listener.wants(null, local.want);
        return local;
    }

    private void leave(ServiceEntry service, LocalPool local) {
        service.setPool(local.family, null);
        localPools.remove(local);
        waits.remove(local);
        listener.left(service.name, local.pool());
    }

    private void takeSlice(EndpointSliceState state, boolean deleted) {
        SliceKey key = new SliceKey(state.namespace(), state.name());
        SliceEntry before = slices.get(key);
        ServiceName name = state.service();
        ServiceEntry service = name == null ? null : deleted ? services.find(name) : services.of(name);
        IpFamily family = family(state.addressType());

        SliceEntry now = service == null || deleted ? null : new SliceEntry(service, family, nodesOf(state, service));
        boolean changed = before == null || now == null ? before != now : !before.hasSameContentAs(now);
        if (changed) {
            replace(key, before, now);
        }
        boolean firstSight = service != null && family != null && markSeen(service.pool(family));
        ServiceEntry owner = before == null ? null : before.service;
        if (owner != null && owner != service && service != null && service.name.compareTo(owner.name) < 0) {
            sliceEvent(service, changed || firstSight);
            sliceEvent(owner, changed);
        } else {
            sliceEvent(owner == service ? null : owner, changed);
            sliceEvent(service, changed || firstSight);
        }
        if (owner != null) {
            services.forgetIfEmpty(owner);
        }
    }

    private static boolean markSeen(@Nullable LocalPool local) {
        if (local == null || local.sliceSeen) {
            return false;
        }
        local.sliceSeen = true;
        return true;
    }

    private void replace(SliceKey key, @Nullable SliceEntry before, @Nullable SliceEntry now) {
        if (now == null) {
            slices.remove(key);
        } else {
            now.service.slices.add(now);
            slices.put(key, now);
            nodes.named(now.nodes);
        }
        if (before != null) {
            before.service.slices.remove(before);
            nodes.unnamed(before.nodes);
        }
    }

    /** A slice of this Service was added, changed, deleted or seen again. */
    private void sliceEvent(@Nullable ServiceEntry service, boolean changed) {
        if (service == null) {
            return;
        }
        for (LocalPool local : service.localPools().toList()) {
            if (changed) {
                evaluate(service, local);
            }
            listener.touched(local.service(), local.pool());
        }
    }

    private void evaluateUsers(NodeEntry node) {
        for (ServiceEntry service : services.usersOf(node)) {
            service.localPools().forEach(local -> evaluate(service, local));
        }
    }

    /** Computes the Service's wanted addresses and reports them if they changed. */
    private void evaluate(ServiceEntry service, LocalPool local) {
        if (!local.sliceSeen) {
            return;
        }
        WantedAddresses.Result known = wantedAddresses.of(service, local.family);
        local.missing.update(known.missing(), clock.instant());
        if (waits.update(local)) {
            listener.waiting();
        }
        report(local, local.want.evaluated(known.addresses(), local.missing.isOver()));
    }

    /** A set that was never complete is always reported, because it takes the spelling seen last. */
    private void report(LocalPool local, Want now) {
        Want before = local.want;
        if (!now.adopted() || !now.equals(before)) {
            local.want = now;
            listener.wants(before, now);
        }
    }

    private NodeEntry[] nodesOf(EndpointSliceState state, ServiceEntry service) {
        return wantedAddresses.distinct(
                state.nodeNames().stream().map(nodes::of).toArray(NodeEntry[]::new), service);
    }

    private static @Nullable IpFamily family(String addressType) {
        return switch (addressType) {
            case "IPv4" -> IpFamily.IPV4;
            case "IPv6" -> IpFamily.IPV6;
            default -> null;
        };
    }
}

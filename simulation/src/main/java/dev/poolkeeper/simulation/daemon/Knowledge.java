package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.Sighting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a process can know: the newest version of every object that the API server sent it and the latest listing of the
 * load balancers, and the desired state that follows, computed in the simplest way. Shares no code with the
 * implementation under test.
 */
public final class Knowledge {

    /** A Service in one family. */
    private record Share(ServiceName service, IpFamily family) {}

    /** The addresses that a Service wants in one family, and since when. */
    private static final class Wanted {
        final Map<IpAddress, Long> since = new TreeMap<>();
        final Map<IpAddress, Long> lastWanted = new HashMap<>();

        /** For how long it was wanted before it left for the last time. */
        final Map<IpAddress, Long> lastLength = new HashMap<>();

        /** Addresses that left while a node was unknown, and since when they had been wanted. */
        final Map<IpAddress, Long> kept = new HashMap<>();

        long lastSliceChange = -1;
        boolean complete;

        /** When it last became complete, or ceased to be. */
        long completenessChanged = -1;

        /** Whether nothing has been wanted since the set was complete and empty: unknown nodes add nothing to it. */
        boolean empty;
    }

    private final LongSupplier now;
    private final Map<Kind, TreeMap<String, Sighting>> objects = new EnumMap<>(Kind.class);

    /** The slices among them, by their Services. */
    private final Map<ServiceName, Map<String, Sighting>> slicesOf = new HashMap<>();

    private final Map<Kind, Map<String, Long>> deletions = new EnumMap<>(Kind.class);
    private final Set<Kind> listed = new HashSet<>();
    private final Set<String> nodesSpokenOf = new HashSet<>();

    /** The addresses that each known node adds to pools. */
    private final Map<String, List<IpAddress>> addressesOfNodes = new HashMap<>();

    private final Map<Share, Wanted> wanted = new HashMap<>();
    private final Map<Share, Long> sliceEvents = new HashMap<>();
    private final Map<PoolKey, Long> lastEmpty = new HashMap<>();
    private List<PoolKey> located = List.of();
    private final Map<ArmName, List<PoolKey>> places = new HashMap<>();
    private final Map<PoolKey, Set<Share>> users = new HashMap<>();
    private final Map<PoolKey, Long> usersSince = new HashMap<>();
    private final Map<PoolKey, Long> usedUntil = new HashMap<>();

    /** The keys of the users. */
    private Set<PoolKey> usedPools = Set.of();

    /** Answers of {@link #wantedIn} that are still true. */
    private final Map<PoolKey, AddressSet> wantedIn = new HashMap<>();

    public Knowledge(LongSupplier now) {
        this.now = now;
        for (Kind kind : Kind.values()) {
            objects.put(kind, new TreeMap<>());
            deletions.put(kind, new HashMap<>());
        }
    }

    private TreeMap<String, Sighting> all(Kind kind) {
        return Objects.requireNonNull(objects.get(kind));
    }

    private Map<String, Long> deletions(Kind kind) {
        return Objects.requireNonNull(deletions.get(kind));
    }

    void seen(Sighting sighting) {
        Sighting before = all(sighting.kind()).get(sighting.key());
        long newest = Math.max(
                before == null ? 0 : before.version(),
                deletions(sighting.kind()).getOrDefault(sighting.key(), 0L));
        if (sighting.version() <= newest) {
            return; // repeated
        }
        if (sighting.deleted()) {
            gone(sighting.kind(), sighting.key(), sighting.version());
            return;
        }
        if (before != null && !before.uid().equals(sighting.uid())) { // deleted and created again in a gap
            gone(sighting.kind(), sighting.key(), before.version());
            before = null;
        }
        all(sighting.kind()).put(sighting.key(), sighting);
        changed(sighting.kind(), before, sighting);
    }

    private void gone(Kind kind, String key, long version) {
        deletions(kind).put(key, version);
        Sighting before = all(kind).remove(key);
        if (before != null) {
            changed(kind, before, null);
        }
    }

    void listed(Kind kind, Set<String> keys) {
        listed.add(kind);
        for (Sighting known : List.copyOf(all(kind).values())) {
            if (!keys.contains(known.key())) {
                gone(kind, known.key(), known.version());
            }
        }
        noteEmpty();
    }

    /** Whether all kinds were listed at least once. */
    public boolean hasSynced() {
        return listed.size() == Kind.values().length;
    }

    void located(List<PoolKey> pools) {
        if (pools.equals(located)) {
            noteEmpty();
            return;
        }
        located = pools;
        places.clear();
        pools.forEach(pool ->
                places.computeIfAbsent(pool.pool(), name -> new ArrayList<>()).add(pool));
        workOutUsers();
    }

    private void changed(Kind kind, @Nullable Sighting before, @Nullable Sighting after) {
        switch (kind) {
            case SERVICE -> workOutUsers();
            case NODE -> nodeChanged(before, after);
            case SLICE -> sliceChanged(before, after);
        }
    }

    private void nodeChanged(@Nullable Sighting before, @Nullable Sighting after) {
        boolean isNew = after != null && nodesSpokenOf.add(after.key().toLowerCase(Locale.ROOT));
        List<IpAddress> had = before == null ? List.of() : addressesOf(before.node());
        List<IpAddress> has = after == null ? List.of() : addressesOf(after.node());
        if (after != null) {
            addressesOfNodes.put(after.key(), has);
        } else if (before != null) {
            addressesOfNodes.remove(before.key());
        }
        if (isNew || !has.equals(had)) {
            slicesOf.keySet().forEach(this::workOut);
            noteEmpty();
        }
    }

    private void sliceChanged(@Nullable Sighting before, @Nullable Sighting after) {
        ServiceName left = before == null ? null : before.slice().service();
        ServiceName joined = after == null ? null : after.slice().service();
        if (before != null && left != null) {
            slices(left).remove(before.key());
        }
        if (after != null && joined != null) {
            slicesOf.computeIfAbsent(joined, service -> new TreeMap<>()).put(after.key(), after);
        }
        if (after != null && joined != null) {
            noteSliceEvent(joined, after.slice());
        }
        boolean hasNews = false;
        if (left != null) {
            hasNews = workOut(left);
            noteSliceChange(left);
        }
        if (joined != null && !Objects.equals(joined, left)) {
            hasNews |= workOut(joined);
            noteSliceChange(joined);
        }
        if (hasNews) {
            noteEmpty();
        }
    }

    private Set<Share> sharesOf(PoolKey pool) {
        return users.getOrDefault(pool, Set.of());
    }

    private Stream<Wanted> wantedBy(PoolKey pool) {
        return sharesOf(pool).stream().map(wanted::get).filter(Objects::nonNull);
    }

    private Map<String, Sighting> slices(ServiceName service) {
        return slicesOf.getOrDefault(service, Map.of());
    }

    /**
     * When the last event of an EndpointSlice of this pool's family arrived, even if it changed nothing; -1 for none.
     */
    public long lastSliceEvent(PoolKey pool) {
        return sharesOf(pool).stream()
                .mapToLong(share -> sliceEvents.getOrDefault(share, -1L))
                .max()
                .orElse(-1);
    }

    private void noteSliceEvent(ServiceName service, EndpointSliceState slice) {
        for (IpFamily family : IpFamily.values()) {
            Share share = new Share(service, family);
            if (isOf(share, slice)) {
                sliceEvents.put(share, now.getAsLong());
            }
        }
    }

    private void noteSliceChange(ServiceName service) {
        for (IpFamily family : IpFamily.values()) {
            wanted.computeIfAbsent(new Share(service, family), key -> new Wanted()).lastSliceChange = now.getAsLong();
        }
    }

    /** When an EndpointSlice of a Service of this pool last changed; -1 for never. */
    public long lastSliceChange(PoolKey pool) {
        return wantedBy(pool).mapToLong(state -> state.lastSliceChange).max().orElse(-1);
    }

    /** Returns whether the Service now wants other addresses, or whether all of them are known now. */
    private boolean workOut(ServiceName service) {
        boolean hasNews = false;
        for (IpFamily family : IpFamily.values()) {
            Share share = new Share(service, family);
            Wanted state = wanted.computeIfAbsent(share, key -> new Wanted());
            Set<IpAddress> addresses = new TreeSet<>();
            boolean complete = collect(share, addresses);
            // of several events of one instant, a later one may have reached the process before the node was missing
            boolean keeps = !complete && (state.complete || state.completenessChanged < now.getAsLong());
            if (complete != state.complete) {
                hasNews = true;
                state.complete = complete;
                state.completenessChanged = now.getAsLong();
            }
            state.empty = addresses.isEmpty() && (complete || state.empty);
            if (!state.since.keySet().equals(addresses)) {
                hasNews = true;
                change(state, addresses, keeps);
                wantedIn.keySet().removeIf(pool -> uses(share, pool));
            }
            if (complete) {
                state.kept.clear();
            }
        }
        return hasNews;
    }

    private void change(Wanted state, Set<IpAddress> addresses, boolean keeps) {
        long at = now.getAsLong();
        state.since.entrySet().removeIf(entry -> {
            boolean leaves = !addresses.contains(entry.getKey());
            if (leaves) {
                state.lastWanted.put(entry.getKey(), at);
                state.lastLength.put(entry.getKey(), at - entry.getValue());
                if (keeps) {
                    state.kept.put(entry.getKey(), entry.getValue());
                }
            }
            return leaves;
        });
        for (IpAddress address : addresses) {
            Long kept = state.kept.remove(address);
            state.since.putIfAbsent(address, kept == null ? at : kept);
        }
    }

    private boolean uses(Share share, PoolKey pool) {
        return sharesOf(pool).contains(share);
    }

    /** Returns whether a slice exists and every node that it names is known. */
    private boolean collect(Share share, Set<IpAddress> addresses) {
        boolean complete = true;
        for (Sighting sighting : slices(share.service()).values()) {
            EndpointSliceState slice = sighting.slice();
            if (!isOf(share, slice)) {
                continue;
            }
            for (String name : slice.nodeNames()) {
                complete &= nodesSpokenOf.contains(name.toLowerCase(Locale.ROOT));
                addresses.addAll(addressesOf(name, share.family()));
            }
        }
        return complete;
    }

    /** The addresses that a node adds to pools of a family. */
    public static List<IpAddress> addressesOf(NodeState node, IpFamily family) {
        return of(family, addressesOf(node));
    }

    private static List<IpAddress> of(IpFamily family, List<IpAddress> addresses) {
        List<IpAddress> found = new ArrayList<>(addresses.size());
        for (IpAddress address : addresses) {
            if (address.family() == family) {
                found.add(address);
            }
        }
        return found;
    }

    private static List<IpAddress> addressesOf(NodeState node) {
        boolean excluded = node.labels().entrySet().stream()
                .anyMatch(label -> !label.getKey().equals(NodeState.MANAGED)
                        || label.getValue().equalsIgnoreCase("false"));
        if (excluded) {
            return List.of();
        }
        return node.internalIps().stream()
                .flatMap(text -> IpAddress.parse(text).stream())
                .toList();
    }

    private void workOutUsers() {
        Map<PoolKey, Set<Share>> before = Map.copyOf(users);
        users.clear();
        for (Sighting sighting : all(Kind.SERVICE).values()) {
            for (IpFamily family : IpFamily.values()) {
                List<PoolKey> found =
                        places.getOrDefault(family.poolName(sighting.service().name()), List.of());
                if (asksFor(sighting.service(), family) && found.size() == 1) {
                    users.computeIfAbsent(found.get(0), key -> new HashSet<>())
                            .add(new Share(sighting.service().name(), family));
                }
            }
        }
        users.forEach((pool, shares) -> {
            if (!shares.equals(before.get(pool))) {
                usersSince.put(pool, now.getAsLong());
            }
        });
        before.keySet().stream()
                .filter(pool -> !users.containsKey(pool))
                .forEach(pool -> usedUntil.put(pool, now.getAsLong()));
        usedPools = Collections.unmodifiableSet(new LinkedHashSet<>(users.keySet()));
        wantedIn.clear();
        noteEmpty();
    }

    /** The pools that belong to Services. */
    public Set<PoolKey> usedPools() {
        return usedPools;
    }

    /** The pools of the local Services with a slice that lists this Pod, in the family of that slice. */
    public Set<PoolKey> poolsListing(String podUid) {
        Set<PoolKey> pools = new HashSet<>();
        for (Sighting sighting : all(Kind.SLICE).values()) {
            ServiceName service = sighting.slice().service();
            if (service != null && sighting.slice().podUids().contains(podUid)) {
                boolean four = sighting.slice().addressType().equals("IPv4");
                Share share = new Share(service, four ? IpFamily.IPV4 : IpFamily.IPV6);
                users.forEach((pool, shares) -> {
                    if (shares.contains(share)) {
                        pools.add(pool);
                    }
                });
            }
        }
        return pools;
    }

    /** The addresses that a node adds to pools of a family. */
    public List<IpAddress> addressesOf(String node, IpFamily family) {
        return of(family, addressesOfNodes.getOrDefault(node, List.of()));
    }

    /** The Services that use these pools. */
    public Set<ServiceName> servicesOf(Set<PoolKey> pools) {
        Set<ServiceName> services = new HashSet<>();
        for (PoolKey pool : pools) {
            sharesOf(pool).forEach(share -> services.add(share.service()));
        }
        return services;
    }

    /** Whether exactly one Service, in one family, uses this pool. */
    public boolean isOfOneService(PoolKey pool) {
        return sharesOf(pool).size() == 1;
    }

    /** Whether a Service of this pool has no EndpointSlice of its family. */
    public boolean lacksSlice(PoolKey pool) {
        return sharesOf(pool).stream()
                .anyMatch(share ->
                        slices(share.service()).values().stream().noneMatch(slice -> isOf(share, slice.slice())));
    }

    /** @param slice of the same Service */
    private static boolean isOf(Share share, EndpointSliceState slice) {
        return slice.addressType().equals(share.family() == IpFamily.IPV4 ? "IPv4" : "IPv6");
    }

    /** Whether all Services of this pool are paused by annotation. */
    public boolean isPaused(PoolKey pool) {
        Set<Share> shares = sharesOf(pool);
        return !shares.isEmpty()
                && shares.stream()
                        .map(share -> all(Kind.SERVICE).get(share.service().toString()))
                        .allMatch(
                                service -> service != null && service.service().paused());
    }

    /** Whether any Service of this pool is paused by annotation. */
    public boolean isPausedInPart(PoolKey pool) {
        return sharesOf(pool).stream()
                .map(share -> all(Kind.SERVICE).get(share.service().toString()))
                .anyMatch(service -> service != null && service.service().paused());
    }

    /** Since when the pool has had its current Services; a Service that was created again is another; -1 for never. */
    public long usersSince(PoolKey pool) {
        return usersSince.getOrDefault(pool, -1L);
    }

    /** Whether a Service requires a local pool in this family. */
    public static boolean asksFor(ServiceState service, IpFamily family) {
        List<String> families = service.ipFamilies().isEmpty() ? List.of("IPv4") : service.ipFamilies();
        return "LoadBalancer".equals(service.type())
                && "Local".equals(service.externalTrafficPolicy())
                && families.contains(family == IpFamily.IPV4 ? "IPv4" : "IPv6");
    }

    private void noteEmpty() {
        users.keySet().forEach(pool -> lastEmpty.putIfAbsent(pool, -1L));
        lastEmpty.replaceAll((pool, last) ->
                isEmptyNow(pool) || isStillEmpty(pool, last) ? Long.MAX_VALUE : Math.min(last, now.getAsLong()));
    }

    /** Nodes that are not known yet add nothing to a pool that was to be empty. */
    private boolean isStillEmpty(PoolKey pool, long last) {
        return last == Long.MAX_VALUE && isUsed(pool) && wantedIn(pool).isEmpty();
    }

    private boolean isEmptyNow(PoolKey pool) {
        Set<Share> shares = users.get(pool);
        if (shares == null) {
            return false;
        }
        for (Share share : shares) {
            if (!isEmptyForSure(wanted.get(share))) {
                return false;
            }
        }
        return true;
    }

    private boolean isEmptyForSure(@Nullable Wanted state) {
        return hasSynced() && (state == null || state.empty);
    }

    /**
     * Until when nothing was wanted in this pool, after it was certainly desired to be empty; {@link Long#MAX_VALUE}
     * for now, -1 for never.
     */
    public long lastEmpty(PoolKey pool) {
        return lastEmpty.getOrDefault(pool, -1L);
    }

    /** Whether a local Service uses this pool. */
    public boolean isUsed(PoolKey pool) {
        return users.containsKey(pool);
    }

    /** When a local Service last used this pool; {@link Long#MAX_VALUE} for now, -1 for never. */
    public long lastUsed(PoolKey pool) {
        return isUsed(pool) ? Long.MAX_VALUE : usedUntil.getOrDefault(pool, -1L);
    }

    public boolean isLocal(ServiceName service, PoolKey pool) {
        return sharesOf(pool).stream().anyMatch(share -> share.service().equals(service));
    }

    /** Whether no desired address of this pool is missing because of an unknown node. */
    public boolean isComplete(PoolKey pool) {
        return sharesOf(pool).stream().allMatch(share -> {
            Wanted state = wanted.get(share);
            return state != null && state.complete;
        });
    }

    /** When all nodes of a Service of this pool last became known, or one of them unknown; -1 for never. */
    public long completenessChanged(PoolKey pool) {
        return wantedBy(pool)
                .mapToLong(state -> state.completenessChanged)
                .max()
                .orElse(-1);
    }

    public AddressSet wantedIn(PoolKey pool) {
        return wantedIn.computeIfAbsent(pool, this::workOutWanted);
    }

    private AddressSet workOutWanted(PoolKey pool) {
        Set<IpAddress> all = new TreeSet<>();
        for (Share share : sharesOf(pool)) {
            Wanted state = wanted.get(share);
            if (state != null) {
                all.addAll(state.since.keySet());
            }
        }
        return AddressSet.of(all);
    }

    /**
     * Since when the address has been wanted in this pool without interruption; {@link Long#MAX_VALUE} if it is not
     * wanted.
     */
    public long wantedSince(PoolKey pool, IpAddress address) {
        long since = Long.MAX_VALUE;
        for (Share share : sharesOf(pool)) {
            Wanted state = wanted.get(share);
            if (state != null) {
                since = Math.min(since, state.since.getOrDefault(address, Long.MAX_VALUE));
            }
        }
        return since;
    }

    /**
     * Since when the address has been wanted in this pool, or left it while a node was unknown, without interruption;
     * {@link Long#MAX_VALUE} if neither is the case.
     */
    public long keptSince(PoolKey pool, IpAddress address) {
        long kept = wantedBy(pool)
                .mapToLong(state -> state.kept.getOrDefault(address, Long.MAX_VALUE))
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.min(kept, wantedSince(pool, address));
    }

    /** When an address was last added to what a Service wants in this pool's family; -1 for never. */
    public long lastAddition(ServiceName service, PoolKey pool) {
        return sharesOf(pool).stream()
                .filter(share -> share.service().equals(service))
                .map(wanted::get)
                .filter(Objects::nonNull)
                .flatMap(state -> state.since.values().stream())
                .max(Long::compare)
                .orElse(-1L);
    }

    /** For how long the address was wanted in this pool before it left for the last time; 0 for never. */
    public long lastWantedFor(PoolKey pool, IpAddress address) {
        return wantedBy(pool)
                .mapToLong(state -> state.lastLength.getOrDefault(address, 0L))
                .max()
                .orElse(0);
    }

    /** When an address last ceased to be wanted in this pool; -1 for never. */
    public long lastUnwanted(PoolKey pool) {
        return wantedBy(pool)
                .flatMap(state -> state.lastWanted.values().stream())
                .max(Long::compare)
                .orElse(-1L);
    }

    /** When the address was last wanted in this pool; {@link Long#MAX_VALUE} for now, -1 for never. */
    public long lastWanted(PoolKey pool, IpAddress address) {
        long last = -1;
        for (Share share : sharesOf(pool)) {
            Wanted state = wanted.get(share);
            if (state != null) {
                last = Math.max(
                        last,
                        state.since.containsKey(address)
                                ? Long.MAX_VALUE
                                : state.lastWanted.getOrDefault(address, -1L));
            }
        }
        return last;
    }
}

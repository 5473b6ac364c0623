package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a process can know: the newest version of every object that the API server sent it and the latest listing of the
 * load balancers, and the desired state that follows, computed in the simplest way. Shares no code with the
 * implementation under test.
 */
public final class Knowledge {

    private final Timeline timeline;
    private final Machine machine;
    private final Map<Kind, TreeMap<String, Sighting>> objects = new EnumMap<>(Kind.class);

    /** The slices among them, by their Services. */
    private final Map<ServiceName, Map<String, Sighting>> slicesOf = new HashMap<>();

    private final Map<Kind, Map<String, Long>> deletions = new EnumMap<>(Kind.class);
    private final Set<Kind> listed = new HashSet<>();
    private final KnownNodes nodes;
    private final Map<Share, WantedSet> wanted = new HashMap<>();
    private final Map<PoolKey, Long> lastEmpty = new HashMap<>();
    private long lastNoneWanted = -1;
    private List<PoolKey> located = List.of();
    private final Map<ArmName, List<PoolKey>> places = new HashMap<>();

    /** Ambiguous names whose pools no one used when the load balancers were listed. */
    private final Set<ArmName> doubtful = new HashSet<>();

    /** Where the pool of each name was that was used when the load balancers were listed. */
    private final Map<ArmName, PoolKey> maintained = new HashMap<>();

    /** When the watch of the nodes last ended or was begun. */
    private long nodesInStepSince = -1;

    private final Map<PoolKey, Set<Share>> users = new HashMap<>();
    private final Map<PoolKey, Long> usersSince = new HashMap<>();
    private final Map<PoolKey, Long> usedUntil = new HashMap<>();

    /** The keys of the users. */
    private Set<PoolKey> usedPools = Set.of();

    /** Answers of {@link #wantedIn} that are still true. */
    private final Map<PoolKey, AddressSet> wantedIn = new HashMap<>();

    Knowledge(Timeline timeline, Machine machine) {
        this.timeline = timeline;
        this.machine = machine;
        this.nodes = new KnownNodes(timeline::now);
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
        users.keySet().forEach(pool -> maintained.put(pool.pool(), pool));
        maintained.values().retainAll(pools); // a listing without the pool makes the process forget it
        if (pools.equals(located)
                && doubtful.isEmpty()
                && places.values().stream().allMatch(found -> found.size() == 1)) {
            noteEmpty();
            return;
        }
        located = pools;
        places.clear();
        pools.forEach(pool ->
                places.computeIfAbsent(pool.pool(), name -> new ArrayList<>()).add(pool));
        doubtful.retainAll(places.keySet());
        places.forEach((name, found) -> {
            if (found.size() == 1) {
                doubtful.remove(name);
            } else if (found.stream().noneMatch(users::containsKey)) {
                doubtful.add(name);
            }
        });
        workOutUsers();
    }

    private long now() {
        return timeline.now();
    }

    private WantedSet of(Share share) {
        return wanted.computeIfAbsent(share, key -> new WantedSet());
    }

    private void changed(Kind kind, @Nullable Sighting before, @Nullable Sighting after) {
        switch (kind) {
            case SERVICE -> serviceChanged(before, after);
            case NODE -> nodeChanged(before, after);
            case SLICE -> sliceChanged(before, after);
        }
    }

    private void serviceChanged(@Nullable Sighting before, @Nullable Sighting after) {
        if (after != null) {
            boolean wasPaused = before != null && before.service().paused();
            for (IpFamily family : IpFamily.values()) {
                WantedSet set = of(new Share(after.service().name(), family));
                if (after.service().paused() && !wasPaused) {
                    boolean hasKept = !set.kept.isEmpty();
                    settle(set);
                    set.pause(before != null, hasKept, now());
                } else if (!after.service().paused()) {
                    set.resume(now());
                }
            }
        }
        workOutUsers();
    }

    private void nodeChanged(@Nullable Sighting before, @Nullable Sighting after) {
        boolean isNews = after != null ? nodes.is(after.node()) : before != null && nodes.isGone(before.key());
        if (isNews) {
            slicesOf.keySet().forEach(this::workOut);
            noteEmpty();
        }
    }

    private void sliceChanged(@Nullable Sighting before, @Nullable Sighting after) {
        ServiceName left = before == null ? null : before.slice().service();
        ServiceName joined = after == null ? null : after.slice().service();
        nodes.named(
                after == null || joined == null ? Set.of() : KnownNodes.names(after.slice()),
                before == null || left == null ? Set.of() : KnownNodes.names(before.slice()));
        if (after != null && joined != null) {
            noteSliceEvent(joined, after.slice());
        }
        if (before != null && left != null) {
            slices(left).remove(before.key());
            noteSliceEvent(left, before.slice());
        }
        if (after != null && joined != null) {
            slicesOf.computeIfAbsent(joined, service -> new TreeMap<>()).put(after.key(), after);
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

    private Stream<WantedSet> wantedBy(PoolKey pool) {
        return sharesOf(pool).stream().map(wanted::get).filter(Objects::nonNull);
    }

    private Map<String, Sighting> slices(ServiceName service) {
        return slicesOf.getOrDefault(service, Map.of());
    }

    /**
     * When the last event of an EndpointSlice of this pool's family arrived, even if it changed nothing; -1 for none.
     */
    public long lastSliceEvent(PoolKey pool) {
        return wantedBy(pool).mapToLong(state -> state.lastSliceEvent).max().orElse(-1);
    }

    private void noteSliceEvent(ServiceName service, EndpointSliceState slice) {
        for (IpFamily family : IpFamily.values()) {
            Share share = new Share(service, family);
            if (share.isListedBy(slice)) {
                of(share).lastSliceEvent = now();
                of(share).isSliceSeen = true;
            }
        }
    }

    private void noteSliceChange(ServiceName service) {
        for (IpFamily family : IpFamily.values()) {
            of(new Share(service, family)).lastSliceChange = now();
        }
    }

    /** When an EndpointSlice of a Service of this pool last changed; -1 for never. */
    public long lastSliceChange(PoolKey pool) {
        return wantedBy(pool).mapToLong(state -> state.lastSliceChange).max().orElse(-1);
    }

    /** Returns whether the Service now wants other addresses, or whether all of them may be known now. */
    private boolean workOut(ServiceName service) {
        boolean hasNews = false;
        for (IpFamily family : IpFamily.values()) {
            Share share = new Share(service, family);
            WantedSet state = of(share);
            settle(state);
            Set<IpAddress> addresses = new TreeSet<>();
            collect(share, addresses);
            boolean complete = state.missing.values().stream().allMatch(this::mayBeOver);
            // of several events of one instant, a later one may have reached the process before the node was missing
            boolean keeps = !complete && (state.complete || state.completenessChanged < now());
            hasNews |= complete != state.complete;
            state.empty = addresses.isEmpty() && (complete || state.empty);
            boolean isSure = state.missing.values().stream().allMatch(this::isOverForSure);
            boolean isSettled = isSure && state.completenessChanged < now();
            if (!state.since.keySet().equals(addresses)) {
                hasNews = true;
                state.change(addresses, keeps, !isSure, now());
                wantedIn.keySet().removeIf(pool -> uses(share, pool));
            }
            // what was kept until now and is wanted again never left
            is(state, complete);
            if (isSettled) {
                state.mayBeKept.clear();
            }
        }
        return hasNews;
    }

    private void is(WantedSet state, boolean complete) {
        if (complete != state.complete) {
            state.complete = complete;
            state.completenessChanged = now();
            if (!complete) {
                state.becomesIncomplete(now());
            }
        }
        if (complete) {
            state.keepsNothing(now());
            state.wasComplete |= state.isSliceSeen;
        }
    }

    /** Time has passed: nodes that were missing for long enough do not exist. */
    private void settle(WantedSet state) {
        if (!state.complete && state.missing.values().stream().allMatch(this::mayBeOver)) {
            is(state, true);
            state.empty = state.since.isEmpty();
        }
    }

    /** Whether the process may take the node for one that does not exist. */
    private boolean mayBeOver(WantedSet.Missing missing) {
        return missing.inDoubt()
                || machine.clock().nanoTime() - missing.clock() >= WantedSet.MISSING
                || machine.wasOutOfStepSince(missing.at());
    }

    private boolean isOverForSure(WantedSet.Missing missing) {
        return now() - Math.max(missing.at(), nodesInStepSince) >= WantedSet.MISSING_FOR_SURE
                && !machine.wasOutOfStepSince(now() - WantedSet.MISSING_FOR_SURE);
    }

    /** The watch of the nodes ended, or was begun: nodes that are missing start missing again. */
    void nodesOutOfStep() {
        nodesInStepSince = now();
    }

    private boolean uses(Share share, PoolKey pool) {
        return sharesOf(pool).contains(share);
    }

    private void collect(Share share, Set<IpAddress> addresses) {
        Map<String, WantedSet.Missing> missing = of(share).missing;
        Set<String> unseen = new HashSet<>();
        for (Sighting sighting : slices(share.service()).values()) {
            if (share.isListedBy(sighting.slice())) {
                for (String name : KnownNodes.names(sighting.slice())) {
                    addresses.addAll(nodes.addresses(name, share.family()));
                    if (!nodes.wasSeen(name) || nodes.isInDoubt(name)) {
                        unseen.add(name);
                    }
                }
            }
        }
        if (missing.keySet().retainAll(unseen)) {
            of(share).missingEnded = now();
        }
        unseen.forEach(name -> missing.putIfAbsent(
                name, new WantedSet.Missing(machine.clock().nanoTime(), now(), nodes.isInDoubt(name))));
    }

    private void workOutUsers() {
        Map<PoolKey, Set<Share>> before = Map.copyOf(users);
        users.clear();
        users.putAll(PoolUsers.of(
                all(Kind.SERVICE).values().stream().map(Sighting::service).toList(), this::place));
        users.forEach((pool, shares) -> shares.stream()
                .filter(share -> !before.getOrDefault(pool, Set.of()).contains(share))
                .forEach(this::joins));
        users.forEach((pool, shares) -> {
            if (!shares.equals(before.get(pool))) {
                usersSince.put(pool, now());
            }
        });
        before.keySet().stream().filter(pool -> !users.containsKey(pool)).forEach(pool -> usedUntil.put(pool, now()));
        usedPools = Collections.unmodifiableSet(new LinkedHashSet<>(users.keySet()));
        wantedIn.clear();
        noteEmpty();
    }

    private void joins(Share share) {
        of(share).joins(slices(share.service()).values().stream().anyMatch(slice -> share.isListedBy(slice.slice())));
        if (of(share).frozen != null) {
            of(share).pause(false, false, now());
        }
        workOut(share.service());
    }

    /** A name that became ambiguous while it was used stays where it was. */
    private Optional<PoolKey> place(ArmName name) {
        List<PoolKey> found = places.getOrDefault(name, List.of());
        PoolKey before = maintained.get(name);
        return found.size() == 1
                ? Optional.of(found.get(0))
                : Optional.ofNullable(before).filter(found::contains);
    }

    /** The pools that belong to Services. */
    public Set<PoolKey> usedPools() {
        return usedPools;
    }

    /** The pools of the local Services of a namespace with a slice that lists this Pod, in the family of that slice. */
    public Set<PoolKey> poolsListing(String namespace, String podUid) {
        Set<PoolKey> pools = new HashSet<>();
        for (Sighting sighting : all(Kind.SLICE).values()) {
            ServiceName service = sighting.slice().service();
            if (service != null
                    && service.namespace().equals(namespace)
                    && sighting.slice().podUids().contains(podUid)) {
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

    /** Whether slices of several namespaces list this Pod. */
    boolean isListedBySeveral(String podUid) {
        return all(Kind.SLICE).values().stream()
                        .map(Sighting::slice)
                        .filter(slice -> slice.podUids().contains(podUid))
                        .map(EndpointSliceState::namespace)
                        .distinct()
                        .count()
                > 1;
    }

    /** The addresses that a node adds to this pool. */
    public AddressSet addressesOf(String node, PoolKey pool) {
        return AddressSet.of(sharesOf(pool).stream()
                .map(Share::family)
                .distinct()
                .flatMap(family -> nodes.addresses(KnownNodes.key(node), family).stream())
                .toList());
    }

    /** Those of the addresses that are of a family that is served in this pool. */
    public AddressSet inFamilyOf(PoolKey pool, AddressSet addresses) {
        return AddressSet.of(addresses.stream()
                .filter(address -> sharesOf(pool).stream().anyMatch(share -> share.family() == address.family()))
                .toList());
    }

    /** The Services that use these pools. */
    public Set<ServiceName> servicesOf(Set<PoolKey> pools) {
        Set<ServiceName> services = new HashSet<>();
        for (PoolKey pool : pools) {
            sharesOf(pool).forEach(share -> services.add(share.service()));
        }
        return services;
    }

    /** The namespaces of the Services that use this pool. */
    public Set<String> namespacesOf(PoolKey pool) {
        Set<String> namespaces = new HashSet<>();
        sharesOf(pool).forEach(share -> namespaces.add(share.service().namespace()));
        return namespaces;
    }

    /** Whether exactly one Service, in one family, uses this pool. */
    public boolean isOfOneService(PoolKey pool) {
        return sharesOf(pool).size() == 1;
    }

    /** Whether several Services use this pool, and one of them wants nothing. */
    public boolean isSharedWithIdle(PoolKey pool) {
        Set<Share> shares = sharesOf(pool);
        return shares.size() > 1
                && shares.stream()
                        .map(wanted::get)
                        .anyMatch(state -> state == null || state.asked().isEmpty());
    }

    /** Whether a Service of this pool has no EndpointSlice of its family. */
    public boolean lacksSlice(PoolKey pool) {
        return sharesOf(pool).stream()
                .anyMatch(share ->
                        slices(share.service()).values().stream().noneMatch(slice -> share.isListedBy(slice.slice())));
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

    private void noteEmpty() {
        users.keySet().forEach(pool -> lastEmpty.putIfAbsent(pool, -1L));
        lastEmpty.replaceAll(
                (pool, last) -> isEmptyNow(pool) || isStillEmpty(pool, last) ? Long.MAX_VALUE : Math.min(last, now()));
        if (users.keySet().stream().flatMap(this::wantedBy).allMatch(state -> state.since.isEmpty())) {
            lastNoneWanted = Long.MAX_VALUE;
        } else if (lastNoneWanted == Long.MAX_VALUE) {
            lastNoneWanted = now();
        }
    }

    /** When no address was last wanted in any pool, by paused Services either; {@link Long#MAX_VALUE} for now. */
    public long lastNoneWanted() {
        return lastNoneWanted;
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

    private boolean isEmptyForSure(@Nullable WantedSet state) {
        return hasSynced() && (state == null || state.isFrozenInDoubt || isEmpty(state));
    }

    private static boolean isEmpty(WantedSet state) {
        return state.frozen == null ? state.empty : state.asked().isEmpty();
    }

    /**
     * Until when nothing was wanted in this pool, after it was certainly desired to be empty; {@link Long#MAX_VALUE}
     * for now, -1 for never.
     */
    public long lastEmpty(PoolKey pool) {
        wantedBy(pool).forEach(this::settle);
        noteEmpty();
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

    /** Whether no wanted address of this pool can be missing because of an unknown node. */
    public boolean isComplete(PoolKey pool) {
        return sharesOf(pool).stream()
                .allMatch(share -> wanted.containsKey(share)
                        && of(share).missing.values().stream().allMatch(this::isOverForSure));
    }

    /** When all nodes of a Service of this pool may last have become known, or one of them unknown; -1 for never. */
    public long completenessChanged(PoolKey pool) {
        return wantedBy(pool).mapToLong(this::completenessChanged).max().orElse(-1);
    }

    private long completenessChanged(WantedSet state) {
        return state.missing.values().stream()
                .mapToLong(missing -> Math.max(missing.at(), nodesInStepSince) + WantedSet.MISSING_FOR_SURE)
                .map(sure -> Math.min(sure, now()))
                .reduce(Math.max(state.completenessChanged, state.missingEnded), Math::max);
    }

    /**
     * Whether the process may have another view than this one of what a paused Service of the pool wanted, or of whose
     * pool it is: of an ambiguous name that was not used for a while.
     */
    public boolean isInDoubt(PoolKey pool) {
        return doubtful.contains(pool.pool()) || wantedBy(pool).anyMatch(state -> state.isFrozenInDoubt);
    }

    public AddressSet wantedIn(PoolKey pool) {
        return wantedIn.computeIfAbsent(pool, this::workOutWanted);
    }

    private AddressSet workOutWanted(PoolKey pool) {
        Set<IpAddress> all = new TreeSet<>();
        for (Share share : sharesOf(pool)) {
            WantedSet state = wanted.get(share);
            if (state != null) {
                all.addAll(state.asked().keySet());
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
            WantedSet state = wanted.get(share);
            if (state != null) {
                since = Math.min(since, state.asked().getOrDefault(address, Long.MAX_VALUE));
            }
        }
        return since;
    }

    /** What the Services of this pool want that are not paused. */
    public AddressSet activelyWantedIn(PoolKey pool) {
        Set<IpAddress> all = new TreeSet<>();
        wantedBy(pool).filter(state -> state.frozen == null).forEach(state -> all.addAll(state.since.keySet()));
        return AddressSet.of(all);
    }

    /** Since when a Service of this pool that is not paused wants it; {@link Long#MAX_VALUE} if none does. */
    public long activelyWantedSince(PoolKey pool, IpAddress address) {
        return wantedBy(pool)
                .filter(state -> state.frozen == null)
                .mapToLong(state -> state.since.getOrDefault(address, Long.MAX_VALUE))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * When a Service of this pool that is not paused began to want the address; -1 if none does, or if one may have
     * kept it for want of a node, so that nothing changed.
     */
    public long activelyAdded(PoolKey pool, IpAddress address) {
        return wantedBy(pool)
                .filter(state -> state.frozen == null && state.since.containsKey(address))
                .mapToLong(state -> state.added.getOrDefault(address, -1L))
                .min()
                .orElse(-1);
    }

    /** When a pause of a Service of this pool last ended; -1 for never. */
    public long lastResumed(PoolKey pool) {
        return wantedBy(pool).mapToLong(state -> state.resumedAt).max().orElse(-1);
    }

    /**
     * Since when the address has been wanted in this pool, or left it while a node was unknown, without interruption;
     * {@link Long#MAX_VALUE} if neither is the case.
     */
    public long keptSince(PoolKey pool, IpAddress address) {
        return wantedBy(pool)
                .peek(this::settle)
                .mapToLong(state -> state.keptSince(address))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * When an address was last added to what a Service wants in this pool's family; -1 for never. One that left when a
     * node may have been missing is not added when it returns: it may have been kept.
     */
    public long lastAddition(ServiceName service, PoolKey pool) {
        return sharesOf(pool).stream()
                .filter(share -> share.service().equals(service))
                .map(wanted::get)
                .filter(Objects::nonNull)
                .mapToLong(WantedSet::lastAddition)
                .max()
                .orElse(-1);
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
        return wantedBy(pool)
                .mapToLong(state -> state.lastWanted(address))
                .max()
                .orElse(-1);
    }

    /** The same, also counting addresses that were kept for want of a node. */
    public long lastIntended(PoolKey pool, IpAddress address) {
        return wantedBy(pool)
                .mapToLong(state -> state.lastIntended(address))
                .max()
                .orElse(-1);
    }

    /** Whether no Service of this pool can have been complete since it is local: none may remove anything. */
    public boolean isYetUndecided(PoolKey pool) {
        return wantedBy(pool).peek(this::settle).noneMatch(state -> state.wasComplete);
    }
}

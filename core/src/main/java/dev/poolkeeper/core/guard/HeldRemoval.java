package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Addresses that the brake holds together, or has let through but that are not removed yet. They stay together until
 * they are removed or wanted again, so that none of them is held for longer than this hold. Guarded by the brake.
 */
final class HeldRemoval {

    /**
     * A pool from which it removes addresses.
     *
     * @param namespace the namespace of its Services
     * @param size how many addresses it held when the window began, without those whose loss did not count
     */
    record Pool(String namespace, long size) {}

    final String id;
    final Instant since;
    final Instant until;

    /** Only shrinks: an address to be removed later belongs to another removal. */
    final PoolAddresses members;

    private final Map<PoolKey, Pool> pools;
    private final Losses others;
    private final boolean wasAllLost;
    final String text;

    /** The namespaces whose part is held. */
    private Set<String> held;

    private boolean letThrough;

    /**
     * @param pools the pools of its members
     * @param others what would have been lost without it when it was held
     * @param wasAllLost whether it was held because no address was wanted anywhere
     * @param text one sentence for people that states what is held and why
     */
    HeldRemoval(
            String id,
            Instant since,
            Instant until,
            PoolAddresses members,
            Map<PoolKey, Pool> pools,
            Losses others,
            boolean wasAllLost,
            String text) {
        this.id = id;
        this.since = since;
        this.until = until;
        this.members = members;
        this.pools = Map.copyOf(pools);
        this.others = others;
        this.wasAllLost = wasAllLost;
        this.text = text;
        this.held = namespaces();
    }

    private Set<String> namespaces() {
        return pools.values().stream().map(Pool::namespace).collect(Collectors.toSet());
    }

    boolean isLetThrough() {
        return letThrough;
    }

    void letThrough() {
        letThrough = true;
    }

    /** Holds all of it again. */
    void hold() {
        held = namespaces();
    }

    /** Holds the part of these namespaces only. Returns whether it has another part. */
    boolean holdOnly(Set<String> namespaces) {
        held = namespaces;
        return !namespaces.containsAll(namespaces());
    }

    /** Holds the part of these namespaces as well. */
    void holdAlso(Set<String> namespaces) {
        held = Stream.concat(held.stream(), namespaces.stream()).collect(Collectors.toSet());
    }

    /** The namespaces whose part, as it is now, would still have been held when it was. */
    Set<String> stillTooLarge(Outlook outlook, int percent, int minAddresses) {
        if (wasAllLost && percent < 100 && !outlook.isAnyWanted()) {
            return namespaces();
        }
        Losses losses = new Losses(others);
        pools.forEach((pool, before) -> losses.add(before.namespace(), lost(pool, outlook), 0));
        return losses.tooLarge(percent, minAddresses);
    }

    /** How many addresses the pool would lose by it. */
    long lost(PoolKey pool, Outlook outlook) {
        Pool before = pools.get(pool);
        AddressSet gone = members.of(pool);
        if (before == null || gone.isEmpty()) {
            return 0;
        }
        return Math.clamp(before.size() - outlook.sizeWithout(pool, gone), 0, gone.size());
    }

    /** The addresses of this pool that it holds: none if the pool would not be smaller than it was, without them. */
    AddressSet held(PoolKey pool, Outlook outlook) {
        return isHeld(pool) && lost(pool, outlook) > 0 ? members.of(pool) : AddressSet.empty();
    }

    /** The addresses of this pool that do not count as lost: they were let through, or the pool does not shrink. */
    AddressSet excused(PoolKey pool, Outlook outlook) {
        return letThrough || isHeld(pool) && lost(pool, outlook) == 0 ? members.of(pool) : AddressSet.empty();
    }

    /** The addresses of this pool that are held or do not count. */
    AddressSet kept(PoolKey pool) {
        return letThrough || isHeld(pool) ? members.of(pool) : AddressSet.empty();
    }

    private boolean isHeld(PoolKey pool) {
        Pool before = pools.get(pool);
        return !letThrough && before != null && held.contains(before.namespace());
    }

    BrakedRemoval describe(Outlook outlook) {
        long addresses = pools.keySet().stream()
                .mapToLong(pool -> held(pool, outlook).size())
                .sum();
        long all = namespaces().stream().mapToLong(others::all).sum();
        return new BrakedRemoval(id, since, until, addresses, all, text);
    }
}

package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The content of pools as ARM sent it to a process in responses to reads, writes and listings, from bytes. */
public final class SeenPools {

    /** @param at when the response arrived, or the listing began */
    private record Seen(AddressSet addresses, long at) {}

    private final LongSupplier now;
    private final Map<PoolKey, Seen> pools = new HashMap<>();
    private final Map<PoolKey, Long> missing = new HashMap<>();

    /** The pools of the latest complete listing. */
    private Set<PoolKey> listed = Set.of();

    /** The pools of which ARM last said that an operation on them has not ended well. */
    private final Set<PoolKey> notInForce = new HashSet<>();

    private long lastListingAsked = -1;
    private long lastListingEnded = -1;

    SeenPools(LongSupplier now) {
        this.now = now;
    }

    /** A response about this pool alone. */
    void shown(PoolKey pool, AddressSet addresses) {
        pools.put(pool, new Seen(addresses, now.getAsLong()));
    }

    /** What ARM last said about the last operation on the pool. */
    void isInForce(PoolKey pool, boolean now) {
        if (now) {
            notInForce.remove(pool);
        } else {
            notInForce.add(pool);
        }
    }

    /** Whether ARM last said that the last operation on the pool has succeeded, so that what it shows is in force. */
    public boolean isInForce(PoolKey pool) {
        return !notInForce.contains(pool);
    }

    /**
     * A complete listing.
     *
     * @param begun when it was requested; responses about a single pool since then are newer
     * @param asked when it was first requested, including failed attempts
     */
    void listed(Map<PoolKey, AddressSet> listing, long begun, long asked) {
        lastListingAsked = asked;
        lastListingEnded = now.getAsLong();
        listed = Set.copyOf(listing.keySet());
        pools.entrySet().removeIf(pool -> {
            boolean isMissing =
                    !listing.containsKey(pool.getKey()) && pool.getValue().at() < begun;
            if (isMissing) {
                missing.put(pool.getKey(), now.getAsLong());
            }
            return isMissing;
        });
        listing.forEach((pool, addresses) -> {
            Seen before = pools.get(pool);
            if (before == null || before.at() <= begun) {
                pools.put(pool, new Seen(addresses, begun)); // two listings may overlap
            }
        });
    }

    /** When the latest complete listing was first requested, at the earliest; -1 for never. */
    public long lastListingAsked() {
        return lastListingAsked;
    }

    /** When the latest listing was complete; -1 for never. */
    public long lastListingEnded() {
        return lastListingEnded;
    }

    /** When a listing first lacked the pool again; -1 for never. */
    public long lastMissing(PoolKey pool) {
        return missing.getOrDefault(pool, -1L);
    }

    /** Whether the latest complete listing showed the pool. */
    public boolean isListed(PoolKey pool) {
        return listed.contains(pool);
    }

    /** The last known content of this pool; null if it is unknown. */
    public @Nullable AddressSet of(PoolKey pool) {
        Seen seen = pools.get(pool);
        return seen == null ? null : seen.addresses();
    }

    /** The last known number of addresses in each of these pools that was seen. */
    public Map<PoolKey, Integer> sizesOf(Collection<PoolKey> some) {
        Map<PoolKey, Integer> sizes = new HashMap<>();
        for (PoolKey pool : some) {
            Seen seen = pools.get(pool);
            if (seen != null) {
                sizes.put(pool, seen.addresses().size());
            }
        }
        return sizes;
    }
}

package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What ARM showed a process of the pools, in answers to reads, writes and listings, read from bytes. */
public final class SeenPools {

    private record Seen(AddressSet addresses, long at) {}

    private final LongSupplier now;
    private final Map<PoolKey, Seen> pools = new HashMap<>();
    private long lastListingAsked = -1;
    private long lastListingEnded = -1;

    SeenPools(LongSupplier now) {
        this.now = now;
    }

    /** An answer about this pool alone. */
    void shown(PoolKey pool, AddressSet addresses) {
        pools.put(pool, new Seen(addresses, now.getAsLong()));
    }

    /**
     * A complete listing.
     *
     * @param begun when it was asked for; what was shown of a pool alone since then is newer
     * @param asked when it was first asked for, perhaps in vain
     */
    void listed(Map<PoolKey, AddressSet> listing, long begun, long asked) {
        lastListingAsked = asked;
        lastListingEnded = now.getAsLong();
        pools.entrySet()
                .removeIf(pool ->
                        !listing.containsKey(pool.getKey()) && pool.getValue().at() < begun);
        listing.forEach((pool, addresses) -> {
            Seen before = pools.get(pool);
            if (before == null || before.at() < begun) {
                shown(pool, addresses);
            }
        });
    }

    /** When the latest complete listing was first asked for, at the earliest; -1 for never. */
    public long lastListingAsked() {
        return lastListingAsked;
    }

    /** When the latest listing was complete; -1 for never. */
    public long lastListingEnded() {
        return lastListingEnded;
    }

    /** What this pool was last seen to hold; null where it was never seen. */
    public @Nullable AddressSet of(PoolKey pool) {
        Seen seen = pools.get(pool);
        return seen == null ? null : seen.addresses();
    }

    /** How many addresses these pools were last seen to hold together. */
    public long sizeOf(Collection<PoolKey> some) {
        return some.stream()
                .map(pools::get)
                .filter(java.util.Objects::nonNull)
                .mapToLong(seen -> seen.addresses().size())
                .sum();
    }
}

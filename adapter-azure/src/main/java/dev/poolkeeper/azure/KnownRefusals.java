package dev.poolkeeper.azure;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Pools whose write ARM refused because of Private Link, which a pool's body does not show. Such a pool is not written
 * again for as long as its version is the one that was refused. Thread-safe; holds one entry a refused pool.
 */
final class KnownRefusals {

    private record Refusal(@Nullable String etag, Failure failure) {}

    private final Map<PoolKey, Refusal> byPool = new ConcurrentHashMap<>();

    /** What ARM said of writing this version of the pool before. */
    Optional<Failure> find(PoolKey pool, @Nullable String etag) {
        Refusal known = byPool.get(pool);
        return known != null && known.etag != null && known.etag.equals(etag)
                ? Optional.of(known.failure)
                : Optional.empty();
    }

    /** Remembers a refusal that another try would meet again. Other failures are forgotten at once. */
    void note(PoolKey pool, @Nullable String etag, Failure failure) {
        if (FailureMapping.isOfPrivateLink(failure)) {
            byPool.put(pool, new Refusal(etag, failure));
        } else {
            byPool.remove(pool);
        }
    }
}

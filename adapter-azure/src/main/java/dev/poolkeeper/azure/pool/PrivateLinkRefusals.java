package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmCodes;
import dev.poolkeeper.azure.http.ArmErrorBody;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pools whose write ARM refused because of Private Link, which a pool's body does not show. Such a pool is not written
 * again for as long as its version is the one that was refused. Thread-safe; holds one entry for each refused pool.
 */
final class PrivateLinkRefusals {

    private static final String REMEDY =
            "the load balancer serves a Private Link service, which allows no pools of IP addresses: use a load"
                    + " balancer without Private Link service for this Service";

    private record Refusal(String etag, Failure failure) {}

    private final Map<PoolKey, Refusal> byPool = new ConcurrentHashMap<>();

    /** What ARM said when this version of the pool was written before. */
    Optional<Failure> find(PoolKey pool, String etag) {
        return Optional.ofNullable(byPool.get(pool))
                .filter(refusal -> refusal.etag.equals(etag))
                .map(Refusal::failure);
    }

    /** The failure of a write that ARM refused because of Private Link, which is remembered; empty for any other. */
    Optional<Failure> note(PoolKey pool, String etag, ArmErrorBody body, ArmError error) {
        if (body.codes().noneMatch(ArmCodes.PRIVATE_LINK::equals)) {
            return Optional.empty();
        }
        Failure failure = Failure.Other.terminal(REMEDY + ": " + error.describe());
        byPool.put(pool, new Refusal(etag, failure));
        return Optional.of(failure);
    }
}

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
 * again until its version changes. Thread-safe; keeps one entry per refused pool.
 */
final class PrivateLinkRefusals {

    private static final String REMEDY =
            "the load balancer serves a Private Link service, which allows no pools of IP addresses: use a load"
                    + " balancer without Private Link service for this Service";

    private record Refusal(String etag, Failure failure) {}

    private final Map<PoolKey, Refusal> byPool = new ConcurrentHashMap<>();

    /** ARM's refusal of an earlier write of this version of the pool. */
    Optional<Failure> find(PoolKey pool, String etag) {
        return Optional.ofNullable(byPool.get(pool))
                .filter(refusal -> refusal.etag.equals(etag))
                .map(Refusal::failure);
    }

    /** Returns and remembers the failure of a write that ARM refused because of Private Link; empty for any other. */
    Optional<Failure> note(PoolKey pool, String etag, ArmErrorBody body, ArmError error) {
        if (body.codes().noneMatch(ArmCodes.PRIVATE_LINK::equals)) {
            return Optional.empty();
        }
        Failure failure = Failure.Other.terminal(REMEDY + ": " + error.describe());
        byPool.put(pool, new Refusal(etag, failure));
        return Optional.of(failure);
    }
}

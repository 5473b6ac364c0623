package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import org.jspecify.annotations.Nullable;

/**
 * What cannot be read in ARM's list of load balancers.
 *
 * @param loadBalancer null if ARM does not say which one it is
 * @param pool null for a whole load balancer, and for a pool if ARM does not say which one it is
 * @param reason the problem
 */
record Unreadable(@Nullable ArmName loadBalancer, @Nullable ArmName pool, String reason) implements ListedElement {

    /** In one line for people. */
    String describe() {
        return loadBalancer == null ? reason : "load balancer " + loadBalancer + ": " + reason;
    }

    /** Whether it may be this load balancer or contain any of its pools. */
    boolean mayBe(ArmName name) {
        return loadBalancer == null || loadBalancer.equals(name) && pool == null;
    }

    /** Whether it may be this pool of a load balancer that was listed. */
    boolean mayBe(PoolKey key) {
        return loadBalancer != null
                && loadBalancer.equals(key.loadBalancer())
                && (pool == null || pool.equals(key.pool()));
    }
}

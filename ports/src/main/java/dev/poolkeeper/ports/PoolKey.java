package dev.poolkeeper.ports;

/**
 * One backend address pool: its load balancer and its name there. Compares without regard to case, as ARM does.
 *
 * <p>A class rather than a record, because it caches its hash code: maps of many thousand pools use it as a key, and
 * computing it would follow four references.
 */
public final class PoolKey {

    private final ArmName loadBalancer;
    private final ArmName pool;
    private final int hash;

    /**
     * @param loadBalancer the load balancer that holds the pool
     * @param pool the pool's name, unique within its load balancer
     */
    public PoolKey(ArmName loadBalancer, ArmName pool) {
        this.loadBalancer = loadBalancer;
        this.pool = pool;
        this.hash = 31 * loadBalancer.hashCode() + pool.hashCode();
    }

    /** @throws IllegalArgumentException if a name is blank */
    public static PoolKey of(String loadBalancer, String pool) {
        return new PoolKey(ArmName.of(loadBalancer), ArmName.of(pool));
    }

    /** The load balancer that holds the pool. */
    public ArmName loadBalancer() {
        return loadBalancer;
    }

    /** The pool's name, unique within its load balancer. */
    public ArmName pool() {
        return pool;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof PoolKey key
                        && hash == key.hash
                        && pool.equals(key.pool)
                        && loadBalancer.equals(key.loadBalancer);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** {@code loadBalancer/pool}. */
    @Override
    public String toString() {
        return loadBalancer + "/" + pool;
    }
}

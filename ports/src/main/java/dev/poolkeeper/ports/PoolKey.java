package dev.poolkeeper.ports;

/**
 * One backend address pool: its load balancer and its name there. Compares without regard to case, as ARM does.
 *
 * @param loadBalancer the load balancer that holds the pool
 * @param pool the pool's name, unique within its load balancer
 */
public record PoolKey(ArmName loadBalancer, ArmName pool) {

    /** @throws IllegalArgumentException if a name is blank */
    public static PoolKey of(String loadBalancer, String pool) {
        return new PoolKey(ArmName.of(loadBalancer), ArmName.of(pool));
    }

    /** {@code loadBalancer/pool}. */
    @Override
    public String toString() {
        return loadBalancer + "/" + pool;
    }
}

package dev.poolkeeper.ports;

/** Why a pool is read, but never written. */
public enum Unwritable {
    /** It holds private endpoints. */
    PRIVATE_LINK("the pool holds private endpoints of Private Link: use a load balancer without Private Link for this"
            + " Service"),
    /** It holds frontends of other load balancers. */
    CROSS_REGION("the pool holds frontends of regional load balancers, as in a cross-region load balancer: use a"
            + " regional load balancer for this Service"),
    /** It holds network interfaces, or has an entry without an address. */
    NETWORK_INTERFACES("the pool holds network interfaces instead of IP addresses: set"
            + " loadBalancerBackendPoolConfigurationType to nodeIP and migrate the pool to IP addresses"),
    /** Azure manages its members. */
    AUTOMATIC("the pool's syncMode is Automatic, so Azure itself manages its members: set syncMode to Manual, or create"
            + " the pool again without it");

    private final String reason;

    Unwritable(String reason) {
        this.reason = reason;
    }

    /** The failure of a write, for which no request is sent. */
    public Failure refusal(PoolKey pool) {
        return Failure.Other.terminal("pool %s is never written: %s".formatted(pool, reason));
    }
}

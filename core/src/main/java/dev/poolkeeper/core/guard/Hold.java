package dev.poolkeeper.core.guard;

/** Why updates are held back, where their Services are told. */
public enum Hold {
    /** Too much would be removed at once. */
    SAFETY_BRAKE,
    /** The load balancer refuses us. */
    FORBIDDEN,
    /** Somebody else keeps changing the pool back. */
    DRIFT_FIGHT,
    /** Several load balancers have a pool of that name. */
    AMBIGUOUS
}

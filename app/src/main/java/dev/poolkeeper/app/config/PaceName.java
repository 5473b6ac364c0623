package dev.poolkeeper.app.config;

/** The values of {@code loadBalancerBackendPoolUpdatePace}. */
public enum PaceName {
    /** As soon as a load balancer is free. */
    EAGER,
    /** At ticks. */
    TICK
}

package dev.poolkeeper.app.config;

/** The values of {@code loadBalancerBackendPoolUpdatePace}. */
public enum PaceName {
    /** An update starts as soon as its load balancer is free. */
    EAGER,
    /** Updates start at ticks. */
    TICK
}

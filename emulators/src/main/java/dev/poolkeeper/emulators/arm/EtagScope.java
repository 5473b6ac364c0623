package dev.poolkeeper.emulators.arm;

/** What one ETag stands for. */
public enum EtagScope {
    /** A load balancer and all its pools, as on Azure: a write to one pool outdates what was read of the others. */
    LOAD_BALANCER,
    /** A pool alone. */
    POOL
}

package dev.poolkeeper.emulators.arm;

/** The scope of an ETag. */
public enum EtagScope {
    /** A load balancer and all its pools, as in Azure: a write to one pool invalidates the ETags of the others. */
    LOAD_BALANCER,
    /** A single pool. */
    POOL
}

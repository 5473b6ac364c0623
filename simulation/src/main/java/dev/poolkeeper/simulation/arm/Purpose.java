package dev.poolkeeper.simulation.arm;

/** What a request to ARM is for. */
public enum Purpose {
    READ,
    WRITE,
    /** A look at a long-running operation, or at a pool after a write of it. */
    POLL,
    LIST,
    /** Anything else, such as the question what one may do. */
    OTHER
}

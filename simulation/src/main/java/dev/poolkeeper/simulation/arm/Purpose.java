package dev.poolkeeper.simulation.arm;

/** The purpose of a request to ARM. */
public enum Purpose {
    READ,
    WRITE,
    /** A poll of a long-running operation, or of a pool after it was written. */
    POLL,
    LIST,
    /** Any other request, such as the permission probe. */
    OTHER
}

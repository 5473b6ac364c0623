package dev.poolkeeper.simulation.cluster;

/** What is watched. */
public enum Kind {
    NODE,
    SERVICE,
    SLICE
}

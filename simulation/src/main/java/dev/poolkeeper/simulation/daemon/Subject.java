package dev.poolkeeper.simulation.daemon;

/** What a daemon has to ask the API server again and again. */
public enum Subject {
    SERVICES,
    SLICES,
    NODES,
    EVENTS
}

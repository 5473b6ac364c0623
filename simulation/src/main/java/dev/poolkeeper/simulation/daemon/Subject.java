package dev.poolkeeper.simulation.daemon;

/** What a daemon has to ask the API server, or ARM, again and again. */
public enum Subject {
    SERVICES,
    SLICES,
    NODES,
    EVENTS,
    /** Of load balancers. */
    LISTINGS
}

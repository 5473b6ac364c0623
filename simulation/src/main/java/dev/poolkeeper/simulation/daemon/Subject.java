package dev.poolkeeper.simulation.daemon;

/** What a daemon has to ask the API server, ARM or its disk again and again. */
public enum Subject {
    SERVICES,
    SLICES,
    NODES,
    EVENTS,
    /** Of load balancers. */
    LISTINGS,
    /** The configuration file, once it has been edited. */
    CONFIGURATION
}

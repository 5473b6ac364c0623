package dev.poolkeeper.simulation.schedule;

/** What a run demands. */
public enum Mode {
    /** Faults at random until the end; nothing forbidden may ever happen. */
    SAFETY,
    /** Faults stop half-way; then the pools must become what is wanted, and stay so. */
    LIVENESS
}

package dev.poolkeeper.simulation.schedule;

/** The mode of a run. */
public enum Mode {
    /** Random faults until the end; no invariant may ever be violated. */
    SAFETY,
    /** Faults stop half-way; then the pools must reach their desired state and keep it. */
    LIVENESS
}

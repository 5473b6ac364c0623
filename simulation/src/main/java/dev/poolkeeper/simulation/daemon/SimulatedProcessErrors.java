package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.simulation.time.ProcessDied;

/** Tells what a thread died of. */
final class SimulatedProcessErrors {

    private SimulatedProcessErrors() {}

    /** Whether it is the end of the process, however wrapped. */
    static boolean isDeath(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProcessDied) {
                return true;
            }
        }
        return false;
    }
}

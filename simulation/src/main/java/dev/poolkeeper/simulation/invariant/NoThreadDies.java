package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** S0. */
final class NoThreadDies extends Invariant {

    NoThreadDies(Scene scene) {
        super("S0 no thread dies", "No thread of the daemon ends with an exception.", scene);
    }

    @Override
    void observe(Observation observed) {
        if (observed instanceof Observation.Failed(SimulatedDaemon daemon, Throwable error)) {
            StackTraceElement[] trace = error.getStackTrace();
            violated("a thread of %s ended with %s at %s", daemon, error, trace.length == 0 ? "?" : trace[0]);
        }
    }
}

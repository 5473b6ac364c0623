package dev.poolkeeper.simulation.time;

/** Ends the threads of a killed process. An {@code Error}, so that it is not caught by accident. */
@SuppressWarnings("serial")
public final class ProcessDied extends Error {

    public ProcessDied() {
        super("the process was killed", null, false, false);
    }
}

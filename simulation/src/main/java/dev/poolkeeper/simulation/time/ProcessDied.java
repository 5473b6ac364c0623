package dev.poolkeeper.simulation.time;

/** Ends the threads of a process that was killed. Not an exception that anybody catches by accident. */
@SuppressWarnings("serial")
public final class ProcessDied extends Error {

    public ProcessDied() {
        super("the process was killed", null, false, false);
    }
}

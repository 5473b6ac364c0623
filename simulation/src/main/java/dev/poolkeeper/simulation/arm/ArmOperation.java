package dev.poolkeeper.simulation.arm;

import org.jspecify.annotations.Nullable;

/** A long-running operation at ARM. */
public final class ArmOperation {

    /** How it stands. */
    public enum State {
        IN_PROGRESS,
        SUCCEEDED,
        FAILED,
        CANCELED,
        /** Its address is not known any more. */
        LOST
    }

    final PoolImage wanted;
    final String writer;
    private State state = State.IN_PROGRESS;
    private @Nullable PoolImage result;

    ArmOperation(PoolImage wanted, String writer) {
        this.wanted = wanted;
        this.writer = writer;
    }

    public State state() {
        return state;
    }

    /** The pool as it then was; null unless it succeeded. */
    public @Nullable PoolImage result() {
        return result;
    }

    void end(State end, @Nullable PoolImage written) {
        if (state == State.IN_PROGRESS) {
            state = end;
            result = written;
        }
    }
}

package dev.poolkeeper.app.commands;

/** The exit codes of all commands. */
public final class ExitCode {

    /** Done. */
    public static final int DONE = 0;

    /** The work itself failed. */
    public static final int FAILED = 1;

    /** Bad arguments or configuration; nothing was started, nothing written. */
    public static final int BAD_INPUT = 2;

    /** Interrupted. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

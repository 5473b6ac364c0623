package dev.poolkeeper.app.commands;

/** What the exit codes of every command mean. */
final class ExitCode {

    /** Done. */
    static final int DONE = 0;

    /** The work itself failed. */
    static final int FAILED = 1;

    /** Bad arguments or configuration; nothing was started, nothing written. */
    static final int BAD_INPUT = 2;

    /** Interrupted. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}

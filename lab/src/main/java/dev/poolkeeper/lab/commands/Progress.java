package dev.poolkeeper.lab.commands;

import java.io.PrintWriter;

/** A progress line that is overwritten and finally erased. Shown only on a terminal. Thread-safe. */
final class Progress {

    private static final int STEPS = 200;
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean isTerminal;
    private final String format;
    private final long total;
    private final long step;
    private long done;
    private boolean shown;

    /** @param format is formatted with the completed count, the total, and the percentage */
    Progress(PrintWriter out, boolean isTerminal, String format, long total) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.format = format;
        this.total = total;
        this.step = Math.max(1, total / STEPS);
    }

    /** @param count the completed count; ignored if smaller than before */
    synchronized void show(long count) {
        if (count <= done) {
            return;
        }
        boolean isNextStep = count / step > done / step;
        done = count;
        if (isTerminal && isNextStep) {
            out.print(ERASE + format.formatted(done, total, 100 * done / Math.max(1, total)));
            out.flush();
            shown = true;
        }
    }

    /** The completed count. */
    synchronized long done() {
        return done;
    }

    /** Erases the line before other output. */
    synchronized void clear() {
        if (shown) {
            out.print(ERASE);
            out.flush();
            shown = false;
        }
    }
}

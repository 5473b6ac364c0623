package dev.poolkeeper.lab.commands;

import java.io.PrintWriter;

/**
 * A line that counts up and is written over. Shown on a terminal only; the launcher says whether standard error is one,
 * since the JDK of this release does not say.
 */
final class Progress {

    private static final boolean ON_TERMINAL = Boolean.getBoolean("poolkeeper.terminal");
    private static final int STEPS = 200;

    private final PrintWriter out;
    private final String format;
    private final long total;
    private final long step;
    private boolean shown;

    Progress(PrintWriter out, long total) {
        this(out, total, "played %d of %d events (%d %%)");
    }

    /** @param format takes what is done, the total, and the percentage */
    Progress(PrintWriter out, long total, String format) {
        this.out = out;
        this.format = format;
        this.total = total;
        this.step = Math.max(1, total / STEPS);
    }

    void show(long done) {
        if (ON_TERMINAL && done % step == 0) {
            out.printf("\r" + format, done, total, 100 * done / Math.max(1, total));
            out.flush();
            shown = true;
        }
    }

    /** Makes room for other output. */
    void clear() {
        if (shown) {
            out.print("\r\u001b[K");
            out.flush();
            shown = false;
        }
    }
}

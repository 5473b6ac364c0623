package dev.poolkeeper.lab.commands;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * Which of the standard streams are terminals. The launcher sets the system property {@code poolkeeper.terminal},
 * because this JDK release cannot tell.
 *
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param plain whether colours are disabled ({@code NO_COLOR}, or a terminal without colours)
 * @param interrupts handles requests to stop while a command runs
 */
record Terminal(boolean out, boolean err, boolean plain, Interrupts interrupts) {

    /** No stream is a terminal: the output is the same bytes each time. */
    static final Terminal NONE = new Terminal(false, false, true, Interrupts.NONE);

    /** Assumed for every terminal, whatever its actual size. */
    private static final int WIDTH = 80;

    private static final String PROPERTY = "poolkeeper.terminal";

    /** The terminals of this process. */
    static Terminal ofProcess() {
        return of(System.getProperty(PROPERTY, ""), System.getenv(), Interrupts::ofProcess);
    }

    /** @param streams the names of the streams that are terminals, such as {@code out,err} */
    static Terminal of(String streams, Map<String, String> environment, Interrupts interrupts) {
        List<String> names = List.of(streams.split(",", -1));
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "").equals("dumb");
        return new Terminal(names.contains("out"), names.contains("err"), plain, interrupts);
    }

    /** The number of columns of standard output. */
    int outWidth() {
        return out ? WIDTH : Integer.MAX_VALUE;
    }

    /** The number of columns of standard error. */
    int errWidth() {
        return err ? WIDTH : Integer.MAX_VALUE;
    }

    /** Colours for standard output. */
    Ansi outColours() {
        return colours(out);
    }

    /** Colours for standard error. */
    Ansi errColours() {
        return colours(err);
    }

    private Ansi colours(boolean isTerminal) {
        return isTerminal && !plain ? Ansi.ON : Ansi.OFF;
    }

    /**
     * A progress line on standard error; none if that is not a terminal.
     *
     * @param format is formatted with the completed count, the total, and the percentage
     */
    Progress progress(PrintWriter standardError, String format, long total) {
        return new Progress(standardError, err, format, total);
    }
}

package dev.poolkeeper.lab.commands;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * Which of the standard streams are terminals. The launcher says so in the system property {@code poolkeeper.terminal},
 * because the JDK of this release does not.
 *
 * @param out whether standard output is one
 * @param err whether standard error is one
 * @param plain whether the user wants no colours ({@code NO_COLOR}, or a terminal without them)
 * @param interrupts who may ask for the end while a command computes
 */
record Terminal(boolean out, boolean err, boolean plain, Interrupts interrupts) {

    /** Neither stream: what they get is the same bytes each time. */
    static final Terminal NONE = new Terminal(false, false, true, Interrupts.NONE);

    /** What every terminal has, whatever its size now. */
    private static final int WIDTH = 80;

    private static final String PROPERTY = "poolkeeper.terminal";

    /** That of this process. */
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

    /** As many columns as standard output has for a line. */
    int outWidth() {
        return out ? WIDTH : Integer.MAX_VALUE;
    }

    /** As many columns as standard error has for a line. */
    int errWidth() {
        return err ? WIDTH : Integer.MAX_VALUE;
    }

    /** Colours for what goes to standard output. */
    Ansi outColours() {
        return colours(out);
    }

    /** Colours for what goes to standard error. */
    Ansi errColours() {
        return colours(err);
    }

    private Ansi colours(boolean isTerminal) {
        return isTerminal && !plain ? Ansi.ON : Ansi.OFF;
    }

    /**
     * A progress line on standard error; nothing where that is no terminal.
     *
     * @param format takes what is done, the total, and the percentage
     */
    Progress progress(PrintWriter standardError, String format, long total) {
        return new Progress(standardError, err, format, total);
    }
}

package dev.poolkeeper.app.commands;

import dev.poolkeeper.ports.ForeignText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last filter before a standard stream: only safe text ({@link ForeignText}) and line feeds pass, and on a terminal
 * the two sequences that the program uses itself, colours and the erasing of a progress line.
 */
public final class TerminalOutput extends FilterWriter {

    /** Colours, and the erasing of a line. */
    private static final Pattern OWN = Pattern.compile("\\u001b\\[[0-9;]*m|\\r\\u001b\\[K");

    private final boolean isTerminal;

    private TerminalOutput(Writer out, boolean isTerminal) {
        super(out);
        this.isTerminal = isTerminal;
    }

    /**
     * A writer for a standard stream, flushed with every line.
     *
     * @param isTerminal whether colours and progress may pass
     */
    public static PrintWriter to(OutputStream stream, boolean isTerminal) {
        return new PrintWriter(
                new TerminalOutput(new OutputStreamWriter(stream, StandardCharsets.UTF_8), isTerminal), true);
    }

    @Override
    public void write(int character) throws IOException {
        write(String.valueOf((char) character));
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        write(new String(text, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        write(text.substring(offset, offset + length));
    }

    @Override
    public void write(String text) throws IOException {
        if (!isTerminal) {
            out.write(ForeignText.block(text));
            return;
        }
        Matcher own = OWN.matcher(text);
        int done = 0;
        while (own.find()) {
            out.write(ForeignText.block(text.substring(done, own.start())));
            out.write(own.group());
            done = own.end();
        }
        out.write(ForeignText.block(text.substring(done)));
    }
}

package dev.poolkeeper.app.commands;

import dev.poolkeeper.ports.ForeignText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
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

    private final OutputStream stream;
    private final boolean isTerminal;

    private TerminalOutput(OutputStream stream, boolean isTerminal) {
        super(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
        this.stream = stream;
        this.isTerminal = isTerminal;
    }

    /**
     * A writer for a standard stream, flushed with every line.
     *
     * @param isTerminal whether colours and progress may pass
     */
    public static PrintWriter to(OutputStream stream, boolean isTerminal) {
        return new PrintWriter(new TerminalOutput(stream, isTerminal), true);
    }

    /** A {@link PrintStream} keeps its errors to itself, as on a full disk. */
    @Override
    public void flush() throws IOException {
        super.flush();
        if (stream instanceof PrintStream standard && standard.checkError()) {
            throw new IOException("the stream cannot be written");
        }
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

package dev.poolkeeper.lab.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.1 message. Read strictly (RFC 9112): a line ends with CR and LF, a name is a token right before
 * its colon, and a value has no control characters; a folded line becomes one. Immutable.
 *
 * @param start the start line
 * @param fields in order
 */
record MessageHead(String start, List<Field> fields) {

    /** In bytes. */
    static final int LARGEST = 64 << 10;

    static final int MOST_FIELDS = 128;

    private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");

    /** A header field; the value has no blanks around it. */
    record Field(String name, String value) {

        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    /** The head exceeds a limit; {@code isStart} if its start line alone does. */
    static final class TooLargeException extends ProtocolException {
        private static final long serialVersionUID = 1L;

        private final boolean isStart;

        TooLargeException(boolean isStart) {
            super("the head is too large");
            this.isStart = isStart;
        }

        boolean isStart() {
            return isStart;
        }
    }

    MessageHead {
        fields = List.copyOf(fields);
    }

    /** The values of all fields of that name. */
    List<String> values(String name) {
        return fields.stream().filter(field -> field.is(name)).map(Field::value).toList();
    }

    /**
     * Reads a head with the empty line after it.
     *
     * @return null if there is nothing more to read
     * @throws ProtocolException if it is malformed or too large
     * @throws EOFException if it is not complete
     */
    static @Nullable MessageHead read(InputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        Lines lines = new Lines(in, LARGEST, first);
        String start = lines.next();
        for (int i = 0; i < 2 && start.isEmpty(); i++) { // RFC 9112, section 2.2
            start = lines.next();
        }
        lines.startIsRead();
        return new MessageHead(start, fields(lines));
    }

    /** The fields up to an empty line, as in a head and in trailers. */
    static List<Field> fields(Lines lines) throws IOException {
        List<Field> fields = new ArrayList<>();
        for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
            if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
                if (fields.isEmpty()) {
                    throw new ProtocolException("the first field has no name");
                }
                Field folded = fields.removeLast();
                fields.add(new Field(folded.name(), stripped(folded.value() + " " + stripped(line))));
                continue;
            }
            int colon = line.indexOf(':');
            if (colon < 0 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
                throw new ProtocolException("a field's name is not a token");
            }
            fields.add(new Field(line.substring(0, colon), stripped(line.substring(colon + 1))));
            if (fields.size() > MOST_FIELDS) {
                throw new TooLargeException(false);
            }
        }
        return fields;
    }

    private static String stripped(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && (value.charAt(from) == ' ' || value.charAt(from) == '\t')) {
            from++;
        }
        while (to > from && (value.charAt(to - 1) == ' ' || value.charAt(to - 1) == '\t')) {
            to--;
        }
        return value.substring(from, to);
    }

    /** Lines that end with CR and LF and have no other control characters than tabs. Used by one thread. */
    static final class Lines {

        private final InputStream in;
        private int left;
        private int pushed;
        private boolean isStart = true;

        Lines(InputStream in, int mostBytes, int first) {
            this.in = in;
            this.left = mostBytes;
            this.pushed = first;
        }

        Lines(InputStream in, int mostBytes) {
            this(in, mostBytes, -1);
        }

        void startIsRead() {
            isStart = false;
        }

        private int read() throws IOException {
            int next = pushed >= 0 ? pushed : in.read();
            pushed = -1;
            if (next < 0) {
                throw new EOFException("the head is not complete");
            }
            if (left-- == 0) {
                throw new TooLargeException(isStart);
            }
            return next;
        }

        String next() throws IOException {
            StringBuilder line = new StringBuilder();
            int next = read();
            while (next != '\r') {
                if (next < ' ' && next != '\t' || next == 0x7f) {
                    throw new ProtocolException("a control character in the head");
                }
                line.append((char) next); // ISO 8859-1, as bytes are forwarded
                next = read();
            }
            if (read() != '\n') {
                throw new ProtocolException("a carriage return without a line feed");
            }
            return line.toString();
        }
    }

    /** The bytes of a head with these fields. */
    static byte[] bytes(String start, List<Field> fields) {
        StringBuilder text = new StringBuilder(start).append("\r\n");
        fields.forEach(field ->
                text.append(field.name()).append(": ").append(field.value()).append("\r\n"));
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}

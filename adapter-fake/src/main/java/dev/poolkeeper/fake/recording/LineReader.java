package dev.poolkeeper.fake.recording;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a stream line by line, as bytes, keeping at most one line in memory. */
final class LineReader implements Closeable {

    private final InputStream in;
    private final int longest;
    private final byte[] buffer = new byte[1 << 16];
    private int from;
    private int to;
    private byte[] line = new byte[1 << 13];
    private int length;
    private long number;

    /** @param longest the maximum length of a line in bytes, without its line break */
    LineReader(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /** Thrown for a line that is too long. The next call continues with the following line. */
    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Reads the next line into {@link #bytes} and {@link #length}. Returns false if there is none. */
    boolean next() throws IOException {
        length = 0;
        if (from == to && !fill()) {
            return false;
        }
        number++;
        boolean tooLong = false;
        do {
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            tooLong = tooLong || !append(from, end - from);
            if (end < to) {
                from = end + 1;
                break;
            }
            from = end;
        } while (fill());
        if (tooLong) {
            throw new TooLong();
        }
        return true;
    }

    private boolean append(int start, int count) {
        if (count > longest - length) {
            return false;
        }
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.max(length + count, 2 * line.length));
        }
        System.arraycopy(buffer, start, line, length, count);
        length += count;
        return true;
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, in.read(buffer, 0, buffer.length));
        return to > 0;
    }

    /** The current line's bytes up to {@link #length}; valid until the next call of {@link #next}. */
    byte[] bytes() {
        return line;
    }

    int length() {
        return length;
    }

    /** The current line's number, from 1. */
    long number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

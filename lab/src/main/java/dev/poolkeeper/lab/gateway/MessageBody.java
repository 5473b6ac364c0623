package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.MessageHead.Field;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The body of a message: of a known length, in chunks, or up to the end of the connection. Reads nothing behind it.
 * Read by one thread; {@link #isEnded} may be asked by others.
 */
final class MessageBody extends InputStream {

    /** The length of a body in chunks. */
    static final long CHUNKED = -1;

    /** The length of a body that ends with its connection. */
    static final long UNTIL_CLOSE = -2;

    private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,8}[ \t]*(;.*)?");
    private static final int LARGEST_LINE = 4 << 10;
    private static final int LARGEST_TRAILERS = 16 << 10;

    private final InputStream in;
    private final long length;
    private List<Field> trailers = List.of();
    private long left; // in the body or chunk
    private boolean isFirstChunk = true;
    private volatile boolean isEnded;

    /** @param length in bytes, {@link #CHUNKED} or {@link #UNTIL_CLOSE} */
    MessageBody(InputStream in, long length) {
        this.in = in;
        this.length = length;
        this.left = Math.max(0, length);
        this.isEnded = length == 0;
    }

    /** Whether it was read completely. */
    boolean isEnded() {
        return isEnded;
    }

    /** The fields behind the last chunk. */
    List<Field> trailers() {
        return trailers;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int most) throws IOException {
        if (isEnded || most == 0) {
            return isEnded ? -1 : 0;
        }
        if (length == CHUNKED && left == 0 && !nextChunk()) {
            return -1;
        }
        int read = in.read(to, offset, length == UNTIL_CLOSE ? most : (int) Math.min(left, most));
        if (read < 0) {
            if (length == UNTIL_CLOSE) {
                isEnded = true;
                return -1;
            }
            throw new EOFException("the body is not complete");
        }
        left -= length == UNTIL_CLOSE ? 0 : read;
        isEnded = length > 0 && left == 0;
        return read;
    }

    private boolean nextChunk() throws IOException {
        if (!isFirstChunk && !new MessageHead.Lines(in, 2).next().isEmpty()) {
            throw new ProtocolException("a chunk is longer than its size");
        }
        isFirstChunk = false;
        String line = new MessageHead.Lines(in, LARGEST_LINE).next();
        if (!SIZE.matcher(line).matches()) {
            throw new ProtocolException("the size of a chunk is not hexadecimal, or too large");
        }
        left = Long.parseLong(line.split("[ \t;]", 2)[0], 16);
        if (left > Integer.MAX_VALUE) {
            throw new ProtocolException("a chunk is too large");
        }
        if (left == 0) {
            trailers = MessageHead.fields(new MessageHead.Lines(in, LARGEST_TRAILERS));
            isEnded = true;
        }
        return left > 0;
    }

    /** At least this many bytes can be read without waiting. */
    @Override
    public int available() throws IOException {
        return isEnded ? 0 : length == UNTIL_CLOSE ? in.available() : (int) Math.min(left, in.available());
    }
}

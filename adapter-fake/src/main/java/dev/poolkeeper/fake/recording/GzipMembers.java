package dev.poolkeeper.fake.recording;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip (RFC 1952) to the end of the file. The JDK's {@code GZIPInputStream} ignores what follows the last
 * member, so that a file that was damaged there passes as a shorter one. Not thread-safe.
 */
final class GzipMembers extends InputStream {

    private static final int BUFFER = 1 << 16;
    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private final PushbackInputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private boolean ended;

    /** Bytes that belong to no member. */
    static final class TrailingBytesException extends ZipException {
        private static final long serialVersionUID = 1L;
    }

    GzipMembers(InputStream file) throws IOException {
        in = new PushbackInputStream(file, BUFFER);
        readHeader();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (!ended) {
            int count = inflate(into, offset, length);
            if (count > 0 || length == 0) {
                checksum.update(into, offset, count);
                return count;
            }
            if (inflater.finished()) {
                endMember();
            } else {
                filled = in.read(buffer);
                if (filled < 0) {
                    throw new EOFException();
                }
                inflater.setInput(buffer, 0, filled);
            }
        }
        return -1;
    }

    private int inflate(byte[] into, int offset, int length) throws ZipException {
        try {
            int count = inflater.inflate(into, offset, length);
            require(!inflater.needsDictionary());
            return count;
        } catch (DataFormatException e) {
            throw new ZipException(e.getMessage());
        }
    }

    private void endMember() throws IOException {
        int rest = inflater.getRemaining();
        in.unread(buffer, filled - rest, rest);
        require(fourBytes() == (int) checksum.getValue());
        require(fourBytes() == (int) inflater.getBytesWritten());
        int next = in.read();
        if (next < 0) {
            ended = true;
            return;
        }
        if (next != MAGIC_1) {
            throw new TrailingBytesException();
        }
        in.unread(next);
        inflater.reset();
        checksum.reset();
        filled = 0;
        readHeader();
    }

    private void readHeader() throws IOException {
        require(oneByte() == MAGIC_1 && oneByte() == MAGIC_2 && oneByte() == DEFLATE);
        int flags = oneByte();
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(oneByte() | oneByte() << 8);
        }
        for (int text : new int[] {NAME, COMMENT}) {
            while ((flags & text) != 0 && oneByte() != 0) {
                // until its end
            }
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            skip(2);
        }
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            oneByte();
        }
    }

    private int fourBytes() throws IOException {
        return oneByte() | oneByte() << 8 | oneByte() << 16 | oneByte() << 24;
    }

    private int oneByte() throws IOException {
        int read = in.read();
        if (read < 0) {
            throw new EOFException();
        }
        return read;
    }

    private static void require(boolean condition) throws ZipException {
        if (!condition) {
            throw new ZipException();
        }
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}

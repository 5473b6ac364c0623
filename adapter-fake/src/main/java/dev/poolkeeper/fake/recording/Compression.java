package dev.poolkeeper.fake.recording;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads files that may be gzip, recognised by their first bytes regardless of the name. */
final class Compression {

    private static final int FIRST_BYTE = GZIPInputStream.GZIP_MAGIC & 0xff;
    private static final int SECOND_BYTE = GZIPInputStream.GZIP_MAGIC >> 8;
    private static final int BUFFER = 1 << 16;

    private Compression() {}

    /** The decompressed bytes; closing the result closes the file. */
    static InputStream undone(InputStream file) throws IOException {
        try {
            BufferedInputStream in = new BufferedInputStream(file, BUFFER);
            in.mark(2);
            boolean isGzip = in.read() == FIRST_BYTE && in.read() == SECOND_BYTE;
            in.reset();
            return isGzip ? new GzipMembers(in) : in;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The fault of a file that could not be read to its end. */
    static BadInputException fault(String name, IOException e) {
        return switch (e) {
            case EOFException end -> new BadInputException(new InputFault(name, "", "is a truncated gzip file"), e);
            case GzipMembers.TrailingBytesException trailing ->
                new BadInputException(new InputFault(name, "", "has bytes after the end of its gzip data"), e);
            case ZipException damage -> new BadInputException(new InputFault(name, "", "is a corrupt gzip file"), e);
            default -> JsonFile.unreadable(name, e);
        };
    }
}

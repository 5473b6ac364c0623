package dev.poolkeeper.azure.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A response body as a stream. Remembers why it broke off, because a parser would report invalid JSON. Limits the size
 * of each element in the body. Used by one thread.
 */
final class BodyStream extends InputStream {

    private final Stream<ByteBuffer> body;
    private final Iterator<ByteBuffer> parts;
    private ByteBuffer part = ByteBuffer.allocate(0);
    private long left = SizeLimit.RESOURCE.bytes();
    private @Nullable RuntimeException failure;
    private long size;

    BodyStream(Flux<ByteBuffer> body) {
        this.body = body.toStream();
        this.parts = this.body.iterator();
    }

    /** The next element begins. */
    void elementBegins() {
        left = SizeLimit.RESOURCE.bytes();
    }

    /** Why the stream broke off; null if it did not. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** The number of bytes read so far. */
    long size() {
        return size;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            while (!part.hasRemaining()) {
                if (!parts.hasNext()) {
                    return -1;
                }
                part = parts.next();
            }
        } catch (RuntimeException e) {
            throw failed(e);
        }
        int count = Math.min(length, part.remaining());
        left -= count;
        if (left < 0) {
            throw failed(new AnswerTooLargeException(SizeLimit.RESOURCE));
        }
        size += count;
        part.get(bytes, offset, count);
        return count;
    }

    /** Cancels the response if its end was not reached. */
    @Override
    public void close() {
        body.close();
    }

    private IOException failed(RuntimeException e) {
        failure = e;
        return new IOException(e);
    }
}

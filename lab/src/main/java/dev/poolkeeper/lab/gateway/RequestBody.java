package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.ReceivedRequest.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The body of a client's request. A small body is kept and may be sent again; a larger one is streamed once, as fast as
 * the backend reads it. Used by one exchange.
 */
final class RequestBody {

    /** In bytes; larger bodies are sent once. */
    static final int KEPT = 64 << 10;

    private final byte[] head;
    private final InputStream rest;
    private final boolean isWhole;
    private final long length;

    private RequestBody(byte[] head, InputStream rest, boolean isWhole, long length) {
        this.head = head;
        this.rest = rest;
        this.isWhole = isWhole;
        this.length = length;
    }

    /**
     * Reads the part of it that is kept.
     *
     * @param length in bytes as announced, or -1
     * @throws RefusedException if it contradicts its framing, or ends in trailers, which the JDK's server does not read
     */
    static RequestBody read(InputStream in, long length) throws RefusedException {
        try {
            byte[] head = in.readNBytes(KEPT + 1);
            return new RequestBody(head, in, head.length <= KEPT, length);
        } catch (IOException | IndexOutOfBoundsException e) { // the latter for a chunk of 2 GiB or more
            throw new RefusedException(OwnAnswer.BAD_BODY);
        }
    }

    boolean mayRepeat() {
        return isWhole;
    }

    BodyPublisher publisher() {
        if (isWhole) {
            return head.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(head);
        }
        AtomicBoolean isSent = new AtomicBoolean();
        BodyPublisher once = BodyPublishers.ofInputStream(() -> isSent.getAndSet(true)
                ? InputStream.nullInputStream()
                : new SequenceInputStream(new ByteArrayInputStream(head), rest));
        return length < 0 ? once : BodyPublishers.fromPublisher(once, length);
    }
}

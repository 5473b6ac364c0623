package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.MessageHead.Field;
import dev.poolkeeper.lab.gateway.ReceivedRequest.RefusedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of a client's request. A small body is kept and may be sent again; a larger one is streamed once, as fast as
 * the backend reads it. Used by one exchange, and by the thread that sends it.
 */
final class RequestBody {

    /** In bytes; larger bodies are sent once. */
    static final int KEPT = 64 << 10;

    /** In bytes. */
    static final long LARGEST = 1L << 30;

    private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");
    private static final int PIECE = 16 << 10;

    private final byte[] head;
    private final MessageBody rest;
    private final long length;
    private volatile @Nullable OwnAnswer fault;

    private RequestBody(byte[] head, MessageBody rest, long length) {
        this.head = head;
        this.rest = rest;
        this.length = length;
    }

    /**
     * Reads the part of it that is kept.
     *
     * @param length in bytes as announced, or {@link MessageBody#CHUNKED}
     * @throws RefusedException if it contradicts its framing, or ends in trailers, which are not supported
     */
    static RequestBody read(MessageBody in, long length) throws RefusedException {
        try {
            byte[] head = in.readNBytes(KEPT + 1);
            if (!in.trailers().isEmpty()) {
                throw new RefusedException(OwnAnswer.BAD_BODY);
            }
            return new RequestBody(head, in, length);
        } catch (IOException e) {
            throw new RefusedException(OwnAnswer.BAD_BODY);
        }
    }

    boolean mayRepeat() {
        return head.length <= KEPT;
    }

    /** How the body ends; none for a request without content whose method anticipates none (RFC 9110, 8.6). */
    Optional<Field> framing(String method) {
        if (!mayRepeat() && length < 0) {
            return Optional.of(new Field("Transfer-Encoding", "chunked"));
        }
        long size = mayRepeat() ? head.length : length;
        return size > 0 || WITH_CONTENT.contains(method)
                ? Optional.of(new Field("Content-Length", Long.toString(size)))
                : Optional.empty();
    }

    /** Why the client's body cannot be sent on; found while it is. */
    Optional<OwnAnswer> fault() {
        return Optional.ofNullable(fault);
    }

    /** @throws IOException if the backend no longer reads, or the client no longer sends what it announced */
    void sendTo(OutputStream out) throws IOException {
        boolean isChunked = !mayRepeat() && length < 0;
        write(out, head, head.length, isChunked);
        if (mayRepeat()) {
            return;
        }
        byte[] piece = new byte[PIECE];
        long sent = head.length;
        for (int read = next(piece); read >= 0; read = next(piece)) {
            sent += read;
            if (sent > LARGEST) {
                fault = OwnAnswer.TOO_LARGE;
                throw new IOException("the body is too large");
            }
            write(out, piece, read, isChunked);
            if (rest.available() == 0) {
                out.flush();
            }
        }
        if (!rest.trailers().isEmpty()) {
            fault = OwnAnswer.BAD_BODY;
            throw new IOException("the body has trailers");
        }
        if (isChunked) {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private int next(byte[] piece) throws IOException {
        try {
            return rest.read(piece);
        } catch (IOException e) {
            fault = OwnAnswer.BAD_BODY;
            throw e;
        }
    }

    private static void write(OutputStream out, byte[] piece, int length, boolean isChunked) throws IOException {
        if (isChunked) {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        out.write(piece, 0, length);
        if (isChunked) {
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }
}

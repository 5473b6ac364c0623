package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.MessageHead.Field;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A request of a client on its connection, and the way back. Used by one thread, its body by another at the same time.
 */
final class ClientExchange {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final int PIECE = 16 << 10;

    private final MessageHead head;
    private final List<String> start;
    private final InputStream in;
    private final OutputStream out;
    private final InetAddress client;
    private final Instant now;
    private MessageBody body;
    private boolean isKept;

    /** @param now for the field {@code Date} */
    ClientExchange(MessageHead head, InputStream in, OutputStream out, InetAddress client, Instant now) {
        this.head = head;
        this.start = List.of(head.start().split(" ", -1));
        this.in = in;
        this.out = out;
        this.client = client;
        this.now = now;
        this.body = new MessageBody(in, 0);
    }

    MessageHead head() {
        return head;
    }

    /** Method, target and protocol; of another number of parts if the line is malformed. */
    List<String> start() {
        return start;
    }

    String method() {
        return start.get(0);
    }

    String protocol() {
        return start.size() == 3 ? start.get(2) : "";
    }

    InetAddress client() {
        return client;
    }

    /** Opens the body; a client that waits for 100 gets it. */
    MessageBody body(long length) throws IOException {
        body = new MessageBody(in, length);
        if (length != 0
                && head.values("Expect").stream().anyMatch(value -> value.equalsIgnoreCase("100-continue"))
                && protocol().equals("HTTP/1.1")) {
            out.write(CONTINUE);
            out.flush();
        }
        return body;
    }

    /** Whether the connection can be used for another request. */
    boolean isKept() {
        return isKept && body.isEnded();
    }

    /**
     * Sends a response without a body.
     *
     * @param fields with the length that a body would have, if known
     */
    void send(int status, String reason, List<Field> fields) throws IOException {
        writeHead(status, reason, fields, true);
        out.flush();
    }

    /** Sends a response with a body, which is passed on as it comes. */
    void send(int status, String reason, List<Field> fields, InputStream content, long length) throws IOException {
        List<Field> all = new ArrayList<>(fields);
        boolean isChunked = length < 0 && protocol().equals("HTTP/1.1");
        if (length >= 0) {
            all.add(new Field("Content-Length", Long.toString(length)));
        } else if (isChunked) {
            all.add(new Field("Transfer-Encoding", "chunked"));
        }
        writeHead(status, reason, all, length >= 0 || isChunked);
        byte[] piece = new byte[PIECE];
        try {
            for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
                write(piece, read, isChunked);
                if (content.available() == 0) {
                    out.flush();
                }
            }
            if (isChunked) {
                out.write(new byte[] {'0', '\r', '\n', '\r', '\n'});
            }
            out.flush();
        } catch (IOException e) {
            isKept = false;
            throw e;
        }
    }

    private void write(byte[] piece, int length, boolean isChunked) throws IOException {
        if (!isChunked) {
            out.write(piece, 0, length);
        } else if (length > 0) {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(piece, 0, length);
            out.write(LINE_END);
        }
    }

    private void writeHead(int status, String reason, List<Field> fields, boolean hasEnd) throws IOException {
        isKept = hasEnd
                && protocol().equals("HTTP/1.1")
                && body.isEnded()
                && !HopByHop.options(head.fields()).contains("close")
                && fields.stream().noneMatch(field -> field.is("Connection"));
        List<Field> all = new ArrayList<>(fields);
        if (all.stream().noneMatch(field -> field.is("Date"))) {
            all.add(new Field("Date", DATE.format(now)));
        }
        if (!isKept && all.stream().noneMatch(field -> field.is("Connection"))) {
            all.add(new Field("Connection", "close"));
        }
        out.write(MessageHead.bytes("HTTP/1.1 " + status + " " + reason, all));
    }
}
